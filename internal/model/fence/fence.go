// Package fence puts what strangers wrote between lines that they cannot write, so
// that a model can tell data from what it is told to do.
package fence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
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
	for strings.Contains(strings.Join(data, "\n"), mark) {
		next := sha256.Sum256([]byte(mark))
		mark = hex.EncodeToString(next[:16])
	}
	return Fence(mark)
}

// Around puts data of a kind, which is ours to name, between two marked lines.
func (f Fence) Around(kind, data string) string {
	return fmt.Sprintf("DATA %s: %s\n%s\nEND %s", f, kind, data, f)
}
