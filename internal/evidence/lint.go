package evidence

import (
	"errors"
	"io/fs"
	"path/filepath"

	"vitrine"
	"vitrine/internal/disk"
)

// lintFile is what a linter finds in the project that the site was built from.
const lintFile = "lint.json"

// SaveLint saves the finding of a linter with the evidence.
func SaveLint(dir string, f vitrine.Finding) error {
	return disk.WriteJSON(filepath.Join(dir, lintFile), f)
}

// LoadLint reads what SaveLint saved; nil if the project was not linted.
func LoadLint(dir string) (*vitrine.Finding, error) {
	var f vitrine.Finding
	err := disk.ReadJSON(filepath.Join(dir, lintFile), &f)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, notEvidence(dir, err)
	}
	return &f, nil
}
