package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"vitrine"
)

// WritePage writes the page of one sample that is part of no run into its evidence
// folder: report.html, and the folder report next to it.
func WritePage(dir string, s vitrine.Sample) error {
	r := &run{dir: dir, samples: []vitrine.Sample{s}}
	p := r.samplePage(0, gather(kept{dir: dir, rel: ".", up: "."}))
	p.Assets, p.Position, p.Total, p.Reward = reportFolder, 0, 0, nil
	err := os.MkdirAll(filepath.Join(dir, reportFolder), 0o755)
	return unwritable(errors.Join(err, copyAssets(filepath.Join(dir, reportFolder)), create(filepath.Join(dir, pageFile), func(w io.Writer) error {
		return templates.ExecuteTemplate(w, "sample.html", p)
	})))
}
