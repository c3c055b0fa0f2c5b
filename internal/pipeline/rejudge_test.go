package pipeline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
)

// One site asked for with two instructions is looked at once, and each sample
// keeps its own.
func TestCachedCaptureKeepsEachInstruction(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	p := pipe(t, func(s *Settings) { s.CacheDir = own })
	first, second := t.TempDir(), t.TempDir()
	mustScore(t, p, vitrine.Output{ID: "a", Text: goodPage, Instruction: "a page about tea"}, first)
	s := mustScore(t, p, vitrine.Output{ID: "b", Text: goodPage, Instruction: "a page about coffee"}, second)
	if !s.Sample.Cached.Capture {
		t.Error("the site was looked at twice")
	}
	for dir, want := range map[string]string{first: "a page about tea", second: "a page about coffee"} {
		if ev, err := evidence.Load(dir); err != nil || ev.Instruction != want {
			t.Errorf("got %q, %v, want %q", ev.Instruction, err, want)
		}
	}
	// Looking at it again over the same folder leaves the cache whole.
	frames := folder(t, first)
	mustScore(t, p, vitrine.Output{ID: "a", Text: goodPage, Instruction: "a page about tea"}, first)
	again := t.TempDir()
	mustScore(t, p, vitrine.Output{ID: "a", Text: goodPage, Instruction: "a page about tea"}, again)
	if diff := cmp.Diff(frames, folder(t, again)); diff != "" {
		t.Errorf("the cache changed (-first +again):\n%s", diff)
	}
}

// Two projects that are built to the same page are looked at once, and each keeps its own
// way there.
func TestCachedCaptureKeepsEachSite(t *testing.T) {
	t.Parallel()
	own, dir := t.TempDir(), t.TempDir()
	p := pipe(t, func(s *Settings) { s.CacheDir = own })
	other := strings.Replace(whole, "<webAction type=\"shell\"", "<webAction type=\"file\" filePath=\"notes.md\">Tea</webAction><webAction type=\"shell\"", 1)
	mustScore(t, p, vitrine.Output{ID: "a", Text: other}, t.TempDir())
	s := mustScore(t, p, vitrine.Output{ID: "b", Text: whole}, dir)
	ev, err := evidence.Load(dir)
	must(t, err)
	if !s.Sample.Cached.Capture || ev.Site.Kind != vitrine.KindProject || ev.Site.Builder != "exact" || len(ev.Site.Steps) != 3 || ev.Hint.Ran {
		t.Errorf("cached %+v, site %+v, hint %+v", s.Sample.Cached, ev.Site, ev.Hint)
	}
}

func TestOtherSettingsAreLookedAtAnew(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	o := vitrine.Output{ID: "a", Text: goodPage}
	mustScore(t, pipe(t, func(s *Settings) { s.CacheDir = own }), o, t.TempDir())
	for name, change := range map[string]func(*vitrine.CaptureSettings){
		"another window": func(c *vitrine.CaptureSettings) { c.Viewports = []vitrine.Viewport{vitrine.Mobile} },
		"other times":    func(c *vitrine.CaptureSettings) { c.TimesMS = []int{500} },
		"another height": func(c *vitrine.CaptureSettings) { c.MaxHeight = 2000 },
	} {
		s := mustScore(t, pipe(t, func(s *Settings) { s.CacheDir = own; change(&s.Capture) }), o, t.TempDir())
		if s.Sample.Cached.Capture {
			t.Errorf("%s: answered from the cache", name)
		}
	}
}

func TestJudgeGivesTheSameAgain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"looks", "webgen-r1", "aescoder", "relook"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recipe(t, name)
			p := pipe(t, func(s *Settings) { s.Recipe = r })
			all := outputs()
			delete(all, "")
			all[vitrine.OutcomeBuildFailed] = append(all[vitrine.OutcomeBuildFailed], vitrine.Output{ID: "hint", Text: badPage})
			all[vitrine.OutcomeRendered] = append(all[vitrine.OutcomeRendered],
				vitrine.Output{ID: "long", Text: goodPage, Model: "m", GroupID: "g", Meta: map[string]json.RawMessage{"completion_tokens": []byte("13500")}})
			for _, outputs := range all {
				for _, o := range outputs {
					dir := t.TempDir()
					first := mustScore(t, p, o, dir)
					before := folder(t, dir)
					must(t, os.Remove(filepath.Join(dir, "judgement.json")))
					again, err := Judge(t.Context(), dir, Settings{Recipe: r})
					must(t, err)
					if diff := cmp.Diff(before, folder(t, dir)); diff != "" {
						t.Errorf("%s: the folder changed (-scored +judged):\n%s", o.ID, diff)
					}
					ignore := cmpopts.IgnoreFields(vitrine.Sample{}, "TimingMS", "Cached")
					if diff := cmp.Diff(first.Sample, again.Sample, ignore); diff != "" {
						t.Errorf("%s: (-scored +judged):\n%s", o.ID, diff)
					}
				}
			}
		})
	}
}

func TestJudgeByAnotherRecipe(t *testing.T) {
	t.Parallel()
	p := pipe(t, nil)
	for _, o := range []vitrine.Output{{ID: "page", Text: goodPage}, {ID: "talk", Text: "1 + 1 = 2"}, {ID: "hint", Text: badPage}, {ID: "broken", Text: broken}} {
		dir := t.TempDir()
		mustScore(t, p, o, dir)
		for _, name := range []string{"webgen-r1", "aescoder", "relook"} {
			r := recipe(t, name)
			want := mustScore(t, pipe(t, func(s *Settings) { s.Recipe = r }), o, t.TempDir())
			got, err := Judge(t.Context(), dir, Settings{Recipe: r})
			must(t, err)
			if *got.Sample.Reward != *want.Sample.Reward || !cmp.Equal(got.Sample.Parts, want.Sample.Parts) {
				t.Errorf("%s by %s: judged %v %v, scored %v %v", o.ID, name, *got.Sample.Reward, got.Sample.Parts, *want.Sample.Reward, want.Sample.Parts)
			}
		}
	}
}

// What was stopped at a gate was never seen: another recipe cannot judge it, and
// must not call it bad.
func TestWhatWasNeverSeenIsNotJudgedByAnotherRecipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustScore(t, pipe(t, func(s *Settings) { s.Recipe = recipe(t, "aescoder") }), vitrine.Output{ID: "a", Text: badPage}, dir)
	before := folder(t, dir)
	_, err := Judge(t.Context(), dir, Settings{Recipe: recipe(t, "looks")})
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "never built or captured") || !strings.Contains(f.Fix, "--recipe looks") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(before, folder(t, dir)); diff != "" {
		t.Errorf("the folder changed:\n%s", diff)
	}
}

func TestJudgeNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	mustScore(t, pipe(t, nil), vitrine.Output{ID: "a", Text: goodPage}, whole)
	for _, file := range []string{"manifest.json", "dom.json", "artifact.json", "output.json", "output.txt"} {
		dir := t.TempDir()
		must(t, disk.LinkTree(whole, dir))
		must(t, os.Remove(filepath.Join(dir, file)))
		_, err := Judge(t.Context(), dir, Settings{Recipe: recipe(t, "relook")})
		if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Error(), file) {
			t.Errorf("without %s: got %v", file, err)
		}
	}
}
