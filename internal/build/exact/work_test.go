package exact

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What a killed Vitrine left in the store is swept by the next; what another still
// works in is not.
func TestSweepingWorkFolders(t *testing.T) {
	t.Parallel()
	p := builder(t, func(s *Settings) { s.Store = t.TempDir() })
	work := filepath.Join(p.settings.Store, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	used, err := p.newWork("used-")
	if err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(work, "left")
	for _, dir := range []string{left, filepath.Join(left, "locked"), filepath.Join(work, "young")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(left, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, dir := range []string{left, used.path} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	sweep(work)
	entries, err := os.ReadDir(work)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{filepath.Base(used.path), "young"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("there are %v, %v, want %v", names, err, want)
	}
	used.discard()
	if _, err := os.Stat(used.path); err == nil {
		t.Error("a discarded folder is there")
	}
}
