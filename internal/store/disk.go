package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vitrine"
)

// Typed makes an error of the disk that a person can mend, wherever in the chain,
// a fault: disk_full or unwritable. Any other error, and nil, is returned as it
// is.
func Typed(err error) error {
	var already *vitrine.Fault
	switch {
	case err == nil || errors.As(err, &already):
		return err
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return vitrine.NewFault("store", vitrine.FaultDiskFull, err, "the disk is full").
			WithFix("free some space (vitrine keeps a cache in the folder that vitrine doctor names), then run again with --resume")
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR):
		return vitrine.NewFault("store", vitrine.FaultUnwritable, err, "the folder cannot be written").
			WithFix("choose another folder with --out DIR")
	}
	return err
}

// diskFault types an error of the file system; nil stays nil.
func diskFault(err error) error {
	err = Typed(err)
	var fault *vitrine.Fault
	if err == nil || errors.As(err, &fault) {
		return err
	}
	return vitrine.NewFault("store", vitrine.FaultInternal, err, "file system")
}

// LinkTree makes to a copy of from: links to the same files where the file system
// allows it, else copies. Folders are made anew. A file that is in the way is
// replaced, never written into: it may be shared itself.
func LinkTree(from, to string) error {
	return diskFault(filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
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

// replace puts a new file in the place of name, whole or not at all. The old one
// is never written into: it may be shared with the cache.
func replace(name string, content []byte) error {
	tmp := name + ".tmp"
	err := os.WriteFile(tmp, content, 0o644)
	if err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return diskFault(err)
}
