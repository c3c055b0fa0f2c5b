package behave

import "vitrine"

// Caps on the whole where the central behaviour does not work, by which the rest cannot
// make up for what the site is for (ADR 30).
const (
	centralAbsent = 0.25
	centralFails  = 0.35
)

// Function is what share of the required behaviours works, weighted by how central the
// instruction makes them. What cannot be told for a cause outside of the page is left out,
// up to half of the weight: a page does not win by taking everything outside. The central
// behaviour, where it is absent or fails, caps the whole. It is 1 where nothing was
// required: a poster has nothing to operate.
func Function(t *vitrine.Trace) float64 {
	won, told, all, limit := 0.0, 0.0, 0.0, 1.0
	for _, c := range t.Cases {
		all += c.Rank
		if c.Score == nil {
			continue
		}
		told += c.Rank
		won += c.Rank * *c.Score
		switch {
		case !c.Central || c.Verdict == vitrine.VerdictWorks:
		case c.Verdict == vitrine.VerdictAbsent:
			limit = min(limit, centralAbsent)
		default:
			limit = min(limit, centralFails)
		}
	}
	share := 1.0
	if all == 0 {
		return share
	}
	share = min(won/max(told, all/2), limit)
	return share
}
