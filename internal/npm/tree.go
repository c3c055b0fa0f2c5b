package npm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// layout is part of the hash of every tree: another way to assemble makes other sets.
const layout = "1"

// A Tree is what npm resolved the dependencies of a project to, for this platform.
type Tree struct {
	// Hash identifies the packages, their contents and where each lies. It is the
	// key of the set and of everything derived from it.
	Hash     string    `json:"hash"`
	Packages []Package `json:"packages"` // by path
}

// A Package is one package in a tree.
type Package struct {
	Path string `json:"path"` // node_modules/NAME, with its parents before it
	Name string `json:"name"` // in the registry; another than in the path for an alias
	// Version and Integrity say what it is. Integrity is "sha512-" and the hash of the
	// tarball in base64; empty while it is not known, and for a bundled package.
	Version   string `json:"version"`
	Integrity string `json:"integrity,omitempty"`
	Resolved  string `json:"resolved,omitempty"` // where its tarball lies; the host does not count
	Bundled   bool   `json:"bundled,omitempty"`  // lies in the tarball of a parent
	Claim     string `json:"claim,omitempty"`    // what a lock file says of the hash, other than sha512
}

// ErrNotOfRegistry is in the chain of what a tree cannot hold: a package that does
// not come from the registry, or has an invalid name.
var ErrNotOfRegistry = errors.New("packages come from the registry only")

// locked is an entry of a package-lock.json.
type locked struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Resolved  string   `json:"resolved"`
	Integrity string   `json:"integrity"`
	Link      bool     `json:"link"`
	InBundle  bool     `json:"inBundle"`
	Optional  bool     `json:"optional"`
	Engines   any      `json:"engines"`
	OS        anyOf    `json:"os,omitempty"`
	CPU       anyOf    `json:"cpu,omitempty"`
	Libc      anyOf    `json:"libc,omitempty"`
	Requires  requires `json:"dependencies"`
	Dev       requires `json:"devDependencies"`
	MayHave   requires `json:"optionalDependencies"`
	Peers     requires `json:"peerDependencies"`

	key string // in a lock file of pnpm
}

// requires are names of dependencies with their ranges.
type requires map[string]any

// anyOf is a list, or one value for a list of it.
type anyOf []string

// UnmarshalJSON takes both; what is neither is no restriction.
func (l *anyOf) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*l = anyOf{one}
		return nil
	}
	_ = json.Unmarshal(b, (*[]string)(l))
	return nil
}

var packagePath = regexp.MustCompile(`^(node_modules/(@[A-Za-z0-9~*!'()-][A-Za-z0-9~*!'()._-]*/)?[A-Za-z0-9~*!'()-][A-Za-z0-9~*!'()._-]*(/|$))+$`)

// The most packages of a tree and the longest path of one.
const (
	maxPackages = 20_000
	maxPath     = 1024
)

// ReadLock reads a package-lock.json that npm wrote. Its error is for the author of
// the project.
func ReadLock(b []byte, here Platform) (*Tree, error) {
	var lock struct {
		Packages map[string]locked `json:"packages"`
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		return nil, fmt.Errorf("the lock file is not JSON: %w", err)
	}
	if len(lock.Packages) > maxPackages {
		return nil, fmt.Errorf("the project needs more than %d packages", maxPackages)
	}
	left := here.leftOut(lock.Packages)
	t := &Tree{Packages: []Package{}}
	for path, e := range lock.Packages {
		if path == "" || left[path] {
			continue
		}
		p, err := e.at(path)
		if err != nil {
			return nil, err
		}
		t.Packages = append(t.Packages, p)
	}
	slices.SortFunc(t.Packages, func(a, b Package) int { return cmp.Compare(a.Path, b.Path) })
	t.seal()
	return t, nil
}

func (e locked) at(path string) (Package, error) {
	if e.Link || !packagePath.MatchString(path) || len(path) > maxPath {
		return Package{}, fmt.Errorf("%w: %.100q", ErrNotOfRegistry, path)
	}
	name := cmp.Or(e.Name, path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):])
	if !packageName.MatchString(name) || strings.ContainsAny(e.Version, "/:\\") || e.Version == "" {
		return Package{}, fmt.Errorf("%w: %.100q, version %.100q", ErrNotOfRegistry, path, e.Version)
	}
	p := Package{Path: path, Name: name, Version: e.Version, Resolved: e.Resolved, Bundled: e.InBundle}
	if e.InBundle {
		p.Resolved = ""
		return p, nil
	}
	for one := range strings.FieldsSeq(e.Integrity) {
		if strings.HasPrefix(one, "sha512-") {
			p.Integrity, _, _ = strings.Cut(one, "?")
			return p, nil
		}
	}
	p.Claim = e.Integrity
	return p, nil
}

// Origin identifies where the packages of a tree come from. Work for a tree is shared
// with those who would fetch it from the same places.
func (t *Tree) Origin() string {
	sum := sha256.New()
	for _, p := range t.Packages {
		_, _ = fmt.Fprintf(sum, "%s\n", p.address())
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// seal gives the tree its hash.
func (t *Tree) seal() {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "layout %s\n", layout)
	for _, p := range t.Packages {
		_, _ = fmt.Fprintf(sum, "%s\x00%s\x00%s\x00%s\x00%t\n", p.Path, p.Name, p.Version, p.Integrity, p.Bundled)
	}
	t.Hash = hex.EncodeToString(sum.Sum(nil)[:20])
}
