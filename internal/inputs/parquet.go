package inputs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/parquet-go/parquet-go"
)

// parquetBatch is how many rows are read at once.
const parquetBatch = 16

// parquetRows gives the rows of a Parquet file. The library trusts what the file says
// of itself, so that a file which lies may make it panic: that is damage too.
func parquetRows(u *unpacked, at Position) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		kept, size, err := spool(u)
		if err != nil {
			yield(row{at: at}, err)
			return
		}
		defer kept.Close()
		t, err := openParquet(kept, size)
		if err != nil {
			yield(row{at: at}, err)
			return
		}
		for {
			batch, err := t.next()
			for _, v := range batch {
				at.Row++
				value, failed := t.object(v)
				if failed != nil {
					failed = &RowError{Position: at, Found: failed.Error(), Wanted: "columns of text and numbers"}
				}
				if !yield(row{at: at, value: value}, failed) {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(row{at: at}, err)
				return
			}
		}
	}
}

// A parquetTable reads row groups one after the other.
type parquetTable struct {
	groups  []parquet.RowGroup
	columns []string
	reader  *parquet.GenericReader[any]
	rows    [parquetBatch]any
}

func openParquet(r io.ReaderAt, size int64) (t *parquetTable, err error) {
	defer guard(&err)
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%w Parquet: %w", errDamaged, err)
	}
	t = &parquetTable{groups: f.RowGroups()}
	for _, field := range f.Schema().Fields() {
		t.columns = append(t.columns, field.Name())
	}
	return t, nil
}

// next is the next few rows; io.EOF after, or with, the last of them.
func (t *parquetTable) next() (batch []any, err error) {
	defer guard(&err)
	for {
		if t.reader == nil {
			if len(t.groups) == 0 {
				return nil, io.EOF
			}
			t.reader, t.groups = parquet.NewGenericRowGroupReader[any](t.groups[0]), t.groups[1:]
		}
		clear(t.rows[:])
		n, err := t.reader.Read(t.rows[:])
		if err == io.EOF {
			err = t.reader.Close()
			t.reader = nil
		} else if err == nil && n == 0 {
			err = io.ErrNoProgress
		}
		if err != nil {
			return t.rows[:n], fmt.Errorf("%w Parquet: %w", errDamaged, err)
		}
		if n > 0 {
			return t.rows[:n], nil
		}
	}
}

// guard makes a panic an error of the file.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w Parquet: %v", errDamaged, p)
	}
}

// object is a row as JSON, with its columns in their order.
func (t *parquetTable) object(v any) ([]byte, error) {
	fields, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a row of type %T", v)
	}
	b := []byte{'{'}
	for _, name := range t.columns {
		value, there := fields[name]
		if !there {
			continue
		}
		key, err := json.Marshal(name)
		text, failed := json.Marshal(plain(value))
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, key...), ':'), text...)
	}
	return append(b, '}'), nil
}

// plain makes of a value what JSON can hold: bytes are text, and what is no number is
// null.
func plain(v any) any {
	switch x := v.(type) {
	case []byte:
		return string(x)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
	case float32:
		return plain(float64(x))
	case map[string]any:
		for k, inner := range x {
			x[k] = plain(inner)
		}
	case []any:
		for i, inner := range x {
			x[i] = plain(inner)
		}
	}
	return v
}
