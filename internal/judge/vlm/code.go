package vlm

import "vitrine/internal/model/answer"

// code scores a page by its HTML alone: alignment 20, design 50, structure 30
// (AesCoder G.4, the ablation). It looks at no render. The published
// profile has the paper's severity, feedback last, the whole code, and takes a total as it
// is given.
var code = protocol{
	name: "code", version: "1", observes: ObserveCode, fixed: true, published: func(p *protocol) { p.codeTokens, p.version = allCode, "published-2" },
	shape: func(q *question) answer.Shape {
		return answer.Object(inOrder(q.isPublished,
			answer.Field{Name: "feedback", Shape: answer.Text(maxFeedback).About("about 30 words on what is strong and what is weak")},
			answer.Field{Name: "alignment", Shape: answer.Number(0, 20)},
			answer.Field{Name: "design", Shape: answer.Number(0, 50)},
			answer.Field{Name: "structure", Shape: answer.Number(0, 30)},
			answer.Field{Name: "total", Shape: answer.Number(0, 100).About("the sum of the three")},
		)...)
	},
	read: func(q *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Feedback                            string
			Alignment, Design, Structure, Total float64
		}](raw)
		if err != nil {
			return result{}, err
		}
		r := result{feedback: a.Feedback, scores: map[string]float64{
			"code": a.Total, "code.alignment": a.Alignment, "code.design": a.Design, "code.structure": a.Structure,
		}}
		if q.isPublished {
			return r, nil
		}
		return r, summed("total", a.Total, a.Alignment, a.Design, a.Structure)
	},
	main: "code", scale: between(0, 100),
}
