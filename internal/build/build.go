// Package build says what a [Builder] is, and holds what builders share: hashes of sites, sets
// of dependencies, and what a source must be like to be parsed in this process. The builders
// are its subpackages.
package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// Bounded cuts a text of a project for a message of ours to at most n bytes.
func Bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
