package interact

import (
	"cmp"

	"vitrine"
)

const (
	maxChanged = 20  // subtrees that an effect names
	maxWords   = 30  // texts that appeared or are gone
	maxWord    = 160 // length of each
)

// difference gathers what is different between two snapshots.
type difference struct {
	a, b    *snapshot
	effect  *vitrine.Effect
	skip    map[string]bool // paths that change by themselves
	changed map[string]bool
	texts   map[string]int // visible text -> how many more there are
	order   []string       // texts as they came
}

// compare says how b differs from a. Subtrees at the paths in skip are left out.
func compare(a, b *snapshot, skip map[string]bool) vitrine.Effect {
	var e vitrine.Effect
	d := &difference{a: a, b: b, effect: &e, skip: skip, changed: map[string]bool{}, texts: map[string]int{}}
	if len(a.Nodes) > 0 && len(b.Nodes) > 0 {
		d.nodes(0, 0)
	}
	d.addTexts()
	if a.Title != b.Title {
		d.addChanged("title")
	}
	e.Storage = storedChanges(a.Storage, b.Storage)
	if a.Focus != b.Focus {
		e.Focus = b.Focus
	}
	if by := b.Scroll - a.Scroll; by != 0 && by*by > e.Scrolled*e.Scrolled {
		e.Scrolled = by
	}
	return e
}

func (d *difference) addChanged(path string) {
	if !d.changed[path] && len(d.effect.Changed) < maxChanged {
		d.changed[path] = true
		d.effect.Changed = append(d.effect.Changed, path)
	}
}

// nodes compares two subtrees whose roots stand for each other.
func (d *difference) nodes(i, j int) {
	x, y := &d.a.Nodes[i], &d.b.Nodes[j]
	if x.sum == y.sum {
		return
	}
	path := ""
	if d.skip != nil {
		if path = d.b.path(j); d.skip[path] {
			return
		}
	}
	own := func() {
		if path == "" {
			path = d.b.path(j)
		}
		d.addChanged(path)
	}
	if x.attrs != y.attrs || x.id != y.id {
		d.effect.Attrs++
		own()
	}
	if x.seen != y.seen && x.attrs == y.attrs && x.text == y.text {
		own()
	}
	if x.text != y.text || x.seen != y.seen {
		d.countText(x, -1)
		d.countText(y, 1)
		if x.text != y.text {
			own()
		}
	}
	if x.state != y.state {
		d.effect.Values = bounded(d.effect.Values, cmp.Or(y.name, y.id, y.tag)+": "+y.state)
	}
	if by := y.scroll - x.scroll; by*by > d.effect.Scrolled*d.effect.Scrolled {
		d.effect.Scrolled = by
	}
	d.children(d.a.children(i), d.b.children(j))
}

// children aligns two lists of siblings: equal ones at both ends first, then by what
// they are.
func (d *difference) children(x, y []int) {
	for len(x) > 0 && len(y) > 0 && d.equal(x[0], y[0]) {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && d.equal(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	for len(x) > 0 && len(y) > 0 {
		if d.corresponds(x[0], y[0]) {
			d.nodes(x[0], y[0])
			x, y = x[1:], y[1:]
			continue
		}
		// One of the two has something that the other lacks: whichever comes sooner.
		inY, inX := d.find(y, func(j int) bool { return d.corresponds(x[0], j) }), d.find(x, func(i int) bool { return d.corresponds(i, y[0]) })
		if inY < 0 || inX >= 0 && inX < inY {
			d.removed(x[0])
			x = x[1:]
		} else {
			d.added(y[0])
			y = y[1:]
		}
	}
	for _, i := range x {
		d.removed(i)
	}
	for _, j := range y {
		d.added(j)
	}
}

func (d *difference) find(list []int, ok func(int) bool) int {
	for n, i := range list[:min(len(list), 50)] {
		if ok(i) {
			return n
		}
	}
	return -1
}

func (d *difference) equal(i, j int) bool { return d.a.Nodes[i].sum == d.b.Nodes[j].sum }

func (d *difference) corresponds(i, j int) bool {
	return d.a.Nodes[i].tag == d.b.Nodes[j].tag && d.a.Nodes[i].id == d.b.Nodes[j].id
}

func (d *difference) removed(i int) {
	if d.skip != nil && d.skip[d.a.path(i)] {
		return
	}
	d.effect.Removed += d.a.Nodes[i].end - i
	for n := i; n < d.a.Nodes[i].end; n++ {
		d.countText(&d.a.Nodes[n], -1)
	}
}

func (d *difference) added(j int) {
	path := d.b.path(j)
	if d.skip != nil && d.skip[path] {
		return
	}
	d.effect.Added += d.b.Nodes[j].end - j
	d.addChanged(path)
	for n := j; n < d.b.Nodes[j].end; n++ {
		d.countText(&d.b.Nodes[n], 1)
	}
}

func (d *difference) countText(n *node, by int) {
	if !n.seen || n.text == "" {
		return
	}
	if _, ok := d.texts[n.text]; !ok {
		d.order = append(d.order, n.text)
	}
	d.texts[n.text] += by
}

func (d *difference) addTexts() {
	for _, t := range d.order {
		switch n := d.texts[t]; {
		case n > 0:
			d.effect.Appeared = bounded(d.effect.Appeared, t)
		case n < 0:
			d.effect.Gone = bounded(d.effect.Gone, t)
		}
	}
}

// bounded appends a text to a list, neither too long.
func bounded(list []string, text string) []string {
	if len(list) >= maxWords {
		return list
	}
	if len(text) > maxWord {
		text = string([]rune(text)[:min(len([]rune(text)), maxWord)]) + "…"
	}
	return append(list, text)
}
