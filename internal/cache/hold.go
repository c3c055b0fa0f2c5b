package cache

import (
	"os"
	"path/filepath"
	"syscall"

	"vitrine/internal/disk"
)

// Hold keeps the dependency sets and sites of a cache folder from being removed
// until release is called, or this process ends. Results need no holding: who
// loses one works again. Where the folder cannot be written, no process removes
// anything either.
func Hold(root string) (release func()) {
	f, ok := lock(root, syscall.LOCK_SH)
	if !ok {
		return func() {}
	}
	return func() { _ = f.Close() }
}

// lock takes the lock of a cache folder; the kernel takes it back from a process
// that ends.
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
