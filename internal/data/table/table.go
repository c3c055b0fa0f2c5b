// Package table writes files of JSON lines: whole or not at all, several together.
package table

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"vitrine/internal/disk"
)

// Files are written beside their places, and put there by Commit.
type Files struct {
	Writers []*Writer
	done    bool
}

// A Writer writes one file, an object a line.
type Writer struct {
	name string
	file *os.File
	buf  *bufio.Writer
}

// Create opens files that take the places of others only when they are whole. Their
// folders must be there.
func Create(names ...string) (*Files, error) {
	f := &Files{}
	for _, name := range names {
		file, err := os.Create(name + ".part")
		if err != nil {
			f.Discard()
			return nil, disk.Fault(err)
		}
		f.Writers = append(f.Writers, &Writer{name: name, file: file, buf: bufio.NewWriterSize(file, 1<<16)})
	}
	return f, nil
}

// Write adds a value as a line.
func (w *Writer) Write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.Line(line)
}

// Line adds a line that is JSON already.
func (w *Writer) Line(line []byte) error {
	_, err := w.buf.Write(line)
	if err == nil {
		err = w.buf.WriteByte('\n')
	}
	return disk.Fault(err)
}

// Commit puts all files in their places.
func (f *Files) Commit() error {
	for _, w := range f.Writers {
		if err := errors.Join(w.buf.Flush(), w.file.Close()); err != nil {
			return disk.Fault(err)
		}
	}
	f.done = true
	for _, w := range f.Writers {
		if err := os.Rename(w.file.Name(), w.name); err != nil {
			return disk.Fault(err)
		}
	}
	return nil
}

// Discard takes away what was not committed.
func (f *Files) Discard() {
	if f.done {
		return
	}
	for _, w := range f.Writers {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
}
