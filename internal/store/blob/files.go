package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"vitrine/internal/store"
)

// Files keeps blobs in a folder, each at ab/abcd…. Several processes may share it.
type Files struct {
	Dir string
}

// Put keeps data; it is there whole or not at all.
func (f Files) Put(_ context.Context, data []byte) (string, error) {
	hash := Hash(data)
	name := f.path(hash)
	if _, err := os.Stat(name); err == nil {
		return hash, nil
	}
	if err := write(name, data); err != nil {
		return "", fmt.Errorf("keep blob: %w", store.Typed(err))
	}
	return hash, nil
}

func write(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// Get reads a blob.
func (f Files) Get(_ context.Context, hash string) ([]byte, error) {
	if err := checkName(hash); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(f.path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, hash)
	}
	if err != nil {
		return nil, fmt.Errorf("read blob: %w", store.Typed(err))
	}
	return checkContent(hash, data)
}

func (f Files) path(hash string) string { return filepath.Join(f.Dir, hash[:2], hash) }
