package blob

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"vitrine/internal/disk"
)

// MaxFiles is how many files a bundle may have.
const MaxFiles = 4096

// What a bundle may be refused for.
var (
	ErrTooLarge = errors.New("the bundle is too large")
	ErrUnsafe   = errors.New("the bundle holds what no bundle of ours holds")
)

// Pack makes one blob of a folder: a tar of its files in order of their names,
// without owners, times or modes, so that equal folders give equal bytes. The
// files may have max bytes in all, else it is ErrTooLarge. A link or a device in
// the folder is ErrUnsafe.
func Pack(dir string, max int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", disk.Classify(err))
	}
	defer root.Close()
	var out bytes.Buffer
	p := packer{root: root, tar: tar.NewWriter(&out), left: max}
	err = fs.WalkDir(root.FS(), ".", p.add) // in order of names
	if err = errors.Join(err, p.tar.Close()); err != nil {
		return nil, fmt.Errorf("pack %s: %w", filepath.Base(dir), disk.Classify(err))
	}
	return out.Bytes(), nil
}

type packer struct {
	root  *os.Root
	tar   *tar.Writer
	left  int64 // bytes
	files int
}

func (p *packer) add(name string, d fs.DirEntry, err error) error {
	if err != nil || d.IsDir() {
		return err
	}
	if !d.Type().IsRegular() {
		return fmt.Errorf("%w: %s is no plain file", ErrUnsafe, name)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	p.files++
	if p.left -= info.Size(); p.left < 0 || p.files > MaxFiles {
		return ErrTooLarge
	}
	data, err := p.root.ReadFile(name)
	if err != nil {
		return err
	}
	if err := p.tar.WriteHeader(header(name, len(data))); err != nil {
		return err
	}
	_, err = p.tar.Write(data)
	return err
}

func header(name string, size int) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(size), Mode: 0o644, Format: tar.FormatPAX}
}

// Unpack writes the files of a bundle below dir, which is made. Nothing is
// written outside of it: a path that climbs out, a link, a device or a name that
// is there twice is ErrUnsafe, and more than max bytes is ErrTooLarge. On an
// error, what was written before stays.
func Unpack(bundle []byte, dir string, max int64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("unpack: %w", disk.Classify(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("unpack: %w", disk.Classify(err))
	}
	defer root.Close()
	return each(bundle, max, func(name string, content io.Reader) error {
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return disk.Classify(err)
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: %s is there already", ErrUnsafe, name)
		}
		if err != nil {
			return disk.Classify(err)
		}
		_, err = io.Copy(f, content)
		return disk.Classify(errors.Join(err, f.Close()))
	})
}

// Read returns one file of a bundle; it is ErrNotFound if the bundle has none of
// this name. The bundle may be of max bytes.
func Read(bundle []byte, name string, max int64) ([]byte, error) {
	var data []byte
	found := errors.New("found")
	err := each(bundle, max, func(at string, content io.Reader) (err error) {
		if at != name {
			return nil
		}
		if data, err = io.ReadAll(content); err != nil {
			return err
		}
		return found
	})
	switch {
	case errors.Is(err, found):
		return data, nil
	case err != nil:
		return nil, err
	}
	return nil, fmt.Errorf("%w in the bundle: %.200q", ErrNotFound, name)
}

// Names lists the files of a bundle, in order.
func Names(bundle []byte, max int64) (names []string, err error) {
	err = each(bundle, max, func(name string, _ io.Reader) error {
		names = append(names, name)
		return nil
	})
	return names, err
}

// each visits the files of a bundle and refuses what Pack never makes.
func each(bundle []byte, max int64, visit func(name string, content io.Reader) error) error {
	r := tar.NewReader(bytes.NewReader(bundle))
	for n := 0; ; n++ {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("bundle: %w: %w", ErrUnsafe, err)
		}
		if max -= h.Size; max < 0 || n == MaxFiles {
			return fmt.Errorf("bundle: %w", ErrTooLarge)
		}
		if h.Typeflag != tar.TypeReg || h.Name == "." || !fs.ValidPath(h.Name) {
			return fmt.Errorf("bundle: %w: %.200q", ErrUnsafe, h.Name)
		}
		if err := visit(h.Name, r); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("%w: %w", ErrUnsafe, err)
			}
			return fmt.Errorf("bundle: %w", err)
		}
	}
}
