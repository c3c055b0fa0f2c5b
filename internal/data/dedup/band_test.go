package dedup_test

import (
	"strings"
	"testing"

	"vitrine/internal/data/dedup"
)

// TestTheBandIsForAPersonWherePagesOverlap: texts between the thresholds are shown to a
// person if their pages have much of their structure or code in common, else they stay.
func TestTheBandIsForAPersonWherePagesOverlap(t *testing.T) {
	all := pages(t)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	thresholds := dedup.Defaults
	thresholds.Text, thresholds.DOM, thresholds.Code = 0.999, 1, 1
	like := strings.ReplaceAll(lamp, "teal", "navy")
	for name, c := range map[string]struct {
		page   string
		review int
	}{
		"the same page with another heading": {strings.Replace(all[names[0]], "<body>", "<body><h6>Another</h6>", 1), 1},
		"another page":                       {"<!doctype html><table><tr><td>1<td>2</table><script>document.title = Math.max(3, 4)</script>", 0},
	} {
		rows := write(t, row{"id": "a", "instruction": lamp, "output": all[names[0]]}, row{"id": "b", "instruction": like, "output": c.page})
		sum, dropped := run(t, dedup.Settings{Files: []string{rows}, By: dedup.Ways, Thresholds: thresholds})
		if len(dropped) != 0 || sum.Review != c.review {
			t.Errorf("%s: %d dropped, %d for review, want %d", name, len(dropped), sum.Review, c.review)
		}
	}
}
