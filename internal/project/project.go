// Package project is the only reader of what a project's files say about it: package.json,
// the lock file, the configuration of Vite, tsconfig, the environment and the routes. Each is
// read once, for all who ask. It runs nothing and reads no disk: a configuration that is code
// is given to an [Evaluator].
package project

import (
	"fmt"
	"path"

	"vitrine"
)

// MaxFiles bounds the files of a project: each is written, and read again by its tools.
const MaxFiles = 20_000

// A Project is an artifact with what its files say.
type Project struct {
	Artifact *vitrine.Artifact
	Files    map[string]string // content by clean path
	Package  Package
	Compiler Compiler
	Env      Env
	Config   Config // Vite's own defaults before [Project.Configure]
	folders  map[string]string
}

// Read reads all of a project but its configuration. A project of more than maxBytes, or one
// whose package.json cannot be used, is its own failure.
func Read(a *vitrine.Artifact, maxBytes int64) (*Project, *vitrine.BuildFailure) {
	if failure := tooLarge(a, maxBytes); failure != nil {
		return nil, failure
	}
	p := &Project{Artifact: a, Files: make(map[string]string, len(a.Files)), Config: defaults()}
	for _, f := range a.Files {
		p.Files[path.Clean(f.Path)] = f.Content
	}
	p.Compiler, p.Env = readCompiler(p.Files), readEnv(p.Files)
	return p, p.readPackage()
}

func tooLarge(a *vitrine.Artifact, maxBytes int64) *vitrine.BuildFailure {
	var size int64
	for _, f := range a.Files {
		if len(f.Path) > vitrine.MaxPath {
			return failuref(vitrine.FailureTooLarge, "the path %.100q has more than %d bytes", f.Path, vitrine.MaxPath)
		}
		size += int64(len(f.Content))
	}
	switch {
	case size > maxBytes:
		return failuref(vitrine.FailureTooLarge, "the project is %d MB, more than %d MB", size>>20, maxBytes>>20)
	case len(a.Files) > MaxFiles:
		return failuref(vitrine.FailureTooLarge, "the project has %d files, more than %d", len(a.Files), MaxFiles)
	}
	return nil
}

func failuref(code vitrine.FailureCode, format string, args ...any) *vitrine.BuildFailure {
	return &vitrine.BuildFailure{Code: code, Message: fmt.Sprintf(format, args...)}
}

// First returns the first of some files that the project has.
func (p *Project) First(names ...string) (name, content string, ok bool) {
	for _, n := range names {
		if c, ok := p.Files[n]; ok {
			return n, c, true
		}
	}
	return "", "", false
}
