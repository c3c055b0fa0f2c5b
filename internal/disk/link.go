package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// LinkTree makes to a copy of from: links to the same files where the file system
// allows it, else copies. Folders are new. A file that is in the way is
// replaced, never written into: it may be shared itself.
func LinkTree(from, to string) error {
	return Fault(filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if os.Link(name, target) == nil {
			return nil
		}
		return copyFile(name, target)
	}))
}

func copyFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	_, err = io.Copy(dst, src)
	return err
}
