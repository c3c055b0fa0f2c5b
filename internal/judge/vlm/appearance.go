package vlm

import "vitrine/internal/model/answer"

// appearance grades what the routes look like from 0 to 5 (WebGen-R1 G.2). The
// analysis comes before the grade. In the published profile it sees every viewport and the
// log Γ (§2.3, Eq. 3).
var appearance = protocol{
	name: "appearance", version: "1", observes: ObserveImage, fixed: true, pictures: routePictures,
	published: func(p *protocol) { p.pictures, p.logged = breakpointPictures, true },
	shape: object(
		answer.Field{Name: "analysis", Shape: answer.Text(6000).About("what is good and what is not, before the grade")},
		answer.Field{Name: "grade", Shape: answer.Integer(0, 5)},
	),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Analysis string
			Grade    float64
		}](raw)
		return result{scores: map[string]float64{"appearance": a.Grade}, feedback: a.Analysis}, err
	},
	worst: only("appearance", 0), main: "appearance", scale: between(0, 5),
}
