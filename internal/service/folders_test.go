package service

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFoldersOfEarlierVersionsAreFound(t *testing.T) {
	state := t.TempDir()
	if left := leftFolders(state); left != nil {
		t.Errorf("in an empty folder: %q", left)
	}
	for _, name := range []string{"jobs/a", "sessions", "queue/b"} {
		if err := os.MkdirAll(filepath.Join(state, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if left, want := leftFolders(state), []string{filepath.Join(state, "jobs")}; !slices.Equal(left, want) {
		t.Errorf("found %q, want %q", left, want)
	}
}
