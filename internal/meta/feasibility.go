package meta

import "vitrine/internal/stats"

// A Feasibility is a task on a page with the label of people, whether it can be carried
// out there, and what a judge says; nil where that could not be judged.
type Feasibility struct {
	ID       string `json:"id,omitempty"`
	Label    bool   `json:"label"`
	Feasible *bool  `json:"feasible"`
}

// FeasibilityFigures are those of WebDevJudge-Unit (§4.3, Table 6), in [0,1]; nil where
// one is not defined. A task that could not be judged is a right answer nowhere.
type FeasibilityFigures struct {
	N         int             `json:"n"`
	Unjudged  int             `json:"unjudged"`
	Precision *stats.Estimate `json:"precision"` // right ones of those that the judge holds feasible
	Recall    *stats.Estimate `json:"recall"`    // right ones of those that are feasible
	F1        *stats.Estimate `json:"f1"`        // harmonic mean of both; 0 where precision alone is not defined
	Accuracy  *stats.Estimate `json:"accuracy"`  // right ones of all
}

// Feasibilities computes the figures. The seed is that of the interval of F1.
func Feasibilities(tasks []Feasibility, seed uint64) FeasibilityFigures {
	all := make([]int, len(tasks))
	for i := range all {
		all[i] = i
	}
	c := confuse(tasks, all)
	return FeasibilityFigures{
		N:         len(tasks),
		Unjudged:  count(tasks, func(t Feasibility) bool { return t.Feasible == nil }),
		Precision: stats.Share(c.hits, c.said),
		Recall:    stats.Share(c.hits, c.labelled),
		Accuracy:  stats.Share(c.right, len(tasks)),
		F1: stats.Resample(len(tasks), func(drawn []int) float64 {
			c := confuse(tasks, drawn)
			return 2 * float64(c.hits) / float64(c.said+c.labelled)
		}, seed),
	}
}

// confusion counts tasks: hits are feasible and said to be.
type confusion struct{ right, hits, said, labelled int }

func confuse(tasks []Feasibility, drawn []int) (c confusion) {
	for _, i := range drawn {
		t := tasks[i]
		said := t.Feasible != nil && *t.Feasible
		if t.Feasible != nil && said == t.Label {
			c.right++
		}
		if said {
			c.said++
		}
		if t.Label {
			c.labelled++
		}
		if said && t.Label {
			c.hits++
		}
	}
	return c
}
