package evidence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/disk"
)

// traceFile is what happened when the site was exercised; its frames are in trace/.
const traceFile = "trace.json"

// SaveTrace writes the trace of an evidence folder; without one it removes what was
// there.
func SaveTrace(dir string, t *vitrine.Trace) error {
	if t == nil {
		if err := os.Remove(filepath.Join(dir, traceFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return disk.Fault(err)
		}
		return nil
	}
	return disk.WriteJSON(filepath.Join(dir, traceFile), t)
}

// LoadTrace reads the trace of an evidence folder, nil if the site was not exercised.
func LoadTrace(dir string) (*vitrine.Trace, error) {
	if _, err := os.Stat(filepath.Join(dir, traceFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var t vitrine.Trace
	if err := disk.ReadJSON(filepath.Join(dir, traceFile), &t); err != nil {
		return nil, notEvidence(dir, err)
	}
	if t.Schema > vitrine.TraceSchema {
		return nil, vitrine.NewFault("store", vitrine.FaultUsage, nil, fmt.Sprintf("the trace in %s has schema %d; this Vitrine reads up to %d", dir, t.Schema, vitrine.TraceSchema)).WithFix("use a newer Vitrine")
	}
	return &t, nil
}
