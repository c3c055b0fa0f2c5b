// Package fence puts what strangers wrote between lines that they cannot write, so
// that a model can tell data from what it is told to do.
package fence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
)

// A Fence is the mark of the lines between which a call has its data. It is the
// hash of that data: who writes a page cannot know it, since writing it into the
// page changes it, and the same call always has the same.
type Fence string

// New is the fence for all data of a call.
func New(data []string) Fence {
	h := sha256.New()
	for _, d := range data {
		fmt.Fprintf(h, "%d\n%s", len(d), d)
	}
	mark := hex.EncodeToString(h.Sum(nil)[:16])
	for Fence(mark).In(data...) {
		next := sha256.Sum256([]byte(mark))
		mark = hex.EncodeToString(next[:16])
	}
	return Fence(mark)
}

// In reports whether the mark stands in some data, also in disguise: in capitals or
// full-width letters, with anything between its digits, over several lines or pieces.
// A page may learn it from a model that was led to type it.
func (f Fence) In(data ...string) bool {
	return strings.Contains(strings.Map(digit, strings.Join(data, "")), string(f))
}

// digit keeps the digits of a mark, however they are written, and drops the rest.
func digit(r rune) rune {
	switch {
	case r >= 0xE0020 && r <= 0xE007E: // invisible copies of ASCII
		r -= 0xE0000
	case r >= 0xFF01 && r <= 0xFF5E: // full-width forms
		r -= 0xFEE0
	}
	switch r = unicode.ToLower(r); {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'f':
		return r
	}
	return -1
}

// Around puts data of a kind, which is ours to name, between two marked lines.
func (f Fence) Around(kind, data string) string {
	return fmt.Sprintf("DATA %s: %s\n%s\nEND %s", f, kind, data, f)
}
