package npm

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// A Workspace is a pnpm-lock.yaml of version 6: what each package of a workspace needs,
// by the path of its folder, with the hash of every package.
type Workspace struct {
	Version   string                  `yaml:"lockfileVersion"`
	Importers map[string]pnpmImporter `yaml:"importers"`
	Packages  map[string]pnpmPackage  `yaml:"packages"`
}

// pnpmImporter is a package of the workspace itself.
type pnpmImporter struct {
	Dependencies map[string]pnpmWanted `yaml:"dependencies"`
	MayHave      map[string]pnpmWanted `yaml:"optionalDependencies"`
	Dev          map[string]pnpmWanted `yaml:"devDependencies"`
}

type pnpmWanted struct {
	Version string `yaml:"version"`
}

// pnpmPackage is a package of the registry. Its peers are among its dependencies.
type pnpmPackage struct {
	Resolution struct {
		Integrity string `yaml:"integrity"`
	} `yaml:"resolution"`
	OS           []string          `yaml:"os"`
	CPU          []string          `yaml:"cpu"`
	Libc         []string          `yaml:"libc"`
	Dependencies map[string]string `yaml:"dependencies"`
	MayHave      map[string]string `yaml:"optionalDependencies"`
	Optional     bool              `yaml:"optional"`
}

// ReadWorkspace reads a pnpm-lock.yaml. Its error is for the author of the file.
func ReadWorkspace(b []byte) (*Workspace, error) {
	var w Workspace
	if err := yaml.Unmarshal(b, &w); err != nil {
		return nil, fmt.Errorf("the lock file is no YAML: %w", err)
	}
	if !strings.HasPrefix(w.Version, "6.") {
		return nil, fmt.Errorf("the lock file is of version %.20q, not 6", w.Version)
	}
	return &w, nil
}

// Tree is what a package of the workspace needs here, with the versions and hashes of the
// lock file. Packages lie as npm lays them and not as pnpm links them: at the top, and a
// second version with the package that needs it. Of packages of the workspace itself only
// what they need is in it.
func (w *Workspace) Tree(importer string, here Platform) (*Tree, error) {
	l := laying{w, map[string]locked{}, nil}
	root := locked{Requires: requires{}, MayHave: requires{}}
	if err := l.importer(importer, root, map[string]bool{}); err != nil {
		return nil, err
	}
	l.packages[""] = root
	for ; len(l.queue) > 0 && len(l.packages) <= maxPackages; l.queue = l.queue[1:] {
		if err := l.needs(l.queue[0]); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(map[string]any{"packages": l.packages})
	if err != nil {
		return nil, err
	}
	return ReadLock(b, here)
}

// laying lays packages into folders. Whoever needs a package is laid before it.
type laying struct {
	*Workspace
	packages map[string]locked // by path
	queue    []string          // paths of packages whose needs are to be laid
}

// importer lays what a package of the workspace needs, and what the others need that it
// is linked with.
func (l *laying) importer(folder string, root locked, seen map[string]bool) error {
	i, known := l.Importers[folder]
	if !known {
		return fmt.Errorf("the lock file has no %.100q", folder)
	}
	seen[folder] = true
	for _, list := range []map[string]pnpmWanted{i.Dependencies, i.MayHave, i.Dev} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			version := list[name].Version
			if to, link := strings.CutPrefix(version, "link:"); link {
				if to = path.Join(folder, to); !seen[to] {
					if err := l.importer(to, root, seen); err != nil {
						return err
					}
				}
				continue
			}
			root.Requires[name] = version
			if err := l.lay("", name, version); err != nil {
				return err
			}
		}
	}
	return nil
}

// needs lays what the package at a path needs.
func (l *laying) needs(at string) error {
	e := l.packages[at]
	for _, list := range []requires{e.Requires, e.MayHave} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			if err := l.lay(at, name, list[name].(string)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lay lays a package where the one at a path finds it: nowhere, if it finds it already, at
// the top, if there is none of its name, else with the one that needs it.
func (l *laying) lay(from, name, version string) error {
	key := keyOf(name, version)
	p, known := l.Packages[key]
	if !known || !strings.HasPrefix(key, "/") {
		return fmt.Errorf("%w: the lock file does not have %.100q", ErrNotOfRegistry, key)
	}
	there := find(l.packages, from, name)
	if there != "" && l.packages[there].key == key {
		return nil
	}
	at := path.Join("node_modules", name)
	if there != "" {
		at = path.Join(from, at)
	}
	if there == at {
		return fmt.Errorf("the workspace needs two versions of %.100q in one place", name)
	}
	real, exact := nameOf(key)
	e := locked{
		Name: real, Version: exact, Integrity: p.Resolution.Integrity, Optional: p.Optional, OS: p.OS, CPU: p.CPU, Libc: p.Libc,
		Requires: requires{}, MayHave: requires{}, key: key,
	}
	for to, versions := range map[*requires]map[string]string{&e.Requires: p.Dependencies, &e.MayHave: p.MayHave} {
		for name, version := range versions {
			(*to)[name] = version
		}
	}
	l.packages[at] = e
	l.queue = append(l.queue, at)
	return nil
}

// keyOf is the key of a package in the lock file: for an alias the version is the key.
func keyOf(name, version string) string {
	if strings.HasPrefix(version, "/") {
		return version
	}
	return "/" + name + "@" + version
}

// nameOf is the name and the version in a key such as /@a/b@1.0.0(c@2.0.0).
func nameOf(key string) (name, version string) {
	plain, _, _ := strings.Cut(key[1:], "(")
	if i := strings.LastIndex(plain, "@"); i > 0 {
		return plain[:i], plain[i+1:]
	}
	return plain, ""
}
