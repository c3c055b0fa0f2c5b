package cache

import (
	"os"
	"path/filepath"
	"syscall"

	"vitrine/internal/disk"
)

// Hold keeps the dependency sets and sites of a cache folder from being removed
// until release is called or this process ends. Results need no lock: a process that
// misses one computes it again. A folder that cannot be written needs none either, since
// nothing can be removed from it.
func Hold(root string) (release func()) {
	f, ok := lock(root, syscall.LOCK_SH)
	if !ok {
		return func() {}
	}
	return func() { _ = f.Close() }
}

// lock locks a cache folder; the kernel releases the lock of a process that ends.
func lock(root string, how int) (*os.File, bool) {
	dir := filepath.Join(root, PackagesDir)
	if os.MkdirAll(dir, 0o755) != nil {
		return nil, false
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, false
	}
	if disk.Lock(f, how) != nil {
		_ = f.Close()
		return nil, false
	}
	return f, true
}
