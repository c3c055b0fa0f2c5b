// Package describe says what a data set is: of a folder that vitrine data run, dedup or
// decontaminate wrote, or of files of rows, it gives counts by step, what was dropped and
// why with examples, how the fields are distributed, how alike near duplicates are, and
// what models cost.
//
//	describe.go  the description and how it is made
//	steps.go     what each step dropped, with the rows' texts
//	fields.go    how the values of each field are distributed
//	map.go       rows as points, those near to each other that are alike
//	picture.go   thumbnails of rows that have pictures
//	text.go      a description for a terminal
//	page.go      a description as one HTML page that loads nothing
package describe

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/data/dedup"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/pictures"
	"vitrine/internal/inputs"
)

// Settings of a description.
type Settings struct {
	Path     string // folder of a run, of dedup or decontaminate, or a file of rows
	Examples int    // of rows that were dropped, for each reason of each step
	// Near searches the rows that are left for near duplicates once more, at the paper's
	// thresholds.
	Near bool
	// Pictures is how many rows are shown by their pictures, at most; of samples those
	// that the run folders of vitrine score in Runs have of the same id.
	Pictures int
	Runs     []string
	// Map is the field by whose values a map of the rows is coloured; empty: there is no map.
	// It needs the default table of Embedders, a folder of tables of vectors.
	Map, Embedders string
	Say            func(format string, args ...any)
}

// A Description is what a data set is.
type Description struct {
	Folder   string `json:"folder"`
	Pipeline string `json:"pipeline,omitempty"`
	About    string `json:"about,omitempty"`
	Limit    int    `json:"limit,omitempty"` // rows that were read, at most; 0: all
	Steps    []Step `json:"steps"`
	Files    []File `json:"files"`
	// Cost is what models took in all steps, by the names of the figures, such as calls;
	// null where no step asked one.
	Cost   map[string]float64 `json:"cost"`
	Thumbs []Thumb            `json:"-"`
	Map    *Map               `json:"-"` // nil unless asked for, and where no row has a text
	// Unpictured is how many rows have a picture and are not shown.
	Unpictured int `json:"-"`
}

// A File is one file of the rows that are left.
type File struct {
	Name     string  `json:"name"`
	Rows     int     `json:"rows"`
	Unusable int     `json:"unusable"` // rows that are no JSON objects
	Repaired int     `json:"repaired"` // rows with bytes that are no UTF-8
	Fields   []Field `json:"fields"`
	Ignored  int     `json:"ignored_values,omitempty"` // of fields beyond the first 64
	// Near are the near duplicates that are still among the rows; null unless asked for.
	Near *Near `json:"near"`
}

// Near are the near duplicates among rows.
type Near struct {
	Dropped  int             `json:"near_duplicates"` // would go, at the paper's thresholds
	Review   int             `json:"review"`          // would be for a person
	Reasons  map[string]int  `json:"reasons"`
	Examples []dedup.Verdict `json:"examples"`
}

// Run describes a data set. Nothing is written.
func Run(ctx context.Context, s Settings) (*Description, error) {
	if s.Say == nil {
		s.Say = func(string, ...any) {}
	}
	d := &Description{Folder: s.Path, Steps: []Step{}, Files: []File{}}
	files, err := s.open(ctx, d)
	if err != nil {
		return nil, err
	}
	found, err := pictures.Open(s.Path, s.Runs)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	shown := &gallery{most: s.Pictures, of: found}
	drawn := &reservoir{field: s.Map, random: rand.New(rand.NewPCG(mapSeed, 0))}
	var vectors *embed.Table
	if s.Map != "" { // fails before the rows are read if the table is missing
		if vectors, err = embed.Open(embed.Default(s.Embedders)); err != nil {
			return nil, err
		}
	}
	for _, name := range files {
		f, err := readFile(ctx, name, shown, drawn)
		if err != nil {
			return nil, err
		}
		if s.Near && f.Rows == 0 {
			f.Near = &Near{Reasons: map[string]int{}, Examples: []dedup.Verdict{}}
		} else if s.Near {
			s.Say("near duplicates of %s …", filepath.Base(name))
			if f.Near, err = left(ctx, name, s.Examples); err != nil {
				return nil, err
			}
		}
		d.Files = append(d.Files, f)
	}
	d.Thumbs, d.Unpictured = shown.thumbs, shown.more
	d.Map, err = drawn.draw(ctx, vectors)
	return d, err
}

// open finds what a path is: a run, what dedup wrote, or a file of rows.
func (s *Settings) open(ctx context.Context, d *Description) (files []string, err error) {
	info, err := os.Stat(s.Path)
	if err != nil {
		return nil, vitrine.NewFault("data", vitrine.FaultUsage, nil, "cannot read "+s.Path).WithFix("name a folder that vitrine data run, dedup or decontaminate wrote, or a file of rows")
	}
	if !info.IsDir() {
		d.Folder = filepath.Dir(s.Path)
		return []string{s.Path}, nil
	}
	if sum, err := flow.Open(s.Path); err == nil {
		for _, f := range sum.Results {
			files = append(files, filepath.Join(s.Path, f.Name))
		}
		return files, s.ofRun(ctx, d, sum)
	}
	kept := filepath.Join(s.Path, dedup.KeptFile)
	if _, err := os.Stat(kept); err != nil {
		return nil, flow.NotFinished(s.Path)
	}
	step, err := s.ofDedup(ctx)
	d.Steps = append(d.Steps, step)
	return []string{kept}, err
}

// left searches rows for near duplicates that are still there.
func left(ctx context.Context, name string, examples int) (*Near, error) {
	dir, err := os.MkdirTemp("", "vitrine-near-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	sum, err := dedup.Run(ctx, dedup.Settings{Files: []string{name}, Out: dir, Thresholds: dedup.Defaults})
	if err != nil {
		return nil, err
	}
	n := &Near{Dropped: sum.Dropped, Review: sum.Review, Reasons: sum.Reasons, Examples: []dedup.Verdict{}}
	err = eachLine(filepath.Join(dir, dedup.DroppedFile), func(v Dropped) error {
		if len(n.Examples) < examples {
			n.Examples = append(n.Examples, dedup.Verdict{ID: v.ID, DuplicateOf: v.DuplicateOf, Reason: v.Reason, Similarity: *v.Similarity})
		}
		return nil
	})
	return n, err
}

// readFile reads the rows of a file.
func readFile(ctx context.Context, name string, shown *gallery, drawn *reservoir) (File, error) {
	f := File{Name: filepath.Base(name), Fields: []Field{}}
	records, err := inputs.OpenRecords([]string{name}, inputs.Settings{})
	if err != nil {
		return f, err
	}
	defer records.Close()
	all := newFields()
	for r, err := range records.All() {
		var bad *inputs.RowError
		switch {
		case ctx.Err() != nil:
			return f, ctx.Err()
		case errors.As(err, &bad):
			f.Unusable++
			continue
		case err != nil:
			return f, err
		}
		f.Rows++
		if r.Repaired {
			f.Repaired++
		}
		all.add(r.Row)
		shown.add(r)
		drawn.add(r)
	}
	f.Fields, f.Ignored = all.fields(f.Rows), all.ignored
	return f, nil
}

// damaged is the fault of a file that a step wrote and that is not as it wrote it.
func damaged(name string) error {
	return vitrine.NewFault("data", vitrine.FaultUsage, nil, name+" is damaged").WithFix("run the step again: remove its folder, then run the same command")
}
