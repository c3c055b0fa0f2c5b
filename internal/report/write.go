package report

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/runs"
)

//go:embed assets/report.css assets/gallery.js assets/sample.js
var assets embed.FS

//go:embed templates/*.html
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.html"))

const (
	pageFile      = "report.html" // in the run folder
	reportFolder  = "report"      // in the run folder
	samplesFolder = "s"           // in the report folder, with one page a sample
	indexFile     = "index.js"    // in the report folder
)

// Write renders the report into the run folder: report.html and the folder report. An
// older report is replaced only when the new one is complete. Where evidence was removed,
// the page says so.
func Write(runDir string) error {
	h, samples, err := runs.Read(runDir)
	if err != nil {
		return err
	}
	samples = runs.Newest(samples)
	tmp, err := os.MkdirTemp(runDir, ".report-")
	if err != nil {
		return unwritable(err)
	}
	defer os.RemoveAll(tmp)
	r := &run{dir: runDir, header: h, samples: samples, recipe: readRecipe(h.RecipeSpec)}
	if err := r.writeFolder(tmp); err != nil {
		return unwritable(err)
	}
	return unwritable(r.publish(tmp))
}

// Style is the style sheet of the report, for pages of other packages that look like it.
func Style() template.CSS {
	b, _ := assets.ReadFile("assets/report.css") // embedded: it is there
	return template.CSS(b)
}

// unwritable returns an error of writing the report as a fault; nil stays nil.
func unwritable(err error) error {
	if err == nil {
		return nil
	}
	code := vitrine.FaultInternal
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		code = vitrine.FaultDiskFull
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		code = vitrine.FaultUnwritable
	}
	return vitrine.NewFault("report", code, err, "the report could not be written")
}

// A run is the data of a report.
type run struct {
	dir     string
	header  runs.Header
	samples []vitrine.Sample
	recipe  recipe
}

// name is the name of the run on the pages: that of its folder.
func (r *run) name() string {
	if abs, err := filepath.Abs(r.dir); err == nil {
		return filepath.Base(abs)
	}
	return filepath.Base(r.dir)
}

func (r *run) writeFolder(dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, samplesFolder), 0o755); err != nil {
		return err
	}
	if err := copyAssets(dir); err != nil {
		return err
	}
	rows := make([]row, len(r.samples))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range r.samples {
		group.Go(func() (err error) {
			rows[i], err = r.writeSample(filepath.Join(dir, samplesFolder), i)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return create(filepath.Join(dir, indexFile), func(w io.Writer) error { return writeIndex(w, r, rows) })
}

// writeSample writes the page of one sample and returns its row in the gallery.
func (r *run) writeSample(dir string, i int) (row, error) {
	k := load(r.dir, &r.samples[i])
	page := r.samplePage(i, k)
	err := create(filepath.Join(dir, pageName(r.samples[i].ID)), func(w io.Writer) error {
		return templates.ExecuteTemplate(w, "sample.html", page)
	})
	if err != nil {
		return row{}, fmt.Errorf("page of %s: %w", r.samples[i].ID, err)
	}
	return newRow(&r.samples[i], k), nil
}

// publish moves the finished folder into place, and then report.html, which links to it.
func (r *run) publish(tmp string) error {
	page := filepath.Join(tmp, pageFile)
	err := create(page, func(w io.Writer) error { return templates.ExecuteTemplate(w, "report.html", r.overview()) })
	if err != nil {
		return err
	}
	final := filepath.Join(r.dir, reportFolder)
	if err := os.RemoveAll(final); err != nil {
		return err
	}
	if err := os.Rename(tmp, final); err != nil {
		return err
	}
	return os.Rename(filepath.Join(final, pageFile), filepath.Join(r.dir, pageFile))
}

func copyAssets(dir string) error {
	files, err := assets.ReadDir("assets")
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := assets.ReadFile("assets/" + f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// create creates a file whose content fill writes.
func create(name string, fill func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

// pageName is the file of a sample's page.
func pageName(id string) string { return runs.FolderName(id) + ".html" }
