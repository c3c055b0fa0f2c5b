package vlm

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"vitrine"
)

// WebDevJudge A.1: below 8 of 10 and below 3 of 5 are out.
func TestFiltersSayWhatIsKept(t *testing.T) {
	t.Parallel()
	for filter, kept := range map[string]map[int]float64{
		"filter-interaction": {0: 0, 7: 0, 8: 1, 10: 1},
		"filter-intention":   {1: 0, 2: 0, 3: 1, 5: 1},
	} {
		for score, want := range kept {
			j := Judge{Asker: says(fmt.Sprintf(`{"reason":"x","score":%d}`, score)), Settings: settings(filter)}
			got, err := j.Judge(t.Context(), Subject{Instruction: "A shop for tea with a cart."})
			if err != nil || got.Scores[filter+".kept"] != want || got.Scores[filter] != float64(score) {
				t.Errorf("%s %d: %v, %v", filter, score, got.Scores, err)
			}
			word := map[float64]string{0: "Left out: ", 1: "Kept: "}[want]
			if !slices.ContainsFunc(got.Findings, func(f vitrine.Finding) bool { return f.Check == filter+".kept" && strings.HasPrefix(f.Why, word) }) {
				t.Errorf("%s %d: findings %+v", filter, score, got.Findings)
			}
		}
	}
}

func TestTheInteractionFilterShowsSevenExamples(t *testing.T) {
	t.Parallel()
	asker := says(`{"reason":"x","score":9}`)
	if _, err := (&Judge{Asker: asker, Settings: settings("filter-interaction")}).Judge(t.Context(), Subject{Instruction: "A shop."}); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(sent(asker.asked[0]), "Seven requests")
	examples := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `"`) {
			examples++
		}
	}
	if examples != 7 {
		t.Errorf("%d examples in:\n%s", examples, text)
	}
}
