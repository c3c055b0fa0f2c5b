package embed

import (
	"cmp"
	"container/heap"
)

// symbol is a token in a list of them. One that was merged into that before it is gone.
type symbol struct {
	id         int32
	prev, next int32 // -1: none
	gone       bool
}

// candidate is a pair that can be merged. At is the place of the left one.
type candidate struct {
	merge
	at   int32
	pair pair
}

// merged are the tokens of a text whose spaces are ▁ already: those of its characters,
// merged by the earliest rule first, and of the same the leftmost.
func (t *tokenizer) merged(text string) []int32 {
	list := t.characters(text)
	queue := make(candidates, 0, len(list))
	for i := range list {
		if c, ok := t.candidate(list, int32(i)); ok {
			queue = append(queue, c)
		}
	}
	heap.Init(&queue)
	for len(queue) > 0 {
		c := heap.Pop(&queue).(candidate)
		left := &list[c.at]
		if left.gone || left.next < 0 || (pair{left.id, list[left.next].id}) != c.pair {
			continue // what it was of was merged with others
		}
		right := &list[left.next]
		left.id, left.next, right.gone = c.id, right.next, true
		if left.next >= 0 {
			list[left.next].prev = c.at
		}
		for _, at := range []int32{left.prev, c.at} {
			if c, ok := t.candidate(list, at); ok {
				heap.Push(&queue, c)
			}
		}
	}
	ids := make([]int32, 0, len(list)/3)
	for _, s := range list {
		if !s.gone {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// characters are the tokens of single characters, of bytes where there are none.
func (t *tokenizer) characters(text string) []symbol {
	list := make([]symbol, 0, len(text))
	add := func(id int32) {
		list = append(list, symbol{id: id, prev: int32(len(list)) - 1, next: int32(len(list)) + 1})
	}
	for _, r := range text {
		char := string(r)
		if id, ok := t.ids[char]; ok {
			add(id)
			continue
		}
		for i := range len(char) {
			add(t.bytes[char[i]])
		}
	}
	if len(list) > 0 {
		list[len(list)-1].next = -1
	}
	return list
}

// candidate is the pair that begins at a place, if a rule merges it.
func (t *tokenizer) candidate(list []symbol, at int32) (c candidate, ok bool) {
	if at < 0 || list[at].next < 0 {
		return c, false
	}
	p := pair{list[at].id, list[list[at].next].id}
	m, ok := t.merges[p]
	return candidate{m, at, p}, ok
}

// candidates are a heap, the earliest rule first and of the same the leftmost.
type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(c[i].rank, c[j].rank), cmp.Compare(c[i].at, c[j].at)) < 0
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
