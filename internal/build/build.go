// Package build holds what every builder needs to know about the source of a
// project: below which path it is served.
// The builders are its subpackages: static, component and exact.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// DefaultMaxBytes bounds the files of an artifact and of a built site.
const DefaultMaxBytes = 100 << 20

// MaxSource bounds a source file that is parsed in this process, in bytes. A parser
// goes one call deeper with each bracket, and a file of 200 000 of them ends the
// process: Go cannot recover from a stack that is used up.
const MaxSource = 128 << 10

// Hash identifies a set of files by their paths and contents.
func Hash(files map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%d %s %d ", len(name), name, len(files[name]))
		sum.Write(files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

var (
	basePattern = regexp.MustCompile(`(?m)^[^/\n]*\bbase\s*:\s*["'` + "`" + `]([^"'` + "`" + `\n]+)["'` + "`" + `]`)
)

// Base returns the path below which a project says it is served: the base of its
// Vite configuration, else "/".
func Base(a *vitrine.Artifact) string {
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Path, "vite.config.") {
			continue
		}
		if m := basePattern.FindStringSubmatch(f.Content); m != nil && strings.HasPrefix(m[1], "/") {
			return path.Clean(m[1])
		}
	}
	return "/"
}

var outDirPattern = regexp.MustCompile(`\boutDir\s*:\s*["'` + "`" + `]([A-Za-z0-9_./-]+)["'` + "`" + `]`)

// maxOutDirs is more than any configuration names; each is looked for.
const maxOutDirs = 20

// OutDirs are the output folders named in the Vite configuration.
func OutDirs(a *vitrine.Artifact) []string {
	var dirs []string
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Path, "vite.config.") {
			continue
		}
		for _, m := range outDirPattern.FindAllStringSubmatch(f.Content, maxOutDirs) {
			dirs = append(dirs, m[1])
		}
	}
	return dirs
}

// Bounded cuts a text of a project for a message of ours to at most n bytes.
func Bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
