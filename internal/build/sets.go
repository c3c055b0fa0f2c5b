package build

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"
)

// DepsDir is the folder of a package store that holds the dependency sets: each
// below its key, with what was asked for in package.json and node_modules.
const DepsDir = "deps"

// A Set is an installed set of dependencies.
type Set struct {
	Key     string
	Modules string // its node_modules
	// Exact: installed for the very manifest that asked for it. Otherwise it is a
	// set that has a fitting version of everything the manifest names.
	Exact bool
}

// Sets finds dependency sets in a package store. It is safe for concurrent use.
type Sets struct {
	Store string

	mu       sync.Mutex
	versions map[string]map[string]*semver.Version // set key → package → what lies there; nil: nothing usable
}

// Find returns the set that was installed for the manifest, or else one that
// satisfies every declared version. A project with a lock file or overrides says
// more than its ranges: it only matches its own set.
func (s *Sets) Find(m *Manifest) (Set, bool) {
	modules := s.modules(m.Key)
	if isDir(modules) {
		return Set{Key: m.Key, Modules: modules, Exact: true}, true
	}
	if m.Lock != "" || m.Overrides || len(m.Uses) == 0 {
		return Set{}, false
	}
	wants := map[string]*semver.Constraints{}
	for name, text := range m.Uses {
		c, err := semver.NewConstraint(text)
		if err != nil { // a tag such as latest moves
			return Set{}, false
		}
		wants[name] = c
	}
	entries, err := os.ReadDir(filepath.Join(s.Store, DepsDir))
	if err != nil {
		return Set{}, false
	}
	for _, e := range entries { // sorted by name
		if s.satisfies(e.Name(), wants) {
			return Set{Key: e.Name(), Modules: s.modules(e.Name())}, true
		}
	}
	return Set{}, false
}

func (s *Sets) modules(key string) string {
	return filepath.Join(s.Store, DepsDir, key, "node_modules")
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (s *Sets) satisfies(key string, wants map[string]*semver.Constraints) bool {
	if !isDir(s.modules(key)) {
		return false
	}
	for name, want := range wants {
		if v := s.version(key, name); v == nil || !want.Check(v) {
			return false
		}
	}
	return true
}

// version is the version of a package in a set, nil if it is not there. Sets
// never change, so it is read once.
func (s *Sets) version(key, name string) *semver.Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.versions == nil {
		s.versions = map[string]map[string]*semver.Version{}
	}
	if s.versions[key] == nil {
		s.versions[key] = map[string]*semver.Version{}
	}
	v, known := s.versions[key][name]
	if !known {
		v = readVersion(filepath.Join(s.modules(key), filepath.FromSlash(name)), name)
		s.versions[key][name] = v
	}
	return v
}

// readVersion reads what package lies in a folder. One of another name is there
// under an alias and does not count.
func readVersion(dir, name string) *semver.Version {
	if strings.Contains(name, "..") {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	var p struct{ Name, Version string }
	if json.Unmarshal(b, &p) != nil || p.Name != name {
		return nil
	}
	v, err := semver.NewVersion(p.Version)
	if err != nil {
		return nil
	}
	return v
}
