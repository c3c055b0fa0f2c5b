package export

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"vitrine"
	"vitrine/internal/data/pictures"
	"vitrine/internal/data/table"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// Settings of an export.
type Settings struct {
	Files   []string // of rows; each makes one file of its name
	As      string   // of [Shapes]
	Out     string   // folder
	Parquet bool     // in place of JSON lines; of hf always, of webdataset never
	// Card is what is known of how the rows were made, for README.md; empty: of which
	// files they are.
	Card string
	// Pictures of rows go into a webdataset; nil: it has none. Rows without one are left out.
	Pictures *pictures.Pictures
}

// A Result is one file that was written.
type Result struct {
	File     string         `json:"file"` // of a webdataset the first of its archives
	Rows     int            `json:"rows"`
	Dropped  map[string]int `json:"dropped,omitempty"`  // by reason
	Licences map[string]int `json:"licences,omitempty"` // of rows, by their field license, licence or meta.license
	more     []string       // further archives
}

// Run writes each file of rows in a shape, and a data card. Rows that the shape cannot be
// made of are counted by reason; a file of which no row is left is a fault, and an empty one is passed
// over.
func Run(ctx context.Context, s Settings) ([]Result, error) {
	if !slices.Contains(Shapes, s.As) {
		return nil, refuse(fmt.Sprintf("--as: %q is no shape", s.As), "choose of "+strings.Join(Shapes, ", "))
	}
	if err := os.MkdirAll(s.Out, 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	var all []Result
	for _, file := range s.Files {
		r, err := s.one(ctx, file)
		if err != nil {
			return nil, err
		}
		if r.Rows > 0 {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return nil, refuse("there are no rows", "name a folder or file that has some")
	}
	if s.As == "hf" {
		if err := s.stale(all); err != nil {
			return nil, err
		}
	}
	return all, errors.Join(s.factory(all), s.card(all))
}

func (s *Settings) one(ctx context.Context, file string) (Result, error) {
	switch s.As {
	case "dpo", "rm":
		return writeRows(ctx, s, file, preference, form[Preference](s))
	case "grpo":
		return writeRows(ctx, s, file, asking(), form[Ask](s))
	case "sharegpt":
		return writeRows(ctx, s, file, share, form[Share](s))
	case "sharegpt-dpo":
		return writeRows(ctx, s, file, ranked, form[Ranked](s))
	case "webdataset":
		return writeRows(ctx, s, file, s.packed, archives)
	case "hf":
		return s.hub(ctx, file)
	}
	return writeRows(ctx, s, file, talk, form[Talk](s))
}

// sink takes rows of a shape.
type sink[T any] struct {
	files  func() []string // that are written
	write  func(T) error
	commit func() error
	drop   func()
}

// form is how rows are written, to a file of a name without its ending.
func form[T any](s *Settings) func(name string) (sink[T], error) {
	if s.Parquet {
		return columns[T]
	}
	return lines[T]
}

func writeRows[T any](ctx context.Context, s *Settings, file string, shape func(inputs.Record) (T, error), open func(string) (sink[T], error)) (res Result, err error) {
	to, err := open(filepath.Join(s.Out, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))))
	if err != nil {
		return res, err
	}
	defer to.drop()
	res = Result{Dropped: map[string]int{}, Licences: map[string]int{}}
	err = each(ctx, file, res.Dropped, func(r inputs.Record) error {
		row, err := shape(r)
		if err != nil {
			res.Dropped[err.Error()]++
			return nil
		}
		res.Rows++
		res.stated(r.Row)
		return to.write(row)
	})
	if err != nil {
		return res, err
	}
	if res.Rows == 0 && len(res.Dropped) == 0 {
		return res, nil // an empty split
	}
	if res.Rows == 0 {
		return res, refuse(fmt.Sprintf("no row of %s makes a row of %s: %s", file, s.As, why(res.Dropped)), "choose another --as, or make what it needs by vitrine data run")
	}
	files := to.files()
	res.File, res.more = files[0], files[1:]
	return res, to.commit()
}

// each reads the rows of a file. Those that cannot be used are counted.
func each(ctx context.Context, file string, dropped map[string]int, take func(inputs.Record) error) error {
	records, err := inputs.OpenRecords([]string{file}, inputs.Settings{})
	if err != nil {
		return err
	}
	defer records.Close()
	for r, err := range records.All() {
		var bad *inputs.RowError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &bad):
			dropped["unusable row"]++
			continue
		case err == nil:
			err = take(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lines writes JSON.
func lines[T any](name string) (sink[T], error) {
	name += ".jsonl"
	f, err := table.Create(name)
	if err != nil {
		return sink[T]{}, err
	}
	return sink[T]{
		files: func() []string { return []string{name} },
		write: func(v T) error { return f.Writers[0].Write(v) }, commit: f.Commit, drop: f.Discard,
	}, nil
}

// rowGroup is how many rows are held in memory before they are written.
const rowGroup = 1000

// columns writes Parquet.
func columns[T any](name string) (sink[T], error) {
	name += ".parquet"
	f, err := os.Create(name + ".part")
	if err != nil {
		return sink[T]{}, disk.Fault(err)
	}
	w, n := parquet.NewGenericWriter[T](f, parquet.Compression(&parquet.Snappy)), 0
	return sink[T]{
		files: func() []string { return []string{name} },
		write: func(v T) error {
			_, err := w.Write([]T{v})
			if n++; err == nil && n%rowGroup == 0 {
				err = w.Flush()
			}
			return disk.Fault(err)
		},
		commit: func() error {
			if err := errors.Join(w.Close(), f.Close()); err != nil {
				return disk.Fault(err)
			}
			return disk.Fault(os.Rename(f.Name(), name))
		},
		drop: func() {
			_ = f.Close()
			_ = os.Remove(f.Name()) // it has its name where all went well
		},
	}, nil
}

func refuse(message, fix string) *vitrine.Fault {
	return vitrine.NewFault("data", vitrine.FaultUsage, nil, message).WithFix(fix)
}

// why are reasons with their numbers, as a sentence has them.
func why(dropped map[string]int) string {
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(dropped)) {
		all = append(all, fmt.Sprintf("%s (%d)", reason, dropped[reason]))
	}
	return strings.Join(all, ", ")
}
