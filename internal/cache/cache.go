// Package cache keeps the answers of stages under keys that name everything they depend
// on, and says of a cache folder what it holds, what is in use, and what may be removed.
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

// A Key names an answer: the stage that gives it and, by name, everything that the
// answer depends on: input, settings and tool versions. The names explain to a person
// why an answer was missing.
type Key struct {
	Stage string
	Parts map[string]any
}

// Hash is equal for equal keys only, also for a key that was saved and loaded. It can be
// used as a file name.
func (k Key) Hash() string {
	b, err := json.Marshal(k.Parts)
	if err != nil {
		panic(err) // Vitrine makes keys only of values that JSON can hold
	}
	var plain any // structs become maps, which are sorted
	if err := json.Unmarshal(b, &plain); err != nil {
		panic(err)
	}
	return digest.Of(k.Stage, plain)
}

// Results keep answers by their keys. Answers are stored atomically; errors are never
// stored. The zero Results store nothing.
//
// An entry is a folder Dir/stage/ab/abcd… with record.json (the key's parts, the
// answer if it is small) and files (the answer if it is a folder). The modification time
// of record.json is the time of the last use.
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

// Get reads the answer to a key, unless answer is nil, and returns the folder with its
// files. An entry that cannot be read counts as missing.
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

// Put stores an answer and, unless files is empty, a copy of the folder files. An answer
// that is there already stays.
func (c Results) Put(k Key, answer any, files string) error {
	if c.Dir == "" {
		return nil
	}
	final := c.entry(k)
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return Fault(err)
	}
	tmp, err := os.MkdirTemp(c.Dir, tempPattern)
	if err != nil {
		return Fault(err)
	}
	defer os.RemoveAll(tmp)
	if err := fillEntry(tmp, k, answer, files); err != nil {
		return Fault(err)
	}
	err = os.Rename(tmp, final)
	if err == nil {
		return nil
	}
	if _, there := c.Get(k, nil); there {
		return nil
	}
	if errors.Is(err, os.ErrExist) && c.discard(final) == nil { // something else had the entry's path
		err = os.Rename(tmp, final)
	}
	return Fault(err)
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

// discard removes an entry, so that readers see all of it or nothing.
func (c Results) discard(path string) error {
	away, err := c.moveAway(path)
	if err != nil {
		return err
	}
	return Fault(removeAll(away))
}

// moveAway moves a file or folder of the cache into a temporary folder, where no reader
// looks for it, and returns that folder, which the caller removes.
func (c Results) moveAway(path string) (string, error) {
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return "", Fault(err)
	}
	tmp, err := os.MkdirTemp(c.Dir, tempPattern)
	if err != nil {
		return "", Fault(err)
	}
	return tmp, Fault(os.Rename(path, filepath.Join(tmp, "gone")))
}

// removeAll removes a folder, also if it contains folders without write permission.
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

// Fault returns an error of the cache's file system as a fault; nil stays nil.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	f := vitrine.AsFault("store", disk.Fault(err))
	if f.Code == vitrine.FaultUnwritable {
		return vitrine.NewFault("store", f.Code, err, "the cache cannot be written").WithFix("choose another folder with --cache-dir DIR or VITRINE_CACHE")
	}
	return f
}
