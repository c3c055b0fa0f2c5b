package disk

import (
	"errors"
	"fmt"
	"io/fs"
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
