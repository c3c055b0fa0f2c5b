package refine

import (
	"strings"
	"testing"

	"vitrine"
)

func TestRemarksNameTheWorstFirst(t *testing.T) {
	score := func(v float64) *float64 { return &v }
	var findings []vitrine.Finding
	for i, s := range []float64{0.5, 0.95, 0.1, 0.8, 0.2, 0.3, 0.4, 0.6} {
		findings = append(findings, vitrine.Finding{Check: "check" + string(rune('a'+i)), Status: vitrine.StatusScored, Score: score(s), Why: "why"})
	}
	findings = append(findings, vitrine.Finding{Check: "axe", Status: vitrine.StatusFailed, Why: "it did not answer"})
	got := strings.Split(Remarks(findings), "\n")
	if len(got) != maxRemarks || got[0] != "- checkc: why" || got[1] != "- checke: why" {
		t.Errorf("got %q", got)
	}
	if got := Said(&vitrine.Sample{Findings: findings, Feedback: "Give it room."}); got != "Give it room." {
		t.Errorf("a critic's words: %q", got)
	}
	if got := Remarks(findings[1:2]); got != "" {
		t.Errorf("a site with nothing to remark: %q", got)
	}
}
