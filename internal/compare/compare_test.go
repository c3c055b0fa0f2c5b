package compare

import (
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/leak"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const page = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head><body><main><h1>Tea shop</h1><p>Green and black tea from the hills.</p><a href="#tea" id="tea">See all teas</a></main></body></html>`

// seen is an evidence folder of a page.
func seen(t *testing.T, p *pipeline.Pipeline, text string) string {
	t.Helper()
	dir := t.TempDir()
	if s, err := p.Score(t.Context(), vitrine.Output{ID: "a", Instruction: "A page for a tea shop", Text: text}, dir); err != nil || s.Sample.Error != nil {
		t.Fatal(err, s)
	}
	return dir
}

func TestFoldersAreCompared(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the browser")
	}
	looks, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	settings := pipeline.Settings{Recipe: looks, NoCache: true}
	settings.Capture.TimesMS = []int{0}
	p := pipeline.New(settings)
	t.Cleanup(p.Close)
	good, bad := seen(t, p, page), seen(t, p, strings.Replace(page, "<h1>", `<h1 style="color:#eee;font-size:7px">`, 1))

	one, errA := Folders(t.Context(), good, bad, "", nil)
	other, errB := Folders(t.Context(), bad, good, "", nil)
	if errA != nil || errB != nil || one.Verdict != vitrine.VerdictA || other.Verdict != vitrine.VerdictB || one.A["total"] != other.B["total"] {
		t.Errorf("measured: %s and swapped %s, %v %v, %v %v", one.Verdict, other.Verdict, one.A, one.B, errA, errB)
	}

	// A model that likes whatever comes first has no verdict.
	server := modeltest.New(t, func(modeltest.Question) modeltest.Answer {
		return modeltest.Answer{Text: `{"reason": "The first one is calmer.", "winner": "A"}`}
	})
	v := &pipeline.Vision{Judges: vlm.Judges{Asker: server.Client(t, model.Settings{}), Models: []string{"google/gemini-2.5-flash"}}}
	v.Settings.Position = "both"
	got, err := Folders(t.Context(), good, bad, "direct", v)
	if err != nil || got.Verdict != vitrine.VerdictTie || len(got.Orders) != 2 || server.Calls() != 2 {
		t.Errorf("got %s after %d calls, %v", got.Verdict, server.Calls(), err)
	}
}
