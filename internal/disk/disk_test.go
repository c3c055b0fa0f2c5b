package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"vitrine"
)

func TestClassifyLeavesOtherErrorsAlone(t *testing.T) {
	t.Parallel()
	if Classify(nil) != nil {
		t.Error("nil became an error")
	}
	if other := errors.New("other"); Classify(other) != other {
		t.Error("another error was changed")
	}
	wrapped := fmt.Errorf("frame: %w", fs.ErrPermission)
	if f := vitrine.AsFault("x", Classify(wrapped)); f.Code != vitrine.FaultUnwritable || f.Fix == "" {
		t.Errorf("wrapped: got %v (code %s, fix %q)", f, f.Code, f.Fix)
	}
	fault := vitrine.NewFault("capture", vitrine.FaultNoBrowser, fs.ErrPermission, "m")
	if Classify(fault) != error(fault) {
		t.Error("a fault was typed again")
	}
}

func TestWriteFileTakesThePlaceOfTheOldOneAndLeavesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	for _, content := range []string{"old", "new"} {
		if err := WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	info, statErr := os.Stat(name)
	if err != nil || statErr != nil || string(b) != "new" || info.Mode() != 0o600 {
		t.Errorf("got %q with %v, %v, %v", b, info, err, statErr)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder"), nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}
