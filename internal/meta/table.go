package meta

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/stats"
)

// A table is CSV with a header. What is wrong with the cells that are read is kept in err,
// the first of it.
type table struct {
	header []string // in lower case
	rows   [][]string
	lines  []int // of the rows
	partly bool  // rows may lack cells
	err    error
}

// mostCells bounds a table, which is kept in memory.
const mostCells = 50_000_000

func readTable(r io.Reader) (*table, error) {
	in := csv.NewReader(r)
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, err
	}
	t := &table{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		if name == "" {
			name = "column " + strconv.Itoa(i+1)
		}
		if slices.Contains(t.header, name) {
			return nil, fmt.Errorf("two columns are called %q", name)
		}
		t.header = append(t.header, name)
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
		if len(t.rows)*len(t.header) > mostCells {
			return nil, fmt.Errorf("it has more than %d cells", mostCells)
		}
	}
}

// only is the name of the one column that a table has, whatever it is; else the one given.
func (t *table) only(name string) string {
	if len(t.header) == 1 {
		return t.header[0]
	}
	return name
}

// columns are those of these names, over the rows in which none of them is empty.
func (t *table) columns(a *StatAnswer, names ...string) [][]string {
	columns := make([][]string, len(names))
	for i, name := range names {
		if !slices.Contains(t.header, name) {
			t.err = cmp.Or(t.err, fmt.Errorf("there is no column %q, only %s", name, strings.Join(t.header, ", ")))
			return columns
		}
		columns[i] = []string{}
	}
	lines := []int{}
	for r, row := range t.rows {
		cells := make([]string, len(names))
		for i, name := range names {
			cells[i] = row[slices.Index(t.header, name)]
		}
		if !t.partly && slices.Contains(cells, "") {
			a.LeftOut++
			continue
		}
		for i := range cells {
			columns[i] = append(columns[i], cells[i])
		}
		lines = append(lines, t.lines[r])
	}
	a.N, t.lines = len(lines), lines
	return columns
}

func (t *table) numbers(a *StatAnswer, names ...string) [][]float64 {
	return convert(t, a, names, "a finite number", number)
}

func (t *table) hits(a *StatAnswer, names ...string) [][]bool {
	return convert(t, a, names, "0 or 1, which say whether an answer is right", func(cell string) (hit, ok bool) {
		switch strings.ToLower(cell) {
		case "1", "1.0", "true":
			return true, true
		case "0", "0.0", "false":
			return false, true
		}
		return false, false
	})
}

// convert reads the cells of columns; what is wanted says what they must be.
func convert[T any](t *table, a *StatAnswer, names []string, wanted string, read func(cell string) (T, bool)) [][]T {
	columns := make([][]T, len(names))
	for i, cells := range t.columns(a, names...) {
		for r, cell := range cells {
			v, ok := read(cell)
			if !ok {
				t.err = cmp.Or(t.err, fmt.Errorf("line %d, column %s: %q is not %s", t.lines[r], names[i], cell, wanted))
			}
			columns[i] = append(columns[i], v)
		}
	}
	return columns
}

func number(cell string) (float64, bool) {
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// places are the different labels in their order and the place of each one given: that of
// numbers where all are numbers, of which 1 and 1.0 are the same, else that of the alphabet.
// An empty label is before all others.
func places(given []string) (labels []string, at []int) {
	values := make([]float64, len(given))
	for i, label := range given {
		v, isNumber := number(label)
		if label == "" {
			v, isNumber = math.Inf(-1), true
		}
		if !isNumber {
			return stats.Categories(given)
		}
		values[i] = v
	}
	different, at := stats.Categories(values)
	for _, v := range different {
		if math.IsInf(v, -1) {
			labels = append(labels, "")
			continue
		}
		labels = append(labels, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return labels, at
}
