package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"vitrine"
	"vitrine/internal/data/table"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// Settings of an export.
type Settings struct {
	Files   []string // of rows; each makes one file of its name
	As      string   // of [Shapes]
	Out     string   // folder
	Parquet bool
	Card    string // text of README.md; empty: none
}

// A Result is one file that was written.
type Result struct {
	File    string         `json:"file"`
	Rows    int            `json:"rows"`
	Dropped map[string]int `json:"dropped,omitempty"` // by reason
}

// Run writes each file of rows in a shape. Rows that the shape cannot be made of are
// counted by reason; a file of which no row is left is a fault.
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
		all = append(all, r)
	}
	if s.Card != "" {
		return all, disk.Fault(disk.WriteFile(filepath.Join(s.Out, "README.md"), []byte(s.Card), 0o644))
	}
	return all, nil
}

func (s *Settings) one(ctx context.Context, file string) (Result, error) {
	switch s.As {
	case "dpo", "rm":
		return writeRows(ctx, s, file, preference)
	case "grpo":
		return writeRows(ctx, s, file, ask)
	case "sharegpt":
		return writeRows(ctx, s, file, share)
	}
	return writeRows(ctx, s, file, talk)
}

// sink takes rows of a shape.
type sink[T any] struct {
	write  func(T) error
	commit func() error
	drop   func()
}

func writeRows[T any](ctx context.Context, s *Settings, file string, shape func(inputs.Record) (T, error)) (res Result, err error) {
	res = Result{Dropped: map[string]int{}}
	records, err := inputs.OpenRecords([]string{file}, inputs.Settings{})
	if err != nil {
		return res, err
	}
	defer records.Close()
	name := filepath.Join(s.Out, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	open := lines[T]
	if res.File = name + ".jsonl"; s.Parquet {
		res.File, open = name+".parquet", columns[T]
	}
	to, err := open(res.File)
	if err != nil {
		return res, err
	}
	defer to.drop()
	for r, err := range records.All() {
		var bad *inputs.RowError
		switch {
		case ctx.Err() != nil:
			return res, ctx.Err()
		case errors.As(err, &bad):
			res.Dropped["unusable row"]++
			continue
		case err != nil:
			return res, err
		}
		row, err := shape(r)
		if err != nil {
			res.Dropped[err.Error()]++
			continue
		}
		if err := to.write(row); err != nil {
			return res, err
		}
		res.Rows++
	}
	if res.Rows == 0 {
		return res, refuse(fmt.Sprintf("no row of %s makes a row of %s: %v", file, s.As, res.Dropped), "choose another --as, or make what it needs by vitrine data run")
	}
	return res, to.commit()
}

// lines writes JSON.
func lines[T any](name string) (sink[T], error) {
	f, err := table.Create(name)
	if err != nil {
		return sink[T]{}, err
	}
	return sink[T]{write: func(v T) error { return f.Writers[0].Write(v) }, commit: f.Commit, drop: f.Discard}, nil
}

// rowGroup is how many rows are held in memory before they are written.
const rowGroup = 1000

// columns writes Parquet.
func columns[T any](name string) (sink[T], error) {
	f, err := os.Create(name + ".part")
	if err != nil {
		return sink[T]{}, disk.Fault(err)
	}
	w, n := parquet.NewGenericWriter[T](f, parquet.Compression(&parquet.Snappy)), 0
	return sink[T]{
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
