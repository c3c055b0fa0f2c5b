// Package disk types the errors of file systems, writes files whole or not at all,
// links trees of files and takes locks.
package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vitrine"
)

// Classify makes an error of the disk that a person can mend, wherever in the chain,
// a fault: disk_full or unwritable. Any other error, and nil, is returned as it
// is.
func Classify(err error) error {
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

// Fault makes any error of the file system a fault: one of [Classify]'s, or of code
// internal. Nil stays nil.
func Fault(err error) error {
	err = Classify(err)
	var fault *vitrine.Fault
	if err == nil || errors.As(err, &fault) {
		return err
	}
	return vitrine.NewFault("store", vitrine.FaultInternal, err, "file system")
}

// WriteFile puts a file in the place of name, whole or not at all. Its folder must be
// there. The error is that of the file system, not typed.
func WriteFile(name string, content []byte, perm fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	err = errors.Join(err, tmp.Chmod(perm), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// WriteJSON puts the JSON of a value in the place of name, whole or not at all. The old
// file is never written into: it may be shared with the cache. Errors are faults.
func WriteJSON(name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return Fault(WriteFile(name, append(b, '\n'), 0o644))
}

// ReadJSON reads the JSON of a file into v.
func ReadJSON(name string, v any) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(name), err)
	}
	return nil
}

// Lock takes or gives back the lock of a file, as flock(2) has it. The kernel takes it
// back from a process that ends.
func Lock(f *os.File, how int) (err error) {
	for err = syscall.EINTR; err == syscall.EINTR; {
		err = syscall.Flock(int(f.Fd()), how)
	}
	return err
}
