package pipeline

import (
	"path/filepath"
	"sync"
	"testing"

	"vitrine"
)

// unreadable is a project that fails before anything is installed; its key is whole.
var unreadable = &vitrine.Artifact{Kind: vitrine.KindProject, Files: []vitrine.File{{Path: "package.json", Content: "{"}}}

// Rewards of one output by several recipes at once rest on one build and one capture.
func TestSeveralRecipesBuildOneProjectOnce(t *testing.T) {
	t.Parallel()
	names := []string{"looks", "aescoder", "relook"}
	first := pipe(t, func(s *Settings) { s.CacheDir, s.Concurrency = t.TempDir(), len(names) })
	all := make([]*Scored, len(names))
	var working sync.WaitGroup
	for i, name := range names {
		p, dir := first.WithRecipe(recipe(t, name)), filepath.Join(t.TempDir(), "evidence")
		working.Go(func() {
			var err error
			if all[i], err = p.Score(t.Context(), vitrine.Output{ID: name, Text: whole}, dir); err != nil {
				t.Error(err)
			}
		})
	}
	working.Wait()
	built, captured := 0, 0
	for i, s := range all {
		if s.Sample.Outcome != vitrine.OutcomeRendered && s.Sample.Error == nil {
			t.Errorf("%s: %s, %s", names[i], s.Sample.Outcome, s.Sample.Why)
		}
		if !s.Sample.Cached.Build {
			built++
		}
		if !s.Sample.Cached.Capture {
			captured++
		}
	}
	if built != 1 || captured != 1 {
		t.Errorf("%d recipes built %d times and captured %d times, want once each", len(names), built, captured)
	}
}

// Whether a broken module fails a build is the recipe's to say, whichever recipe the
// pipeline was made with.
func TestEachRecipeSaysHowStrictlyToBuild(t *testing.T) {
	t.Parallel()
	recipes := map[bool]string{false: "looks", true: "webgen-r1"} // by whether they are lenient
	for _, first := range []bool{false, true} {
		p := pipe(t, func(s *Settings) { s.Recipe = recipe(t, recipes[first]) })
		for want, name := range recipes {
			r, err := p.WithRecipe(recipe(t, name)).build(t.Context(), unreadable)
			must(t, err)
			if got := r.Key.Parts["lenient"]; got != want {
				t.Errorf("made with %s: %s builds leniently: %v, want %v", recipes[first], name, got, want)
			}
		}
	}
}
