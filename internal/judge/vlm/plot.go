package vlm

import "vitrine/internal/model/answer"

// plot holds the picture that a program drew against the true one, from 0 to 100 (AesCoder
// §7.1, which takes it from PandasPlotBench). A program that drew none gets 0 without a call.
var plot = protocol{
	name: "plot", version: "1", observes: ObserveImage, fixed: true, pictures: firstPicture,
	needs: func(q *question) error {
		if len(q.sites[0].Truth) == 0 {
			return usage("plot holds a plot against the true one, and its task has none", "Give the task a picture (docs/formats.md).")
		}
		return nil
	},
	shape: object(reason, answer.Field{Name: "score", Shape: answer.Integer(0, 100)}),
	read:  readScore("plot"), worst: only("plot", 0), main: "plot", scale: between(0, 100),
}
