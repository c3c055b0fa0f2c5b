package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vitrine/internal/disk"
)

// Files keeps blobs in a folder, each at ab/abcd…. Several processes may share it.
type Files struct {
	Dir string
	// Keep is how long a blob is kept after it was last put, and MaxBytes how much is
	// kept at all, the newest first; 0 keeps everything. Prune sees to both.
	Keep     time.Duration
	MaxBytes int64
}

// Put keeps data; it is there whole or not at all.
func (f Files) Put(_ context.Context, data []byte) (string, error) {
	hash := Hash(data)
	name := f.path(hash)
	now := time.Now()
	if os.Chtimes(name, now, now) == nil { // it is there: its age starts again from 0
		return hash, nil
	}
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = disk.WriteFile(name, data, 0o644)
	}
	if err != nil {
		return "", fmt.Errorf("keep blob: %w", disk.Classify(err))
	}
	return hash, nil
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
		return nil, fmt.Errorf("read blob: %w", disk.Classify(err))
	}
	return checkContent(hash, data)
}

func (f Files) path(hash string) string { return filepath.Join(f.Dir, hash[:2], hash) }

// Prune removes blobs that had their time, and the oldest of those that are too much.
func (f Files) Prune(now time.Time) error {
	type kept struct {
		name string
		info fs.FileInfo
	}
	var all []kept
	err := filepath.WalkDir(f.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return gone(err)
		}
		info, err := d.Info()
		if err == nil {
			all = append(all, kept{name, info})
		}
		return gone(err)
	})
	slices.SortFunc(all, func(a, b kept) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	var sum int64
	for _, k := range all {
		sum += k.info.Size()
		if f.Keep > 0 && now.Sub(k.info.ModTime()) > f.Keep || f.MaxBytes > 0 && sum > f.MaxBytes {
			err = errors.Join(err, gone(os.Remove(k.name)))
		}
	}
	return disk.Classify(err)
}

// gone takes what another process removed first for no error.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
