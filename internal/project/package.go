package project

import (
	"encoding/json"
	"maps"
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
	Uses    map[string]string          // every declared dependency
	Fields  map[string]json.RawMessage // every key
}

// decisive are the fields of package.json that npm resolves dependencies from.
var decisive = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "overrides"}

// readPackage reads package.json.
func (p *Project) readPackage() *vitrine.BuildFailure {
	source, ok := p.Files["package.json"]
	if !ok {
		return failuref(vitrine.FailureInstall, "there is no package.json")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(source), &fields); err != nil {
		return failuref(vitrine.FailureInstall, "package.json is not JSON: %v", err)
	}
	p.Package = Package{Lock: p.Files["package-lock.json"], Uses: map[string]string{}, Fields: fields}
	_ = json.Unmarshal(fields["scripts"], &p.Package.Scripts) // a wrong shape is no script
	reduced := map[string]json.RawMessage{"name": json.RawMessage(`"site"`), "version": json.RawMessage(`"0.0.0"`), "private": json.RawMessage("true")}
	for _, name := range decisive {
		if fields[name] == nil {
			continue
		}
		reduced[name] = sorted(fields[name])
		if spec := outsider(reduced[name]); spec != "" {
			return failuref(vitrine.FailureInstall, "package.json asks for %.200q: packages come from the registry only", spec)
		}
		if name != "peerDependenciesMeta" {
			_ = json.Unmarshal(reduced[name], &p.Package.Uses) // a wrong shape declares nothing
		}
	}
	var err error
	if p.Package.Install, err = json.Marshal(reduced); err != nil { // sorted keys: equal sets give equal bytes
		return failuref(vitrine.FailureInstall, "package.json: %v", err)
	}
	return nil
}

// sorted is JSON with its keys in order, so that two ways to write the same give
// equal bytes.
func sorted(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	b, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return b
}

// outsider finds what a part of package.json asks of anybody but the registry: a
// URL, a git repository, a folder. An install reaches the registry and nothing
// else, whatever a model writes.
func outsider(raw json.RawMessage) string {
	var spec string
	if json.Unmarshal(raw, &spec) == nil {
		if isOutside(spec) {
			return spec
		}
		return ""
	}
	var nested map[string]json.RawMessage
	_ = json.Unmarshal(raw, &nested) // anything else is no dependency
	for _, name := range slices.Sorted(maps.Keys(nested)) {
		if spec := outsider(nested[name]); spec != "" {
			return spec
		}
	}
	return ""
}

// isOutside reports whether a dependency comes from elsewhere than the registry.
func isOutside(spec string) bool {
	name, alias := strings.CutPrefix(spec, "npm:")
	if alias && strings.HasPrefix(name, "@") {
		name = strings.Replace(name, "/", "", 1) // of the scope
	}
	return strings.ContainsAny(name, `:/\`)
}
