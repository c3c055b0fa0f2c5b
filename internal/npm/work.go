package npm

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A Work is a folder for one command. While a process works in it, the folder is locked;
// the kernel releases the lock of a process that was killed, and the folder is then removed.
type Work struct {
	Path string
	lock *os.File
}

// NewWork makes a work folder below parent.
func NewWork(parent, pattern string) (Work, error) {
	dir, err := os.MkdirTemp(parent, pattern)
	if err != nil {
		return Work{}, err
	}
	w := Work{Path: dir}
	if w.lock, err = os.Open(dir); err == nil {
		err = syscall.Flock(int(w.lock.Fd()), syscall.LOCK_SH)
	}
	if err != nil {
		w.Discard()
		return Work{}, err
	}
	return w, os.Chmod(dir, 0o755)
}

// Discard removes the folder, if it is still there.
func (w Work) Discard() {
	removeAll(w.Path)
	if w.lock != nil {
		_ = w.lock.Close()
	}
}

// removeAll removes a folder, even if a build forbade it or nested folders deeper than a
// path can name. [os.RemoveAll] holds a descriptor for each level, of which a process has
// not so many: what is deep is moved up first.
func removeAll(dir string) {
	_ = os.Chmod(dir, 0o700)
	up, err := os.MkdirTemp(dir, "deep-")
	if err != nil {
		up = dir // there is nothing to be removed, or no way
	}
	for todo, moved := []string{dir}, 0; len(todo) > 0; {
		top := todo[0]
		todo = todo[1:]
		_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return nil
			}
			_ = os.Chmod(name, 0o700)
			if strings.Count(name[len(top):], string(filepath.Separator)) < shallow {
				return nil
			}
			to := filepath.Join(up, strconv.Itoa(moved))
			if moved++; os.Rename(name, to) == nil {
				todo = append(todo, to)
			}
			return fs.SkipDir
		})
	}
	_ = os.RemoveAll(dir)
}

// shallow is how many levels of the longest names a path can have below any folder.
const shallow = 8

// unlocked is how old a folder is at least when it should have its lock.
const unlocked = time.Minute

// Sweep removes the work folders below parent that are not locked any more.
func Sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < unlocked {
			continue
		}
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			removeAll(dir)
		}
		_ = f.Close()
	}
}
