package npm

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"

	"vitrine/internal/disk"
)

// The folders of a package store.
const (
	PackagesDir    = "unpacked"    // packages by the hash of their tarball
	SetsDir        = "deps"        // sets by the hash of their tree
	ResolutionsDir = "resolutions" // trees by what they were resolved from
	PackumentsDir  = "packuments"  // the registry's descriptions of packages, by date
	workDir        = "work"        // of half-made folders, which are locked
)

// TreeFile lies in a set and says what it should hold.
const TreeFile = "tree.json"

// A Store keeps unpacked packages and the sets that are linked from them. It is safe
// for concurrent use, also by several processes.
type Store struct {
	Dir      string
	Registry Registry
	// MaxBytes and MaxFiles bound one set; 0 is 4 GB and 400 000 files.
	MaxBytes int64
	MaxFiles int

	making   singleflight.Group
	verified sync.Map // folder → true: whole when this process first used it
	hashed   sync.Map // inode → its hash
	touched  sync.Map // names that were touched
	buffers  sync.Pool
}

// ErrTooLarge is in the chain of a set that is larger than the store's bounds.
var ErrTooLarge = errors.New("the dependencies are too large")

// allowance is what may still be fetched for one set.
type allowance struct {
	maxBytes, maxFiles int64
	bytes, files       atomic.Int64
}

func (s *Store) allowance() *allowance {
	return &allowance{maxBytes: cmp.Or(s.MaxBytes, 4<<30), maxFiles: cmp.Or(int64(s.MaxFiles), 400_000)}
}

// take counts a package.
func (a *allowance) take(c contents) error {
	var size int64
	for _, f := range c.Files {
		size += f.Size
	}
	if a.bytes.Add(size) > a.maxBytes || a.files.Add(int64(len(c.Files))) > a.maxFiles {
		return fmt.Errorf("%w: more than %d MB or %d files", ErrTooLarge, a.maxBytes>>20, a.maxFiles)
	}
	return nil
}

// Resolution is the tree that was resolved under a key.
func (s *Store) Resolution(key string) (*Tree, bool) {
	var t, again Tree
	if disk.ReadJSON(filepath.Join(s.Dir, ResolutionsDir, key+".json"), &t) != nil {
		return nil, false
	}
	again.Packages = t.Packages
	again.seal()
	if t.Hash != again.Hash {
		return nil, false
	}
	s.touch(filepath.Join(s.Dir, ResolutionsDir, key+".json"))
	return &t, true
}

// touch says that a file or folder was used, once a process, so that pruning takes
// others first. Where it cannot be said, it is older.
func (s *Store) touch(name string) {
	if _, done := s.touched.LoadOrStore(name, true); !done {
		now := time.Now()
		_ = os.Chtimes(name, now, now)
	}
}

// KeepResolution remembers a tree, whose packages all have their hash.
func (s *Store) KeepResolution(key string, t *Tree) error {
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(s.Dir, ResolutionsDir, key+".json"), b)
}

// folder is where a package lies, by the hash of its tarball.
func (s *Store) folder(integrity string) (string, error) {
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(integrity, "sha512-"))
	if err != nil || len(sum) != sha512.Size {
		return "", fmt.Errorf("%w: %.100q is no hash", errUnusable, integrity)
	}
	return filepath.Join(s.Dir, PackagesDir, hex.EncodeToString(sum)), nil
}

// The contents of a package's folder.
const (
	filesDir     = "files"
	contentsFile = "contents.json"
)

// contents says what a package of the store holds, and fetches it first where it is
// not there or not what it was. A fetch is shared with those who would fetch from the
// same place only: one whose lock file leads nowhere, or whose time is over, must not
// fail the others.
func (s *Store) contents(ctx context.Context, c *client, p Package) (contents, error) {
	dir, err := s.folder(p.Integrity)
	if err != nil {
		return contents{}, err
	}
	for {
		if found, ok := s.whole(dir); ok {
			return found, nil
		}
		got, err, _ := s.making.Do(dir+" "+p.address().String(), func() (any, error) {
			_, found, err := s.fetch(ctx, c, p)
			if err == nil {
				s.verified.Store(dir, true)
			}
			return found, err
		})
		switch {
		case err == nil:
			return got.(contents), nil
		case ctx.Err() != nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
			return contents{}, err
		}
	}
}

// whole says what a package holds that is in the store. One that is not what it was
// is thrown away.
func (s *Store) whole(dir string) (contents, bool) {
	got, err, _ := s.making.Do(dir, func() (any, error) {
		if _, err := os.Lstat(dir); err != nil {
			return nil, err
		}
		found, err := readContents(filepath.Join(dir, contentsFile))
		if _, done := s.verified.Load(dir); err == nil && done {
			return found, nil
		}
		if err == nil {
			err = s.verifyPackage(dir, found)
		}
		if err != nil {
			s.verified.Delete(dir)
			return nil, errors.Join(err, s.discard(dir))
		}
		s.verified.Store(dir, true)
		return found, nil
	})
	if err != nil {
		return contents{}, false
	}
	return got.(contents), true
}

func readContents(name string) (c contents, err error) {
	err = disk.ReadJSON(name, &c)
	return c, err
}

// discard takes a folder of the store out of sight and removes it.
func (s *Store) discard(dir string) error {
	w, err := NewWork(filepath.Join(s.Dir, workDir), "discarded-")
	if err != nil {
		return err
	}
	defer w.Discard()
	err = os.Rename(dir, filepath.Join(w.Path, "folder"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// OfPackage reports whether an error is of the packages that were asked for, so that
// nothing but other packages would help.
func OfPackage(err error) bool {
	var status *statusError
	var wrong *WrongHashError
	return errors.As(err, &status) || errors.As(err, &wrong) || errors.Is(err, errUnusable) || errors.Is(err, errTooBig) || errors.Is(err, ErrNotOfRegistry)
}

// moveInto renames a folder to its final place. Somebody else may have put the same
// content there first.
func moveInto(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if entries, there := os.ReadDir(to); err != nil && there == nil && len(entries) > 0 {
		return nil
	}
	return err
}

// isDisk reports whether an error is of the disk, not of what is written to it.
func isDisk(err error) bool {
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EACCES, syscall.EMFILE, syscall.EIO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func keys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
