package blob_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vitrine/internal/blob"
)

func TestFilesAreKeptForATimeAndUpToASize(t *testing.T) {
	f := blob.Files{Dir: t.TempDir(), Keep: time.Hour, MaxBytes: 25}
	now := time.Now()
	put := func(text string, age time.Duration) string {
		hash, err := f.Put(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(f.Dir, hash[:2], hash)
		if err := os.Chtimes(name, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	old, oldest, newer, newest := put("ten bytes.", 2*time.Hour), put("20 bytes, the oldest", 30*time.Minute), put("10 newer..", 20*time.Minute), put("10 newest.", time.Minute)
	again := put("put again.", 3*time.Hour)
	if _, err := f.Put(t.Context(), []byte("put again.")); err != nil { // its time begins anew
		t.Fatal(err)
	}
	if err := f.Prune(now); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{old: false, oldest: false, newer: false, newest: true, again: true} {
		if _, err := f.Get(t.Context(), name); (err == nil) != want || err != nil && !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%s is there: %v, want %v (%v)", name[:8], err == nil, want, err)
		}
	}
	if err := (blob.Files{Dir: filepath.Join(f.Dir, "none"), Keep: 1}).Prune(now); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}
