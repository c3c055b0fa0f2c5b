package interact

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	"vitrine"
)

// A snapshot is a document made to be compared with another: its tree, its fields, its
// storage. Two snapshots are compared by structure, so they may be of different runs.
type snapshot struct {
	URL      string            `json:"url"`
	Title    string            `json:"title"`
	Nodes    []node            `json:"nodes"` // in tree order; bounded
	Scrolled [][2]float64      `json:"scrolled"`
	Scroll   float64           `json:"scroll"`
	Focus    string            `json:"focus"`
	FocusBox *vitrine.Box      `json:"focus_box"`
	Storage  map[string]string `json:"storage"`
	Draws    bool              `json:"draws"` // it can change its picture without changing its tree
}

// node is one element of a snapshot.
type node struct {
	depth      int
	tag, id    string
	attrs      uint32 // hash
	text       string // own, not its children's
	state      string // value of a field, checked or unchecked, open
	seen       bool   // a person can see it, as far as styles say
	name       string // of a field
	scroll     float64
	end        int    // index after its subtree
	sum        uint64 // hash of its subtree
	index, nth int    // nth of its siblings with the same tag, from 1
}

// UnmarshalJSON reads the list that scripts/snapshot.js makes of an element.
func (n *node) UnmarshalJSON(data []byte) error {
	var seen int
	fields := []any{&n.depth, &n.tag, &n.id, &n.attrs, &n.text, &n.state, &seen, &n.name}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	n.seen = seen == 1
	return nil
}

func (s *Session) snapshot(ctx context.Context) (*snapshot, error) {
	var snap snapshot
	if err := s.probe(ctx, &snap, "snapshot", maxNodes); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	for _, at := range snap.Scrolled {
		if i := int(at[0]); i < len(snap.Nodes) {
			snap.Nodes[i].scroll = at[1]
		}
	}
	snap.sum()
	return &snap, nil
}

// sum finds where each subtree ends and hashes it, from the last node to the first.
func (s *snapshot) sum() {
	ends := map[int]int{} // depth -> index of the next node that is not deeper
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		n := &s.Nodes[i]
		n.index, n.end = i, len(s.Nodes)
		for d := 0; d <= n.depth; d++ {
			if at, ok := ends[d]; ok {
				n.end = min(n.end, at)
			}
		}
		ends[n.depth] = i
		h := fnv.New64a()
		fmt.Fprintf(h, "%s#%s;%d;%q;%q;%t;%g", n.tag, n.id, n.attrs, n.text, n.state, n.seen, n.scroll)
		for _, c := range s.children(i) {
			h.Write([]byte(strconv.FormatUint(s.Nodes[c].sum, 36)))
		}
		n.sum = h.Sum64()
	}
	for i := range s.Nodes {
		same := map[string]int{}
		for _, c := range s.children(i) {
			same[s.Nodes[c].tag]++
			s.Nodes[c].nth = same[s.Nodes[c].tag]
		}
	}
}

func (s *snapshot) children(i int) (all []int) {
	for c := i + 1; c < s.Nodes[i].end; c = s.Nodes[c].end {
		all = append(all, c)
	}
	return all
}

// path names a node for people: from the nearest id down.
func (s *snapshot) path(i int) string {
	n := s.Nodes[i]
	if n.id != "" {
		return n.tag + "#" + n.id
	}
	own := n.tag
	if n.nth > 1 {
		own += ":nth-of-type(" + strconv.Itoa(n.nth) + ")"
	}
	for p := i - 1; p >= 0; p-- {
		if s.Nodes[p].depth == n.depth-1 {
			if n.tag == "body" || n.depth == 0 {
				return own
			}
			return s.path(p) + " > " + own
		}
	}
	return own
}

// same reports whether nothing that a snapshot shows is different.
func (s *snapshot) same(o *snapshot) bool {
	if s.URL != o.URL || s.Title != o.Title || s.Scroll != o.Scroll || s.Focus != o.Focus || len(s.Nodes) != len(o.Nodes) || len(s.Storage) != len(o.Storage) {
		return false
	}
	for k, v := range s.Storage {
		if w, ok := o.Storage[k]; !ok || v != w {
			return false
		}
	}
	return len(s.Nodes) == 0 || s.Nodes[0].sum == o.Nodes[0].sum
}
