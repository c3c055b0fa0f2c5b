package export

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vitrine/internal/disk"
	"vitrine/internal/inputs"
	"vitrine/internal/picture"
)

// perArchive is how many rows an archive of a webdataset has.
const perArchive = 1000

// A packedRow is the files of one row.
type packedRow struct {
	json, txt, png []byte
}

var errNoPicture = errors.New("no picture")

// packed makes the files of a row: all of it, its instruction, and, where pictures are
// asked for, its picture, so that every row has the same files.
func (s *Settings) packed(r inputs.Record) (packedRow, error) {
	if strings.TrimSpace(r.Instruction) == "" {
		return packedRow{}, errNoInstruction
	}
	p := packedRow{json: r.Row, txt: []byte(r.Instruction)}
	if s.Pictures == nil {
		return p, nil
	}
	found, ok := s.Pictures.Of(r)
	if !ok {
		return p, errNoPicture
	}
	img, err := picture.ReadFile(os.DirFS(filepath.Dir(found.File)), filepath.Base(found.File))
	if err != nil {
		return p, errNoPicture
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return p, errNoPicture
	}
	p.png = b.Bytes()
	return p, nil
}

// tars are the archives of a webdataset: files of a row lie next to each other and are named
// by its place, which has neither points nor slashes, as ids may.
type tars struct {
	name  string
	files []string
	file  *os.File
	to    *tar.Writer
	rows  int
}

func archives(name string) (sink[packedRow], error) {
	t := &tars{name: name}
	return sink[packedRow]{files: func() []string { return t.files }, write: t.write, commit: t.commit, drop: t.drop}, nil
}

func (t *tars) write(p packedRow) error {
	if t.rows%perArchive == 0 {
		if err := t.next(); err != nil {
			return err
		}
	}
	for _, one := range []struct {
		ending  string
		content []byte
	}{{"json", p.json}, {"txt", p.txt}, {"png", p.png}} {
		if one.content == nil {
			continue
		}
		h := &tar.Header{Name: fmt.Sprintf("%08d.%s", t.rows, one.ending), Mode: 0o644, Size: int64(len(one.content)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}
		if err := t.to.WriteHeader(h); err != nil {
			return disk.Fault(err)
		}
		if _, err := t.to.Write(one.content); err != nil {
			return disk.Fault(err)
		}
	}
	t.rows++
	return nil
}

// next begins another archive.
func (t *tars) next() error {
	if err := t.end(); err != nil {
		return err
	}
	name := t.archive(len(t.files))
	file, err := os.Create(name + ".part")
	if err != nil {
		return disk.Fault(err)
	}
	t.files, t.file, t.to = append(t.files, name), file, tar.NewWriter(file)
	return nil
}

// archive is the name of one of the archives, from 0.
func (t *tars) archive(n int) string { return fmt.Sprintf("%s-%06d.tar", t.name, n) }

func (t *tars) end() error {
	if t.file == nil {
		return nil
	}
	err := errors.Join(t.to.Close(), t.file.Close())
	t.file = nil
	return disk.Fault(err)
}

func (t *tars) commit() error {
	err := t.end()
	for _, name := range t.files {
		err = errors.Join(err, os.Rename(name+".part", name))
	}
	for n := len(t.files); err == nil; n++ { // of an earlier export that had more rows
		if os.Remove(t.archive(n)) != nil {
			break
		}
	}
	return disk.Fault(err)
}

func (t *tars) drop() {
	if t.file != nil {
		_ = t.file.Close()
	}
	for _, name := range t.files {
		_ = os.Remove(name + ".part") // it has its name where all went well
	}
}
