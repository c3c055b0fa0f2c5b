package refine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// maxRemarks is how many findings are named: a person, or a model, mends the worst
// first.
const maxRemarks = 6

// Said is what a sample's policy is asked to improve: the words of the model that judged,
// else what the checks find worst.
func Said(s *vitrine.Sample) string { return cmp.Or(s.Feedback, Remarks(s.Findings)) }

// Remarks is the critique of the measured judge: what its checks find worst, in words
// and without code, so that it can stand in a prompt. It is empty where nothing is
// worth a remark.
func Remarks(findings []vitrine.Finding) string {
	var worst []vitrine.Finding
	for _, f := range findings {
		if f.Status == vitrine.StatusScored && f.Score != nil && *f.Score < 0.9 {
			worst = append(worst, f)
		}
	}
	slices.SortStableFunc(worst, func(a, b vitrine.Finding) int { return cmp.Compare(*a.Score, *b.Score) })
	var out strings.Builder
	for _, f := range worst[:min(len(worst), maxRemarks)] {
		fmt.Fprintf(&out, "- %s: %s\n", f.Check, f.Why)
	}
	return strings.TrimSuffix(out.String(), "\n")
}
