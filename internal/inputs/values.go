package inputs

import (
	"bufio"
	"fmt"
	"io"
	"iter"
)

// values gives the elements of a JSON list, or the values of a text that holds one
// after the other, each cut out by its brackets: a broken one costs only itself.
func values(r *unpacked, at Position, max int64) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		c := &cutter{r: r.Reader, max: max, line: 1}
		first, err := c.next()
		c.inList = err == nil && first == '['
		if err == nil && !c.inList {
			err = c.back()
		}
		for err == nil {
			var value []byte
			at.Line, at.Column, value, err = c.value()
			if long := err == errTooLong; long {
				if !yield(row{at: at}, &RowError{Position: at, Found: fmt.Sprintf("a value of more than %d MB", max>>20), Wanted: "smaller ones"}) {
					return
				}
				err = nil
				continue
			}
			if err == nil && !yield(row{at: at, value: value}, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(row{at: at}, err)
		}
	}
}

// A cutter cuts JSON values out of a stream. It knows strings and brackets, no more.
type cutter struct {
	r         *bufio.Reader
	max       int64
	inList    bool
	line, col int // of the byte that was read last
}

func (c *cutter) read() (byte, error) {
	b, err := c.r.ReadByte()
	c.col++
	if b == '\n' {
		c.line, c.col = c.line+1, 0
	}
	return b, err
}

func (c *cutter) back() error {
	c.col--
	return c.r.UnreadByte()
}

// next is the first byte that is no space.
func (c *cutter) next() (byte, error) {
	for {
		b, err := c.read()
		if err != nil || b > ' ' {
			return b, err
		}
	}
}

// value is the next value and where it begins; io.EOF after the last.
func (c *cutter) value() (line, col int, value []byte, err error) {
	b, err := c.next()
	for err == nil && b == ',' {
		b, err = c.next()
	}
	if err == nil && c.inList && b == ']' {
		err = io.EOF
	}
	line, col = c.line, c.col
	if err != nil {
		return line, col, nil, err
	}
	size, depth, quoted, escaped := int64(0), 0, false, false
	for ; err == nil; b, err = c.read() {
		if !quoted && depth == 0 && size > 0 && (b == ',' || b <= ' ' || b == ']' && c.inList) {
			err = c.back()
			break
		}
		if size++; size <= c.max {
			value = append(value, b)
		} else {
			value = nil
		}
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = b == '\\', b != '"'
		case b == '"':
			quoted = true
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		}
		if !quoted && !escaped && depth <= 0 && (b == '}' || b == ']' || b == '"') {
			break
		}
	}
	if err == io.EOF && size > 0 {
		err = nil
	}
	if size > c.max {
		return line, col, nil, errTooLong
	}
	return line, col, value, err
}
