package flow

import (
	"cmp"

	"vitrine/internal/digest"
	"vitrine/internal/inputs"
)

// Unique keeps the first of the rows that have the same field to the letter (WebDevJudge,
// Table 7). Rows without it stay.
type Unique struct {
	Field string `yaml:"field" json:"field"` // default instruction
}

func (s *Unique) check(*Pipeline) error {
	s.Field = cmp.Or(s.Field, "instruction")
	return nil
}

func (s *Unique) run(w *work) error {
	seen := map[string]bool{} // by hash: rows are many, and texts long
	return w.sift(func(r inputs.Record) string {
		v := Field(r.Row, s.Field)
		if key := digest.Text(v); v != "" && seen[key] {
			return "the same " + s.Field + " to the letter"
		} else if v != "" {
			seen[key] = true
		}
		return ""
	})
}
