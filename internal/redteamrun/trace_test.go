package redteamrun

import (
	"os"
	"slices"
	"testing"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/redteam"
	"vitrine/internal/reward"
)

// A long trace tells pages without handlers from their page, and none that are only written
// differently.
func TestATraceTellsFaultsFromOtherWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	t.Parallel()
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.New(pipeline.Settings{Recipe: recipe, CacheDir: t.TempDir(), Concurrency: 2})
	t.Cleanup(p.Close)
	prompts, _, err := Own()
	if err != nil {
		t.Fatal(err)
	}
	traced := 0
	for _, prompt := range prompts[:2] {
		page := prompt.Honest[0]
		mutants := redteam.Mutants(page.Text, 1, 1, "handlers-removed", "same-printed", "same-locals")
		outputs := make([]vitrine.Output, len(mutants))
		for i, m := range mutants {
			outputs[i] = vitrine.Output{ID: page.ID + m.Name(), Text: m.HTML, Kind: vitrine.KindPage}
		}
		distinct, err := (&Scorer{Pipeline: p}).Distinct(t.Context(), page, outputs)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(distinct, false) {
			t.Errorf("%s: traces of the page itself differ", page.ID)
		}
		for i, m := range mutants {
			traced++
			if distinct[i] != (m.Kind != redteam.Equivalent) {
				t.Errorf("%s: %s is distinct: %t", page.ID, m.Operator, distinct[i])
			}
		}
	}
	if traced < 6 {
		t.Errorf("%d mutants were traced", traced)
	}
}
