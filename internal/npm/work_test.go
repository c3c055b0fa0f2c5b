package npm

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// What a killed Vitrine left in the store is swept by the next; what another still
// works in is not.
func TestSweepingWorkFolders(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	used, err := NewWork(work, "used-")
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
	for _, dir := range []string{left, used.Path} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(work)
	entries, err := os.ReadDir(work)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{filepath.Base(used.Path), "young"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("there are %v, %v, want %v", names, err, want)
	}
	used.Discard()
	if _, err := os.Stat(used.Path); err == nil {
		t.Error("a discarded folder is there")
	}
}

func TestDeepFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	deepest := ""
	for i := range 30_000 { // from the bottom: no path is long
		around := filepath.Join(dir, strconv.Itoa(i))
		err := os.Mkdir(around, 0o755)
		if err == nil && deepest != "" {
			err = os.Rename(deepest, filepath.Join(around, "b"))
		}
		if err != nil {
			t.Fatal(err)
		}
		deepest = around
	}
	if err := os.Chmod(deepest, 0); err != nil {
		t.Fatal(err)
	}
	removeAll(dir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
