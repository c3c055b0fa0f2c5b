package inputs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// names gives each output an id of its own: the row's, one made of the row's content
// and place where it has none, and one with a number where it was there before. The
// same input has the same ids at every reading, so that a run can be gone on with.
type names struct {
	given map[string]bool // ids that rows of the input have, all of them
	used  map[string]bool
}

func newNames(given map[string]bool) *names {
	return &names{given: given, used: map[string]bool{}}
}

// row names the outputs of one row. Several outputs of one prompt are a group.
func (n *names) row(r row, drafts []draft) {
	for i := range drafts {
		d := &drafts[i]
		base, given := d.ID, d.given
		if base == "" {
			base, given = madeID(r), false
		}
		if d.part != "" {
			if d.GroupID == "" {
				d.GroupID = base
			}
			base, given = base+"."+d.part, false
		}
		d.ID = n.take(base, given)
	}
}

// take is the id itself where it is free, else the first of id#2, id#3, … that is. An
// id that was made never takes one that some row has.
func (n *names) take(id string, given bool) string {
	if !n.used[id] && (given || !n.given[id]) {
		n.used[id] = true
		return id
	}
	for k := 2; ; k++ {
		if next := id + "#" + strconv.Itoa(k); !n.used[next] && !n.given[next] {
			n.used[next] = true
			return next
		}
	}
}

// madeID names a row by its place and its content.
func madeID(r row) string {
	sum := sha256.Sum256(r.value)
	return fmt.Sprintf("row%d-%s", r.at.Number(), hex.EncodeToString(sum[:4]))
}
