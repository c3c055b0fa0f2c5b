package vlm

import (
	"vitrine"
	"vitrine/internal/model/answer"
)

// direct gives one mark without any criteria, from 1 to 10. WebDevJudge names the
// single form and not its scale: this one is ours.
var direct = protocol{
	name: "direct", version: "1", observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	shape: object(reason, answer.Field{Name: "score", Shape: answer.Integer(1, 10)}),
	read:  readScore("direct"), worst: only("direct", 1), main: "direct", scale: between(1, 10),
}

// directPair says which of two is better, with the reason (WebDevJudge B.4). The prompt of
// our profile adds to decide as the future user would, and that order and length mean
// nothing.
var directPair = protocol{
	name: "direct-pair", version: "1", pair: true, observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	shape: object(reason, answer.Field{Name: "winner", Shape: answer.Choice("A", "B", "tie")}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Reason string
			Winner vitrine.Verdict
		}](raw)
		return result{verdict: a.Winner, feedback: a.Reason}, err
	},
	worst: func(*question) map[string]float64 { return nil },
	scale: between(0, 1),
}

// reason is asked for before anything is decided.
var reason = answer.Field{Name: "reason", Shape: answer.Text(3000).About("why, before the decision")}

// readScore reads a reason and a score.
func readScore(name string) func(*question, []byte) (result, error) {
	return func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Reason string
			Score  float64
		}](raw)
		return result{scores: map[string]float64{name: a.Score}, feedback: a.Reason}, err
	}
}
