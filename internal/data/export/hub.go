package export

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// mostColumns bounds the fields of rows in a hub folder.
const mostColumns = 256

// The kinds of a column, of which a later one takes in what an earlier one does not.
type columnKind int

const (
	unknown columnKind = iota // null in every row
	boolean
	integer
	number
	text
	anything // objects, lists, or several of the others: JSON in a text
)

func kindOf(v json.RawMessage) columnKind {
	switch v[0] {
	case 'n':
		return unknown
	case 't', 'f':
		return boolean
	case '"':
		return text
	case '{', '[':
		return anything
	}
	var i int64
	switch {
	case json.Unmarshal(v, &i) == nil:
		return integer
	case !bytes.ContainsAny(v, ".eE"):
		return anything // a whole number that a column of numbers would round
	}
	return number
}

// with is the kind of a column that holds both.
func (k columnKind) with(o columnKind) columnKind {
	switch {
	case k == o || o == unknown:
		return k
	case k == unknown:
		return o
	case min(k, o) == integer && max(k, o) == number:
		return number
	}
	return anything
}

func (k columnKind) node() parquet.Node {
	switch k {
	case boolean:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case integer:
		return parquet.Optional(parquet.Leaf(parquet.Int64Type))
	case number:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	}
	return parquet.Optional(parquet.String())
}

// value is a value as the column has it; null is the zero value.
func (k columnKind) value(v json.RawMessage) (parquet.Value, error) {
	if len(v) == 0 || v[0] == 'n' {
		return parquet.Value{}, nil
	}
	switch k {
	case boolean:
		return parquet.BooleanValue(v[0] == 't'), nil
	case integer:
		var i int64
		err := json.Unmarshal(v, &i)
		return parquet.Int64Value(i), err
	case number:
		var f float64
		if json.Unmarshal(v, &f) != nil || math.IsInf(f, 0) {
			return parquet.Value{}, nil // beyond what a number can be
		}
		return parquet.DoubleValue(f), nil
	case text:
		var t string
		err := json.Unmarshal(v, &t)
		return parquet.ByteArrayValue([]byte(t)), err
	}
	var b bytes.Buffer
	err := json.Compact(&b, v)
	return parquet.ByteArrayValue(b.Bytes()), err
}

// splitOf is the split that a file of rows is on the hub.
func splitOf(file string) string {
	switch name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)); name {
	case "validation", "test":
		return name
	}
	return "train"
}

// hubFile is where the hub looks for a split.
func (s *Settings) hubFile(split string) string {
	return filepath.Join(s.Out, "data", split+"-00000-of-00001.parquet")
}

// stale removes splits of an earlier export, which would else be of this data set on the hub.
func (s *Settings) stale(all []Result) error {
	for _, split := range []string{"train", "validation", "test"} {
		name := s.hubFile(split)
		if slices.ContainsFunc(all, func(r Result) bool { return r.File == name }) {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return disk.Fault(err)
		}
	}
	return nil
}

// hub writes the rows of a file with their own fields, as columns of Parquet, where the hub
// looks for a split. It reads them twice, first for what the columns are.
func (s *Settings) hub(ctx context.Context, file string) (res Result, err error) {
	res = Result{Dropped: map[string]int{}, Licences: map[string]int{}}
	kinds := map[string]columnKind{}
	err = each(ctx, file, map[string]int{}, func(r inputs.Record) error {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(r.Row, &o); err != nil {
			return err
		}
		for name, v := range o {
			kinds[name] = kinds[name].with(kindOf(v))
		}
		if len(kinds) > mostColumns {
			return refuse(fmt.Sprintf("%s has more than %d fields", file, mostColumns), "put what differs from row to row into one field, such as meta")
		}
		return nil
	})
	if err != nil {
		return res, err
	}
	names, group := slices.Sorted(maps.Keys(kinds)), parquet.Group{}
	for _, name := range names {
		group[name] = kinds[name].node()
	}
	if err := os.MkdirAll(filepath.Join(s.Out, "data"), 0o755); err != nil {
		return res, disk.Fault(err)
	}
	res.File = s.hubFile(splitOf(file))
	f, err := os.Create(res.File + ".part")
	if err != nil {
		return res, disk.Fault(err)
	}
	defer os.Remove(f.Name()) // it has its name where all went well
	defer f.Close()
	w := parquet.NewGenericWriter[any](f, parquet.NewSchema("row", group), parquet.Compression(&parquet.Snappy))
	err = each(ctx, file, res.Dropped, func(r inputs.Record) error {
		row, err := rowOf(r.Row, names, kinds)
		if err != nil {
			return err
		}
		res.Rows++
		res.stated(r.Row)
		if _, err = w.WriteRows([]parquet.Row{row}); err == nil && res.Rows%rowGroup == 0 {
			err = w.Flush()
		}
		return disk.Fault(err)
	})
	if err != nil {
		return res, err
	}
	if res.Rows == 0 && len(res.Dropped) == 0 {
		return res, nil // an empty split
	}
	if res.Rows == 0 {
		return res, refuse("no row of "+file+" can be used", "give rows that are JSON objects")
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		return res, disk.Fault(err)
	}
	return res, disk.Fault(os.Rename(f.Name(), res.File))
}

// rowOf is a row by its columns, which are in the order of their names.
func rowOf(raw json.RawMessage, names []string, kinds map[string]columnKind) (row parquet.Row, err error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, err
	}
	for i, name := range names {
		v, err := kinds[name].value(o[name])
		if err != nil {
			return nil, err
		}
		level := 1
		if v.IsNull() {
			level = 0
		}
		row = append(row, v.Level(0, level, i))
	}
	return row, nil
}
