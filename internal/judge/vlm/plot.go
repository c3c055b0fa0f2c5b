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

// PlotResult is what became of one task of a plot benchmark.
type PlotResult struct {
	Failed bool     // the program ended with an error or drew nothing
	Score  *float64 // from 0 to 100; nil if it failed, or could not be judged
}

// PlotFigures are the figures of a plot benchmark, as fractions but for the mean.
type PlotFigures struct {
	N        int     // tasks
	Unjudged int     // of them, plots that were drawn and have no score
	Errors   float64 // share of tasks whose program failed
	Mean     float64 // score from 0 to 100 over the tasks that are not unjudged; a failure counts 0
	Good     float64 // share of the same tasks with a score above 75
}

// FiguresOfPlots computes the error rate, the mean and the share above 75 of AesCoder §7.1,
// which are over all test cases. What could not be judged is in neither of the last two,
// and is counted. ok is false where nothing is left to take a mean of.
func FiguresOfPlots(results []PlotResult) (figures PlotFigures, ok bool) {
	f := PlotFigures{N: len(results)}
	var failed, good, sum float64
	for _, r := range results {
		switch {
		case r.Failed:
			failed++
		case r.Score == nil:
			f.Unjudged++
		default:
			sum += *r.Score
			if *r.Score > 75 {
				good++
			}
		}
	}
	judged := float64(f.N - f.Unjudged)
	if judged == 0 {
		return f, false
	}
	f.Errors, f.Mean, f.Good = failed/float64(f.N), sum/judged, good/judged
	return f, true
}
