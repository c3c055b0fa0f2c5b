package exact

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A workDir is a folder for one command. A lock tells that somebody still works in
// it; the lock of a process that was killed is gone, and the folder is swept.
type workDir struct {
	path string
	lock *os.File
}

func (p *Project) newWork(pattern string) (workDir, error) {
	dir, err := os.MkdirTemp(filepath.Join(p.settings.Store, "work"), pattern)
	if err != nil {
		return workDir{}, storeFault(err)
	}
	w := workDir{path: dir}
	if w.lock, err = os.Open(dir); err == nil {
		err = syscall.Flock(int(w.lock.Fd()), syscall.LOCK_SH)
	}
	if err != nil {
		w.discard()
		return workDir{}, storeFault(err)
	}
	return w, nil
}

// discard removes the folder, if it is still there.
func (w workDir) discard() {
	removeAll(w.path)
	if w.lock != nil {
		_ = w.lock.Close()
	}
}

// removeAll removes a folder, even if a build forbade it.
func removeAll(dir string) {
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

// unlocked is how old a folder is at least when it should have its lock.
const unlocked = time.Minute

// sweep removes the work folders that nobody works in any more.
func sweep(work string) {
	entries, _ := os.ReadDir(work)
	for _, e := range entries {
		dir := filepath.Join(work, e.Name())
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
