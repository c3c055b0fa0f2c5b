package behave

import "vitrine"

// Caps on the whole where the central behaviour does not work, by which the rest cannot
// make up for what the site is for (ADR 30).
const (
	centralAbsent = 0.25
	centralFails  = 0.35
)

// Function is what share of the required behaviours works, weighted by how central the
// instruction makes them. What cannot be told for a cause outside of the page is left out.
// The central one, where it is absent or fails, caps the whole. Nil where nothing was
// required that could be told.
func Function(t *vitrine.Trace) *float64 {
	sum, all, limit := 0.0, 0.0, 1.0
	for _, c := range t.Cases {
		if c.Score == nil {
			continue
		}
		all += c.Rank
		sum += c.Rank * *c.Score
		switch {
		case !c.Central || c.Verdict == vitrine.VerdictWorks:
		case c.Verdict == vitrine.VerdictAbsent:
			limit = min(limit, centralAbsent)
		default:
			limit = min(limit, centralFails)
		}
	}
	if all == 0 {
		return nil
	}
	share := min(sum/all, limit)
	return &share
}
