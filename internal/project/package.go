package project

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

// A Package is what a build needs of package.json and the lock file.
type Package struct {
	// Install is the package.json that is installed from: only what decides on
	// dependencies, so that two projects that ask for the same share a set.
	Install []byte
	Lock    string // package-lock.json, may be empty
	Scripts map[string]string
	Uses    map[string]string // every declared dependency
}

// MaxFiles bounds the files of a project: each is written, and read again by its tools.
const MaxFiles = 20_000

// decisive are the fields of package.json that npm resolves dependencies from.
var decisive = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "overrides"}

// ReadPackage reads package.json. A project larger than maxBytes, or one whose
// package.json cannot be used, is its own failure.
func ReadPackage(a *vitrine.Artifact, maxBytes int64) (*Package, *vitrine.BuildFailure) {
	var size int64
	for _, f := range a.Files {
		size += int64(len(f.Content))
	}
	if size > maxBytes {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("the project is %d MB, more than %d MB", size>>20, maxBytes>>20)}
	}
	for _, f := range a.Files {
		if len(f.Path) > vitrine.MaxPath {
			return nil, &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("the path %.100q has more than %d bytes", f.Path, vitrine.MaxPath)}
		}
	}
	if len(a.Files) > MaxFiles {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("the project has %d files, more than %d", len(a.Files), MaxFiles)}
	}
	source, ok := a.File("package.json")
	if !ok {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: "there is no package.json"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(source), &fields); err != nil {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: "package.json is not JSON: " + err.Error()}
	}
	m := &Package{Uses: map[string]string{}}
	_ = json.Unmarshal(fields["scripts"], &m.Scripts) // a wrong shape is no script
	reduced := map[string]json.RawMessage{"name": json.RawMessage(`"site"`), "version": json.RawMessage(`"0.0.0"`), "private": json.RawMessage("true")}
	for _, name := range decisive {
		if fields[name] != nil {
			reduced[name] = sorted(fields[name])
			if name != "peerDependenciesMeta" {
				_ = json.Unmarshal(fields[name], &m.Uses)
			}
		}
		if spec := outsider(fields[name]); spec != "" {
			return nil, &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: fmt.Sprintf("package.json asks for %.200q: packages come from the registry only", spec)}
		}
	}
	var err error
	if m.Install, err = json.Marshal(reduced); err != nil { // sorted keys: equal sets give equal bytes
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureInstall, Message: "package.json: " + err.Error()}
	}
	m.Lock, _ = a.File("package-lock.json")
	return m, nil
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
		name, alias := strings.CutPrefix(spec, "npm:")
		if alias && strings.HasPrefix(name, "@") {
			name = strings.Replace(name, "/", "", 1) // of the scope
		}
		if strings.ContainsAny(name, `:/\`) {
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
