package vlm

import (
	"vitrine/internal/model/answer"
)

// static scores one screenshot: alignment 40, aesthetics 30, structure 30, and
// about 30 words of feedback (AesCoder G.2, G.8). In the published profile feedback
// comes last and a total counts as it is given; in ours the parts must add up to it.
var static = protocol{
	name: "static", version: "1", observes: ObserveImage, fixed: true, pictures: firstPicture, published: scoresFirst,
	shape: func(q *question) answer.Shape { return thirds.shape(maxFeedback, q.isPublished) },
	read: func(q *question, raw []byte) (result, error) {
		a, err := decode[thirdsAnswer](raw)
		if err != nil {
			return result{}, err
		}
		return result{scores: a.scores(), feedback: a.Feedback}, a.check(q, "total")
	},
	worst: func(*question) map[string]float64 { return thirdsAnswer{}.scores() },
	main:  "total", scale: between(0, 100),
}

// maxFeedback is in letters: well above the 30 to 50 words that are asked for.
const maxFeedback = 800

// maxima of three parts that make up 100.
type maxima struct{ alignment, aesthetics, structure float64 }

var thirds = maxima{40, 30, 30}

// fields are the three parts and their total.
func (m maxima) fields() []answer.Field {
	return []answer.Field{
		{Name: "alignment", Shape: answer.Number(0, m.alignment)},
		{Name: "aesthetics", Shape: answer.Number(0, m.aesthetics)},
		{Name: "structure", Shape: answer.Number(0, m.structure)},
		{Name: "total", Shape: answer.Number(0, 100).About("the sum of the three")},
	}
}

func (m maxima) shape(feedback int, scoresFirst bool) answer.Shape {
	words := answer.Field{Name: "feedback", Shape: answer.Text(feedback).About("about 30 words on what is strong and what is weak")}
	return answer.Object(inOrder(scoresFirst, words, m.fields()...)...)
}

// inOrder are the fields of an answer with the words before the scores, or after them.
func inOrder(scoresFirst bool, words answer.Field, scores ...answer.Field) []answer.Field {
	if scoresFirst {
		return append(scores, words)
	}
	return append([]answer.Field{words}, scores...)
}

// scoresFirst is the published form of AesCoder's prompts, which [protocol.isPublished]
// tells shape, prompt and arithmetic.
func scoresFirst(*protocol) {}

// thirdsAnswer is what a model gives for three parts.
type thirdsAnswer struct {
	Alignment, Aesthetics, Structure, Total float64
	Feedback                                string
}

func (a thirdsAnswer) scores() map[string]float64 {
	return map[string]float64{"alignment": a.Alignment, "aesthetics": a.Aesthetics, "structure": a.Structure, "total": a.Total}
}

func (a thirdsAnswer) check(q *question, name string) error {
	if q.isPublished {
		return nil
	}
	return summed(name, a.Total, a.Alignment, a.Aesthetics, a.Structure)
}
