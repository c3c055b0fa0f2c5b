package project

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"vitrine"
)

// A Package is what package.json and the lock file say.
type Package struct {
	// Install is the package.json that is installed from: only what decides on
	// dependencies, so that two projects that ask for the same share a set.
	Install []byte
	Lock    string // package-lock.json, may be empty
	Scripts map[string]string
	Uses    map[string]string // what is declared by name, without what is local
	// Local are the dependencies that are the project itself or lie in it: its folder by
	// name, "." for the project.
	Local  map[string]string
	Fields map[string]json.RawMessage // every key

	name, version string // of the project; empty if it has none
}

// maxLocal is how many dependencies may lie in the project: each is a link.
const maxLocal = 200

// dependencyFields are the fields of package.json that npm resolves dependencies from.
var dependencyFields = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "overrides"}

// readPackage reads package.json, and those of the dependencies that lie in the project.
func (p *Project) readPackage() *vitrine.BuildFailure {
	source, ok := p.Files["package.json"]
	if !ok {
		return failuref(vitrine.FailureInstall, "there is no package.json")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(source), &fields); err != nil {
		return failuref(vitrine.FailureInstall, "package.json is not JSON: %v", err)
	}
	p.Package = Package{Lock: p.Files["package-lock.json"], Uses: map[string]string{}, Local: map[string]string{}, Fields: fields}
	p.Package.name, _ = stringOf(fields["name"])
	p.Package.version, _ = stringOf(fields["version"])
	_ = json.Unmarshal(fields["scripts"], &p.Package.Scripts) // a wrong shape is no script
	reduced := map[string]json.RawMessage{"name": json.RawMessage(`"site"`), "version": json.RawMessage(`"0.0.0"`), "private": json.RawMessage("true")}
	for _, name := range dependencyFields {
		if fields[name] == nil {
			continue
		}
		reduced[name] = p.removeLocal(name, fields[name])
		if spec := externalSpec(reduced[name]); spec != "" {
			return failuref(vitrine.FailureInstall, "package.json asks for %.200q: packages come from the registry only, or lie in the project's own folder", spec)
		}
		if name != "peerDependenciesMeta" {
			_ = json.Unmarshal(reduced[name], &p.Package.Uses) // a wrong shape declares nothing
		}
	}
	p.addLocal(reduced)
	if len(p.Package.Local) > maxLocal {
		return failuref(vitrine.FailureInstall, "more than %d dependencies lie in the project's own folder", maxLocal)
	}
	var err error
	if p.Package.Install, err = json.Marshal(reduced); err != nil { // sorted keys: equal sets give equal bytes
		return failuref(vitrine.FailureInstall, "package.json: %v", err)
	}
	return nil
}

// removeLocal removes local dependencies from a list of dependencies, and sorts the rest, so
// that two ways to write the same give equal bytes.
func (p *Project) removeLocal(list string, raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	if specs, ok := v.(map[string]any); ok && strings.HasSuffix(list, "ependencies") {
		for name, spec := range specs {
			text, _ := spec.(string)
			if folder, ok := p.local(name, text); ok {
				p.Package.Local[name] = folder
				delete(specs, name)
			}
		}
	}
	if b, err := json.Marshal(v); err == nil {
		return b
	}
	return raw
}

// local finds the folder of a dependency that is the project itself or lies in it. A range
// of versions is of the project itself where it names the version that the project has.
func (p *Project) local(name, spec string) (folder string, ok bool) {
	if !packageName(name) {
		return "", false
	}
	kind, rest, _ := strings.Cut(spec, ":")
	self := p.Package.name == name
	switch kind {
	case "file", "link":
		if folder = path.Clean(rest); folder == "." {
			return folder, true
		}
		_, ok = p.Files[folder+"/package.json"]
		return folder, ok && inside(folder)
	case "workspace":
		if self {
			return ".", true
		}
		folder, ok = p.workspacePackages()[name]
		return folder, ok
	}
	version := p.Package.version
	return ".", self && version != "" && strings.TrimLeft(spec, "^~=v ") == version
}

// inside reports whether a clean path stays in the project.
func inside(folder string) bool {
	return folder != ".." && !strings.HasPrefix(folder, "../") && !strings.HasPrefix(folder, "/")
}

// packageName reports whether a name is one that a package can have: it becomes a path.
func packageName(name string) bool {
	scope, rest, scoped := strings.Cut(name, "/")
	plain := func(s string) bool {
		return s != "" && len(s) <= maxPackageName && !strings.HasPrefix(s, ".") && !strings.ContainsAny(s, `/\: `) && vitrine.Printable(s)
	}
	return plain(scope) && scoped == strings.HasPrefix(name, "@") && (!scoped || plain(rest))
}

const maxPackageName = 214 // npm's own limit

// workspacePackages are the folders of the packages in the project by name, of two of one name the
// one with the shorter path.
func (p *Project) workspacePackages() map[string]string {
	if p.folders != nil {
		return p.folders
	}
	p.folders = map[string]string{}
	names := slices.SortedFunc(maps.Keys(p.Files), func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	for _, file := range names {
		folder, base := path.Split(file)
		if base != "package.json" || folder == "" || !inside(folder) || strings.Contains("/"+folder, "/node_modules/") {
			continue
		}
		var fields struct{ Name string }
		_ = json.Unmarshal([]byte(p.Files[file]), &fields) // what is no JSON has no name
		if _, ok := p.folders[fields.Name]; !ok {
			p.folders[fields.Name] = path.Clean(folder)
		}
	}
	return p.folders
}

// addLocal adds what the local dependencies depend on to what is installed. What the project
// asks for itself stays; whatever is no package of the registry is left out.
func (p *Project) addLocal(reduced map[string]json.RawMessage) {
	more := map[string]string{}
	_ = json.Unmarshal(reduced["dependencies"], &more) // a wrong shape is npm's to refuse
	before := len(more)
	waiting := slices.Sorted(maps.Values(p.Package.Local))
	for seen := map[string]bool{".": true}; len(waiting) > 0 && len(p.Package.Local) <= maxLocal; waiting = waiting[1:] {
		folder := waiting[0]
		if seen[folder] {
			continue
		}
		seen[folder] = true
		var fields struct{ Dependencies map[string]string }
		_ = json.Unmarshal([]byte(p.Files[folder+"/package.json"]), &fields)
		for _, name := range slices.Sorted(maps.Keys(fields.Dependencies)) {
			spec := fields.Dependencies[name]
			if below, ok := p.localOf(folder, name, spec); ok {
				if _, there := p.Package.Local[name]; !there {
					p.Package.Local[name] = below
					waiting = append(waiting, below)
				}
				continue
			}
			if _, declared := p.Package.Uses[name]; !declared && !isExternal(spec) {
				more[name], p.Package.Uses[name] = spec, spec
			}
		}
	}
	if len(more) > before {
		reduced["dependencies"], _ = json.Marshal(more) // texts marshal
	}
}

// localOf is [Project.local] for a dependency of a package in a folder.
func (p *Project) localOf(folder, name, spec string) (string, bool) {
	for _, kind := range []string{"file:", "link:"} {
		if rest, ok := strings.CutPrefix(spec, kind); ok && !path.IsAbs(rest) {
			return p.local(name, kind+path.Join(folder, rest))
		}
	}
	return p.local(name, spec)
}

// externalSpec finds what a part of package.json asks of anybody but the registry: a
// URL, a git repository, a folder. An install reaches the registry and nothing
// else, whatever a model writes.
func externalSpec(raw json.RawMessage) string {
	var spec string
	if json.Unmarshal(raw, &spec) == nil {
		if isExternal(spec) {
			return spec
		}
		return ""
	}
	var nested map[string]json.RawMessage
	_ = json.Unmarshal(raw, &nested) // anything else is no dependency
	for _, name := range slices.Sorted(maps.Keys(nested)) {
		if spec := externalSpec(nested[name]); spec != "" {
			return spec
		}
	}
	return ""
}

// isExternal reports whether a dependency comes from elsewhere than the registry.
func isExternal(spec string) bool {
	name, alias := strings.CutPrefix(spec, "npm:")
	if alias && strings.HasPrefix(name, "@") {
		name = strings.Replace(name, "/", "", 1) // of the scope
	}
	return strings.ContainsAny(name, `:/\`)
}
