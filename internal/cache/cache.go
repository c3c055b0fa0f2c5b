// Package cache keeps answers of the stages by what they are a function of, and takes
// stock of a cache folder: what it holds, what may go, what is in use.
package cache

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
)

// A Key names an answer: the stage that gives it and, by name, everything that
// the answer is a function of: input, settings and tool versions. The names are
// for people, who ask why an answer was not there.
type Key struct {
	Stage string
	Parts map[string]any
}

// Hash is the same for equal keys only, also for a key that was saved and read
// back. It is a file name.
func (k Key) Hash() string {
	b, err := json.Marshal(k.Parts)
	if err != nil {
		panic(err) // only plain values of ours are parts of keys
	}
	var plain any // structs become maps, which are sorted
	if err := json.Unmarshal(b, &plain); err != nil {
		panic(err)
	}
	return digest.Of(k.Stage, plain)
}

// Results keep answers by what they are a function of. An answer is there whole
// or not at all; errors are never kept. The zero Results keep nothing.
//
// An entry is a folder Dir/stage/ab/abcd… with record.json (the key's parts, the
// answer if it is small) and files (the answer if it is a folder). The time of
// record.json is that of the last use.
type Results struct {
	Dir string // empty: no cache
}

const (
	recordFile  = "record.json"
	keptFiles   = "files"
	tempPattern = "tmp-*"
)

// record is what record.json holds.
type record struct {
	Made   time.Time                  `json:"made"`
	Parts  map[string]json.RawMessage `json:"parts"`
	Answer json.RawMessage            `json:"answer,omitempty"`
}

func (c Results) entry(k Key) string {
	hash := k.Hash()
	return filepath.Join(c.Dir, k.Stage, hash[:2], hash)
}

// Get reads the answer to a key, which may be nil if only the files matter, and
// returns their folder. An entry that cannot be read is none.
func (c Results) Get(k Key, answer any) (dir string, ok bool) {
	if c.Dir == "" {
		return "", false
	}
	entry := c.entry(k)
	r, err := readRecord(entry)
	if err != nil || answer != nil && json.Unmarshal(r.Answer, answer) != nil {
		return "", false
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(entry, recordFile), now, now) // a cache that cannot be written still answers
	return filepath.Join(entry, keptFiles), true
}

func readRecord(entry string) (r record, err error) {
	err = disk.ReadJSON(filepath.Join(entry, recordFile), &r)
	return r, err
}

// Put keeps an answer and, unless files is empty, a copy of a folder. If there is
// an answer already, the first stays.
func (c Results) Put(k Key, answer any, files string) error {
	if c.Dir == "" {
		return nil
	}
	final := c.entry(k)
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return cacheFault(err)
	}
	tmp, err := os.MkdirTemp(c.Dir, tempPattern)
	if err != nil {
		return cacheFault(err)
	}
	defer os.RemoveAll(tmp)
	if err := fillEntry(tmp, k, answer, files); err != nil {
		return cacheFault(err)
	}
	err = os.Rename(tmp, final)
	if err == nil {
		return nil
	}
	if _, there := c.Get(k, nil); there {
		return nil
	}
	if errors.Is(err, os.ErrExist) && c.discard(final) == nil { // what lies there is no entry
		err = os.Rename(tmp, final)
	}
	return cacheFault(err)
}

func fillEntry(dir string, k Key, answer any, files string) error {
	r := record{Made: time.Now().UTC(), Parts: map[string]json.RawMessage{}}
	var err error
	for name, part := range k.Parts {
		if r.Parts[name], err = json.Marshal(part); err != nil {
			return err
		}
	}
	if r.Answer, err = json.Marshal(answer); err != nil {
		return err
	}
	err = disk.WriteJSON(filepath.Join(dir, recordFile), r)
	if err == nil && files != "" {
		err = disk.LinkTree(files, filepath.Join(dir, keptFiles))
	}
	return errors.Join(err, os.Chmod(dir, 0o755))
}

// discard removes an entry, so that nobody ever sees half of it.
func (c Results) discard(path string) error {
	away, err := c.moveAway(path)
	if err != nil {
		return err
	}
	return cacheFault(removeAll(away))
}

// moveAway takes anything of the cache folder out of everybody's sight and returns
// where it is to be removed.
func (c Results) moveAway(path string) (string, error) {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", cacheFault(err)
	}
	tmp, err := os.MkdirTemp(c.Dir, tempPattern)
	if err != nil {
		return "", cacheFault(err)
	}
	return tmp, cacheFault(os.Rename(path, filepath.Join(tmp, "gone")))
}

// removeAll removes a folder, even if what was built there forbids it.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// cacheFault types an error of the file system in the cache; nil stays nil.
func cacheFault(err error) error {
	if err == nil {
		return nil
	}
	f := vitrine.AsFault("store", disk.Fault(err))
	if f.Code == vitrine.FaultUnwritable {
		return vitrine.NewFault("store", f.Code, err, "the cache cannot be written").WithFix("choose another folder with --cache-dir DIR or VITRINE_CACHE")
	}
	return f
}
