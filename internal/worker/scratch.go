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
	for range tries {
		if path, done, err = claim(dir); err == nil {
			return path, done, nil
		}
	}
	return "", nil, disk.Classify(err)
}

// tries is how often a folder is made anew: between its making and its lock, a worker that
// starts at the same time takes it for one of a worker that was killed.
const tries = 20

// claim makes a folder and holds its lock. The error is that of a folder that was swept
// meanwhile, or of the disk.
func claim(dir string) (path string, done func(), err error) {
	if path, err = os.MkdirTemp(dir, scratchPattern); err != nil {
		return "", nil, err
	}
	held, err := os.Open(path)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(path))
	}
	if err = lock(held); err == nil {
		_, err = os.Stat(path) // swept before the lock
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(path), held.Close())
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
