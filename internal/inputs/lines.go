package inputs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

var errTooLong = errors.New("too long")

// lines gives each line that is not blank. One that is longer than max is passed over.
func lines(r *unpacked, at Position, max int64) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for at.Line = 1; ; at.Line++ {
			line, err := readLine(r.Reader, max)
			at.Column = 1
			switch {
			case errors.Is(err, errTooLong):
				if !yield(row{at: at}, &RowError{Position: at, Found: fmt.Sprintf("a line of more than %d MB", max>>20), Wanted: "one object a line"}) {
					return
				}
				continue
			case err == io.EOF:
				return
			case err != nil:
				yield(row{at: at}, err)
				return
			}
			text := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r\n\f\v\x00")
			at.Column = len(line) - len(text) + 1
			if text = bytes.TrimRight(text, " \t\r\n\f\v\x00"); len(text) == 0 {
				continue
			}
			if !yield(row{at: at, value: text}, nil) {
				return
			}
		}
	}
}

// readLine returns a line of any length up to max.
func readLine(r *bufio.Reader, max int64) ([]byte, error) {
	var line []byte
	size := int64(0)
	for {
		part, err := r.ReadSlice('\n')
		if size += int64(len(part)); size <= max {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size > max && (err == nil || err == io.EOF):
			return nil, errTooLong
		case err == io.EOF && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}
