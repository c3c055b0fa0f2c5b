package inputs

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// errField is a row that is longer than it may be, as an unclosed quote makes it.
var errField = errors.New("a row that does not end: perhaps a quote is not closed")

// table gives the rows of a CSV file with a header, as objects of strings.
func table(r *unpacked, at Position, max int64) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		head, _ := r.Peek(sniffed - 1)
		limited := &perRow{r: r.Reader, max: max, left: max}
		c := csv.NewReader(bufio.NewReader(limited))
		c.Comma, c.FieldsPerRecord = delimiter(head), -1
		header, err := c.Read()
		if err != nil {
			yield(row{at: at}, csvError(at, err))
			return
		}
		header = distinct(header)
		for {
			limited.left = max
			cells, err := c.Read()
			if err == io.EOF {
				return
			}
			var broken *csv.ParseError
			if err != nil && !errors.As(err, &broken) {
				yield(row{at: at}, csvError(at, err))
				return
			}
			r := row{at: at}
			if err != nil {
				err = csvError(at, err)
			} else {
				r.at.Line, r.at.Column = c.FieldPos(0)
				r.value, err = asObject(r.at, header, cells)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// perRow bounds what is read for one row.
type perRow struct {
	r         io.Reader
	max, left int64
}

func (p *perRow) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errField
	}
	n, err := p.r.Read(b)
	p.left -= int64(n)
	return n, err
}

// csvError says where a row is broken. A row without an end is the last.
func csvError(at Position, err error) error {
	var broken *csv.ParseError
	switch {
	case errors.As(err, &broken) && errors.Is(err, errField), errors.Is(err, errField):
		return fmt.Errorf("%w CSV: %w", errDamaged, errField)
	case errors.As(err, &broken):
		at.Line, at.Column = broken.Line, broken.Column
		return unusable(at, "a broken row: "+broken.Err.Error(), `quotes around a cell with a quote in it, and each of these doubled: "say ""hi"""`, "")
	}
	return err
}

// asObject makes an object of cells.
func asObject(at Position, header, cells []string) ([]byte, error) {
	if len(cells) != len(header) {
		return nil, unusable(at, fmt.Sprintf("%d cells", len(cells)), fmt.Sprintf("%d, as the header has", len(header)),
			"put quotes around cells that hold the delimiter or a line break")
	}
	b := []byte{'{'}
	for i, cell := range cells {
		name, err := json.Marshal(header[i])
		text, failed := json.Marshal(cell)
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), text...)
	}
	return append(b, '}'), nil
}

// distinct gives columns with one name names of their own: the first keeps it.
func distinct(header []string) []string {
	seen := map[string]bool{}
	for i, name := range header {
		for k := 2; seen[name]; k++ {
			name = header[i] + "." + strconv.Itoa(k)
		}
		header[i], seen[name] = name, true
	}
	return header
}

// delimiter is the one that is most often in the first line.
func delimiter(head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best, most := ',', 0
	for _, d := range []rune{',', '\t', ';', '|'} {
		if n := bytes.Count(line, []byte(string(d))); n > most {
			best, most = d, n
		}
	}
	return best
}
