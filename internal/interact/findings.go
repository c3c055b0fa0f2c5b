package interact

import (
	"fmt"

	"vitrine"
	"vitrine/internal/tracetext"
)

// Findings is what a trace shows about the site: of an exploration the check controls, the
// share of them that works and where the dead ones are; of behave the check behaviors,
// the share of those that were asked for; of others nothing.
func Findings(t *vitrine.Trace) []vitrine.Finding {
	if t.By == vitrine.ByBehave && t.Function != nil {
		return []vitrine.Finding{{Check: "behaviors", Status: vitrine.StatusScored, Score: t.Function, Why: tracetext.Function(t) + "."}}
	}
	f := vitrine.Finding{Check: "controls", Status: vitrine.StatusScored}
	for _, c := range t.Cases {
		if c.Verdict == vitrine.VerdictDead && c.Control != nil {
			f.Where = append(f.Where, vitrine.Place{Route: c.Route, Viewport: t.Viewport.Name, Box: c.Control.Box, Label: tracetext.Control(*c.Control) + ": " + c.Why})
		}
	}
	v := tracetext.Verdicts(t)
	works, dead := len(v[vitrine.VerdictWorks]), len(f.Where)
	if works+dead == 0 {
		return nil
	}
	share := float64(works) / float64(works+dead)
	f.Score = &share
	f.Why = fmt.Sprintf("Of %d controls that were tried, all do something.", works)
	if dead > 0 {
		f.Why = fmt.Sprintf("Of %d controls that were tried, %d do nothing that can be noticed.", works+dead, dead)
	}
	if n := len(v[vitrine.VerdictUnclear]); n > 0 {
		f.Why += fmt.Sprintf(" Of %d more it could not be judged.", n)
	}
	return []vitrine.Finding{f}
}
