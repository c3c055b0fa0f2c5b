package dedup

import "vitrine/internal/data/near"

// The reasons for which a record is dropped.
const (
	ReasonExact = "exact"
	ReasonText  = "text"
	ReasonDOM   = "dom"
	ReasonTree  = "tree"
	ReasonCode  = "code"
)

// Thresholds above which a record is a near duplicate.
type Thresholds struct {
	Text   float64
	Review float64 // of the text, from which on a person decides, if the pages overlap too
	DOM    float64 // also of trees
	Code   float64
	// Overlap is how alike the code of pages must be at least that are alike in their
	// structure. At 0 structure alone is enough, as the paper has it: then every page of
	// one canvas and one script is a duplicate of every other.
	Overlap float64
}

// Defaults are the paper's thresholds, and an overlap, for which it has no number.
var Defaults = Thresholds{Text: 0.85, Review: 0.80, DOM: 0.90, Code: 0.90, Overlap: 0.5}

// A search finds the most similar of what was kept.
type search interface {
	Keep(item int)
	Best(item int, s *near.Scratch, accept func(other int) bool) (other int, similarity float64)
	Similarity(a, b int) float64
}

// A view is one way to compare.
type view struct {
	search
	reason string
	above  float64             // a record that is more similar is dropped
	review float64             // one that is at least as similar is for a person; 0: there is none
	accept func(a, b int) bool // what else must hold; nil: nothing
}

// A match is the record that another is most like in a view; -1 where there is none.
type match struct {
	other      int
	similarity float64
}

// trees compares the few pages whose trees are compared, one with each that was kept.
type trees struct {
	shapes []*near.Shape
	kept   []int
	t      float64
}

func (t *trees) Keep(item int) {
	if t.shapes[item] != nil {
		t.kept = append(t.kept, item)
	}
}

func (t *trees) Best(item int, _ *near.Scratch, accept func(other int) bool) (best int, similarity float64) {
	best = -1
	for _, other := range t.kept {
		if s := t.Similarity(item, other); s >= t.t && s > similarity && (accept == nil || accept(other)) {
			best, similarity = other, s
		}
	}
	return best, similarity
}

func (t *trees) Similarity(a, b int) float64 {
	if t.shapes[a] == nil || t.shapes[b] == nil {
		return 0
	}
	return t.shapes[a].Alike(t.shapes[b], t.t)
}
