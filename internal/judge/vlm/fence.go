package vlm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A fence is the mark of the lines between which a call has its data. It is the
// hash of that data: who writes a page cannot know it, since writing it into the
// page changes it, and the same call always has the same.
type fence string

func newFence(data []string) fence {
	h := sha256.New()
	for _, d := range data {
		fmt.Fprintf(h, "%d\n%s", len(d), d)
	}
	mark := hex.EncodeToString(h.Sum(nil)[:16])
	for strings.Contains(strings.Join(data, "\n"), mark) {
		next := sha256.Sum256([]byte(mark))
		mark = hex.EncodeToString(next[:16])
	}
	return fence(mark)
}

// around puts data of a kind, which is ours to name, between two marked lines.
func (f fence) around(kind, data string) string {
	return fmt.Sprintf("DATA %s: %s\n%s\nEND %s", f, kind, data, f)
}
