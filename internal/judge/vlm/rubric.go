package vlm

import (
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/model/answer"
)

// rubricSingle passes or fails each leaf of a rubric tree. The score is the sum of
// the pass rates of intention, static and dynamic, 0 to 3 (WebDevJudge B.2, weights 1).
var rubricSingle = protocol{
	name: "rubric", version: "1", observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	needs: needsTree, items: rubricItems,
	shape: func(q *question) answer.Shape {
		return answer.Object(analysis, answer.Field{Name: "leaves", Shape: leavesShape(q, answer.Bool())})
	},
	read: func(q *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Analysis string
			Leaves   map[string]bool
		}](raw)
		r := result{scores: passRates(q.leaves(), a.Leaves), feedback: a.Analysis}
		for _, leaf := range q.leaves() {
			r.findings = append(r.findings, leafFinding(leaf, a.Leaves[leaf.ID]))
		}
		return r, err
	},
	worst: func(q *question) map[string]float64 { return passRates(q.leaves(), nil) },
	main:  "rubric", scale: between(0, 3),
}

// rubricPair says for each leaf which site is better. Each site's score is the sum
// of its win rates; the higher one wins, equal ones tie.
var rubricPair = protocol{
	name: "rubric-pair", version: "1", pair: true, observes: ObserveBoth, pictures: routePictures, published: webDevJudge,
	needs: needsTree, items: rubricItems,
	shape: func(q *question) answer.Shape {
		return answer.Object(analysis, answer.Field{Name: "leaves", Shape: leavesShape(q, answer.Choice("A", "B", "tie"))})
	},
	read: func(q *question, raw []byte) (result, error) {
		x, err := decode[struct {
			Analysis string
			Leaves   map[string]vitrine.Verdict
		}](raw)
		r := result{leaves: x.Leaves, feedback: x.Analysis}
		r.a, r.b = winRates(q.leaves(), x.Leaves)
		r.verdict = ByTotal(r.a["rubric"], r.b["rubric"], 0)
		return r, err
	},
	worst: func(q *question) map[string]float64 { return passRates(q.leaves(), nil) },
	main:  "rubric", scale: between(0, 3),
}

func needsTree(q *question) error {
	if q.sites[0].Tree == nil {
		return usage(q.name+" needs a rubric tree", "Give the task's rubric, or make one with `vitrine rubric`.")
	}
	return nil
}

func (q *question) leaves() []rubric.Leaf { return q.sites[0].Tree.Leaves() }

// rubricItems lists the leaves with what they are part of.
func rubricItems(q *question) string {
	var b strings.Builder
	for _, leaf := range q.leaves() {
		fmt.Fprintf(&b, "%s: %s\n", leaf.ID, strings.Join(leaf.Path, " / "))
	}
	return strings.TrimSpace(b.String())
}

func leavesShape(q *question, value answer.Shape) answer.Shape {
	var fields []answer.Field
	for _, leaf := range q.leaves() {
		fields = append(fields, answer.Field{Name: leaf.ID, Shape: value})
	}
	return answer.Object(fields...)
}

// passRates are the shares of leaves that pass in each dimension, and their sum.
func passRates(leaves []rubric.Leaf, pass map[string]bool) map[string]float64 {
	return rates(leaves, func(id string) bool { return pass[id] })
}

// winRates are the shares of leaves that each site wins. A tie counts for neither.
func winRates(leaves []rubric.Leaf, better map[string]vitrine.Verdict) (a, b map[string]float64) {
	of := func(v vitrine.Verdict) map[string]float64 {
		return rates(leaves, func(id string) bool { return better[id] == v })
	}
	return of(vitrine.VerdictA), of(vitrine.VerdictB)
}

func rates(leaves []rubric.Leaf, hit func(id string) bool) map[string]float64 {
	hits, all := map[string]float64{}, map[string]float64{}
	for _, leaf := range leaves {
		all[leaf.Dimension]++
		if hit(leaf.ID) {
			hits[leaf.Dimension]++
		}
	}
	scores := map[string]float64{"rubric": 0}
	for _, d := range rubric.Dimensions {
		rate := hits[d] / all[d] // every dimension has a leaf
		scores["rubric."+d] = rate
		scores["rubric"] += rate
	}
	return scores
}

func leafFinding(leaf rubric.Leaf, pass bool) vitrine.Finding {
	score, says := 0.0, "Not met: "
	if pass {
		score, says = 1, "Met: "
	}
	return vitrine.Finding{Check: "rubric." + leaf.ID, Status: vitrine.StatusScored, Score: &score, Why: says + leaf.Path[len(leaf.Path)-1]}
}
