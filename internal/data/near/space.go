package near

import (
	"cmp"
	"slices"
)

// A Feature is a hash or a code of one thing that items may have in common.
type Feature uint64

// A Counted feature is how often an item has it.
type Counted struct {
	Feature Feature
	Count   uint32
}

// A Bag is an item's features, sorted by their numbers in a [Space]: after
// [Space.Rank], the most frequent first.
type Bag struct {
	IDs    []uint32
	Counts []uint32 // as long as IDs; nil where only the set counts
}

// A Space numbers the features of a collection and counts in how many items each is. It
// is not safe for concurrent use.
type Space struct {
	ids  map[Feature]uint32
	seen []uint32 // by number, the items that have the feature
	n    int
}

// NewSpace is an empty space.
func NewSpace() *Space { return &Space{ids: map[Feature]uint32{}} }

// Add counts an item. Each feature is there once.
func (s *Space) Add(features []Counted, set bool) Bag {
	s.n++
	b := Bag{IDs: make([]uint32, len(features))}
	if !set {
		b.Counts = make([]uint32, len(features))
	}
	for i, f := range features {
		id, ok := s.ids[f.Feature]
		if !ok {
			id = uint32(len(s.seen))
			s.ids[f.Feature] = id
			s.seen = append(s.seen, 0)
		}
		s.seen[id]++
		b.IDs[i] = id
		if !set {
			b.Counts[i] = f.Count
		}
	}
	return b
}

// Rank numbers the features anew, the most frequent first, in the space and in all bags
// that were made by it. After it nothing can be added.
func (s *Space) Rank(bags []Bag) {
	order := make([]uint32, len(s.seen))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.seen[b], s.seen[a]), cmp.Compare(a, b))
	})
	rank, seen := make([]uint32, len(order)), make([]uint32, len(order))
	for r, id := range order {
		rank[id], seen[r] = uint32(r), s.seen[id]
	}
	s.seen, s.ids = seen, nil
	for _, b := range bags {
		b.rank(rank)
	}
}

func (b Bag) rank(rank []uint32) {
	if b.Counts == nil {
		for i, id := range b.IDs {
			b.IDs[i] = rank[id]
		}
		slices.Sort(b.IDs)
		return
	}
	both := make([]uint64, len(b.IDs))
	for i, id := range b.IDs {
		both[i] = uint64(rank[id])<<32 | uint64(b.Counts[i])
	}
	slices.Sort(both)
	for i, v := range both {
		b.IDs[i], b.Counts[i] = uint32(v>>32), uint32(v)
	}
}
