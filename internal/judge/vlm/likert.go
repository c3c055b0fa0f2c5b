package vlm

import "vitrine/internal/model/answer"

// likert rates thirteen sub-criteria from 1 to 5; the total is their sum, 13 to 65
// (WebDevJudge B.2).
var likert = protocol{
	name: "likert", version: "1", observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	shape: object(analysis, answer.Field{Name: "ratings", Shape: ratingsShape()}),
	read: func(_ *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Analysis string
			Ratings  map[string]float64
		}](raw)
		return result{scores: likertScores(a.Ratings), feedback: a.Analysis}, err
	},
	worst: lowestLikert, main: "likert", scale: between(13, 65),
}

// likertPair rates two sites at once. The higher total wins if it is higher by more
// than 1; less is a tie.
var likertPair = protocol{
	name: "likert-pair", version: "1", pair: true, observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	shape: object(analysis,
		answer.Field{Name: "a", Shape: ratingsShape()},
		answer.Field{Name: "b", Shape: ratingsShape()}),
	read: func(_ *question, raw []byte) (result, error) {
		x, err := decode[struct {
			Analysis string
			A, B     map[string]float64
		}](raw)
		a, b := likertScores(x.A), likertScores(x.B)
		return result{a: a, b: b, verdict: ByTotal(a["likert"], b["likert"], likertTie), feedback: x.Analysis}, err
	},
	worst: lowestLikert, main: "likert", scale: between(13, 65),
}

var analysis = answer.Field{Name: "analysis", Shape: answer.Text(6000).About("what you see, before the ratings")}

// subCriteria are the thirteen of WebDevJudge B.2, in four groups.
var subCriteria = []struct{ id, name string }{
	{"1.1", "core functionality"}, {"1.2", "content accuracy and completeness"}, {"1.3", "boundary conditions and corner cases"}, {"1.4", "error handling"},
	{"2.1", "visual consistency and cohesion"}, {"2.2", "layout, structure and responsiveness"}, {"2.3", "aesthetic appeal"},
	{"3.1", "readability and maintainability"}, {"3.2", "modularity and reusability"}, {"3.3", "scalability and efficiency"},
	{"4.1", "effectiveness of interactive elements"}, {"4.2", "logical correctness of state"}, {"4.3", "accessibility and ease of use"},
}

func ratingsShape() answer.Shape {
	fields := make([]answer.Field, len(subCriteria))
	for i, c := range subCriteria {
		fields[i] = answer.Field{Name: c.id, Shape: answer.Integer(1, 5).About(c.name)}
	}
	return answer.Object(fields...)
}

// likertScores are the ratings and their sum.
func likertScores(ratings map[string]float64) map[string]float64 {
	scores := map[string]float64{"likert": 0}
	for _, c := range subCriteria {
		scores["likert."+c.id] = ratings[c.id]
		scores["likert"] += ratings[c.id]
	}
	return scores
}

// likertTie is the largest difference of totals that is a tie.
const likertTie = 1

// lowestLikert is 1 everywhere: the scale has no 0.
func lowestLikert(*question) map[string]float64 {
	ratings := map[string]float64{}
	for _, c := range subCriteria {
		ratings[c.id] = 1
	}
	return likertScores(ratings)
}
