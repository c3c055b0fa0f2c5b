package worker

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"vitrine/internal/disk"
)

const scratchPattern = "vitrine-worker-*"

// scratch makes a folder below dir for what is under way, and removes those of
// workers that were killed. A worker that lives holds the lock of its folder; the
// kernel takes it back from one that does not.
func scratch(dir string) (path string, done func(), err error) {
	if dir == "" {
		dir = os.TempDir()
	}
	sweep(dir)
	path, err = os.MkdirTemp(dir, scratchPattern)
	if err != nil {
		return "", nil, disk.Classify(err)
	}
	held, err := os.Open(path)
	if err == nil {
		err = lock(held)
	}
	if err != nil {
		return "", nil, disk.Classify(errors.Join(err, os.RemoveAll(path)))
	}
	return path, func() { _ = os.RemoveAll(path); _ = held.Close() }, nil
}

func sweep(dir string) {
	found, _ := filepath.Glob(filepath.Join(dir, scratchPattern))
	for _, path := range found {
		f, err := os.Open(path)
		if err != nil {
			continue // of another process
		}
		if lock(f) == nil {
			_ = os.RemoveAll(path)
		}
		_ = f.Close()
	}
}

func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
