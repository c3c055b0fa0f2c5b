package vlm

import (
	"fmt"

	"vitrine"
	"vitrine/internal/model/answer"
)

// staticPair scores two screenshots side by side and gives one of five verdicts
// (AesCoder G.1). A verdict that contradicts the totals goes back to the model: the
// winner must have the higher total, and a tie equal ones. In the published profile feedback
// comes last, totals count as they are given, and so does the verdict, whatever they say.
var staticPair = protocol{
	name: "static-pair", version: "1", pair: true, observes: ObserveImage, fixed: true, pictures: firstPicture, published: scoresFirst,
	shape: func(q *question) answer.Shape {
		site := answer.Object(thirds.fields()...)
		return answer.Object(inOrder(q.isPublished,
			answer.Field{Name: "feedback", Shape: answer.Text(1200).About("about 50 words on what sets the two apart")},
			answer.Field{Name: "a", Shape: site},
			answer.Field{Name: "b", Shape: site},
			answer.Field{Name: "verdict", Shape: answer.Choice(fiveVerdicts...)},
		)...)
	},
	read: func(q *question, raw []byte) (result, error) {
		x, err := decode[struct {
			Feedback string
			A, B     thirdsAnswer
			Verdict  string
		}](raw)
		if err != nil {
			return result{}, err
		}
		r := result{a: x.A.scores(), b: x.B.scores(), feedback: x.Feedback}
		r.verdict, r.far = fiveWay(x.Verdict)
		if err := x.A.check(q, "a.total"); err != nil {
			return r, err
		}
		if err := x.B.check(q, "b.total"); err != nil {
			return r, err
		}
		if q.isPublished {
			return r, nil // the verdict is what was said, whatever the totals are
		}
		return r, agrees(x.Verdict, x.A.Total, x.B.Total)
	},
	worst: func(*question) map[string]float64 { return thirdsAnswer{}.scores() },
	main:  "total", scale: between(0, 100),
}

// fiveVerdicts are A≫B, A>B, A=B, A<B and A≪B.
var fiveVerdicts = []string{"A>>B", "A>B", "A=B", "A<B", "A<<B"}

// fiveWay reads one of the five verdicts.
func fiveWay(word string) (v vitrine.Verdict, far bool) {
	switch word {
	case "A>>B", "A>B":
		return vitrine.VerdictA, word == "A>>B"
	case "A<B", "A<<B":
		return vitrine.VerdictB, word == "A<<B"
	}
	return vitrine.VerdictTie, false
}

// ByTotal says who has the higher score; differences of up to a margin are a tie.
func ByTotal(a, b, margin float64) vitrine.Verdict {
	const rounding = 1e-9 // sums of shares come out a little off
	switch {
	case a > b+margin+rounding:
		return vitrine.VerdictA
	case b > a+margin+rounding:
		return vitrine.VerdictB
	}
	return vitrine.VerdictTie
}

func agrees(word string, a, b float64) error {
	if v, _ := fiveWay(word); v != ByTotal(a, b, 0) {
		return fmt.Errorf("verdict %s contradicts the totals, %g for A and %g for B: the better one has the higher total, and A=B means equal totals", word, a, b)
	}
	return nil
}
