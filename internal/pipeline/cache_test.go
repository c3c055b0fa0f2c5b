package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/evidence"
)

// Rollouts of one prompt are often the same: however many are in work at once, one
// is built and looked at.
func TestIdenticalOutputsAreWorkedForOnce(t *testing.T) {
	t.Parallel()
	const n = 6
	for name, text := range map[string]string{"page": goodPage, "project": whole} {
		own := t.TempDir()
		p := pipe(t, func(s *Settings) { s.CacheDir, s.Concurrency = own, n })
		all, dirs := make([]*Scored, n), make([]string, n)
		var working sync.WaitGroup
		for i := range n {
			dirs[i] = filepath.Join(t.TempDir(), "evidence")
			working.Go(func() {
				o := vitrine.Output{ID: fmt.Sprint(i), Text: text, Instruction: fmt.Sprint("asked ", i)}
				var err error
				if all[i], err = p.Score(context.Background(), o, dirs[i]); err != nil {
					t.Error(err)
				}
			})
		}
		working.Wait()
		worked, built := 0, 0
		for i, s := range all {
			if !s.Sample.Cached.Capture {
				worked++
			}
			if !s.Sample.Cached.Build {
				built++
			}
			ev, err := evidence.Load(dirs[i])
			must(t, err)
			if want := fmt.Sprint("asked ", i); ev.Instruction != want {
				t.Errorf("%s %d: evidence of %q", name, i, ev.Instruction)
			}
			if diff := cmp.Diff(frames(t, dirs[0]), frames(t, dirs[i])); diff != "" || len(frames(t, dirs[i])) == 0 {
				t.Errorf("%s %d: frames differ: %s", name, i, diff)
			}
		}
		if worked != 1 || name == "project" && built != 1 {
			t.Errorf("%s: %d of %d looked and %d built, want 1", name, worked, n, built)
		}
	}
}

// frames hashes the frames of an evidence folder by their names.
func frames(t testing.TB, dir string) map[string]string {
	t.Helper()
	hashes := map[string]string{}
	for name, content := range folder(t, dir) {
		if filepath.Ext(name) == ".png" {
			hashes[name] = digest.Text(content)
		}
	}
	return hashes
}

// One who works and is stopped does not take the others with him.
func TestStoppedSampleFailsNoOther(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	p := pipe(t, func(s *Settings) { s.CacheDir, s.Concurrency = own, 4 })
	o := vitrine.Output{ID: "a", Text: goodPage}
	ctx, stop := context.WithCancel(t.Context())
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	var working sync.WaitGroup
	working.Go(func() {
		if _, err := p.Score(ctx, o, dirs[0]); err == nil {
			t.Error("a stopped sample has an answer")
		}
	})
	stop()
	for _, dir := range dirs[1:] {
		working.Go(func() {
			s, err := p.Score(t.Context(), o, dir)
			if err != nil || s.Sample.Status != vitrine.SampleScored {
				t.Errorf("got %+v, %v", s, err)
			}
		})
	}
	working.Wait()
}

// Whatever vanishes from the cache under a running scoring is worked for again.
func TestPrunedResultsAreWorkedForAgain(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	p := pipe(t, func(s *Settings) { s.CacheDir = own })
	for _, o := range []vitrine.Output{{ID: "page", Text: goodPage}, {ID: "project", Text: whole}} {
		mustScore(t, p, o, t.TempDir())
		for _, stage := range []string{"capture", "build", cache.StageSites} {
			items, err := cache.Inventory(own)
			must(t, err)
			for _, it := range items {
				if it.Stage == stage {
					must(t, removeFiles(it.Path))
				}
			}
			s := mustScore(t, p, o, t.TempDir())
			if s.Sample.Outcome != vitrine.OutcomeRendered || s.Sample.Error != nil {
				t.Errorf("%s without its %s: %s %v", o.ID, stage, s.Sample.Outcome, s.Sample.Error)
			}
		}
	}
}

// removeFiles removes all but the record of an entry: the worst moment.
func removeFiles(dir string) error {
	if files := filepath.Join(dir, "files"); exists(files) {
		return os.RemoveAll(files)
	}
	return os.RemoveAll(dir)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
