package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"vitrine"
)

// A Cache keeps folders by the hash of what they are a function of. A folder is
// there whole or not at all; errors are never kept. The zero Cache keeps
// nothing.
type Cache struct {
	Dir string // empty: no cache
}

// Key hashes the JSON of its parts. Everything that an answer depends on belongs
// in here: input, settings and tool versions.
func Key(parts ...any) string {
	b, err := json.Marshal(parts)
	if err != nil {
		panic(err) // only plain values of ours are keys
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

func (c Cache) path(stage, key string) string { return filepath.Join(c.Dir, stage, key[:2], key) }

// Get returns the folder kept for a key.
func (c Cache) Get(stage, key string) (dir string, ok bool) {
	if c.Dir == "" {
		return "", false
	}
	dir = c.path(stage, key)
	info, err := os.Stat(dir)
	return dir, err == nil && info.IsDir()
}

// Put keeps a copy of a folder. If the key is there already, the first stays.
func (c Cache) Put(stage, key, dir string) error {
	return c.put(stage, key, func(tmp string) error { return LinkTree(dir, tmp) })
}

// PutFile keeps a folder that holds one file.
func (c Cache) PutFile(stage, key, name string, content []byte) error {
	return c.put(stage, key, func(tmp string) error { return os.WriteFile(filepath.Join(tmp, name), content, 0o644) })
}

func (c Cache) put(stage, key string, fill func(tmp string) error) error {
	if c.Dir == "" {
		return nil
	}
	final := c.path(stage, key)
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return cacheFault(err)
	}
	tmp, err := os.MkdirTemp(c.Dir, "tmp-")
	if err != nil {
		return cacheFault(err)
	}
	defer os.RemoveAll(tmp)
	if err := errors.Join(fill(tmp), os.Chmod(tmp, 0o755)); err != nil {
		return cacheFault(err)
	}
	if err := os.Rename(tmp, final); err != nil {
		if _, there := c.Get(stage, key); !there {
			return cacheFault(err)
		}
	}
	return nil
}

// cacheFault types an error of the file system in the cache.
func cacheFault(err error) error {
	f := vitrine.AsFault("store", diskFault(err))
	if f.Code == vitrine.FaultUnwritable {
		return vitrine.NewFault("store", f.Code, err, "the cache cannot be written").WithFix("choose another folder with --cache-dir DIR or VITRINE_CACHE")
	}
	return f
}
