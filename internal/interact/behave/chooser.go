package behave

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A chooser is a set of options of which a person picks one: a list, radio buttons, boxes,
// or buttons side by side.
type chooser struct {
	place   *place
	kind    string // "list", "boxes" or "buttons"
	label   string
	region  string
	options []option
	score   float64
}

type option struct{ label, path string }

var neutral = []string{"all", "any", "everything", "none", "default", "show all", "reset", "clear", "全部", "所有", "不限"}

// isNeutral reports whether an option asks for everything.
func isNeutral(label string) bool {
	label = bareLabel(label)
	return placeholder.MatchString(label) || slices.Contains(neutral, strings.ToLower(strings.Join(wordsOf(label), " "))) || index(wordsOf(label), []string{"all"}) == 0 || index(wordsOf(label), []string{"every"}) == 0 ||
		strings.HasPrefix(label, "全部") || strings.HasPrefix(label, "所有")
}

// choosers are the sets of options of a place.
func (pl *place) choosers() (all []chooser) {
	v, taken := pl.view, map[string]bool{}
	boxes := map[string]*chooser{}
	var order []string
	for i, c := range v.Controls {
		f := v.Facts[i]
		switch {
		case off(c):
		case c.Tag == "select":
			ch := chooser{place: pl, kind: "list", label: strings.Join([]string{c.Name, f.Context, identifier(c.Path), f.FieldName}, " "), region: f.Region}
			for _, o := range f.Options {
				if !strings.HasPrefix(o, "\x00") {
					ch.options = append(ch.options, option{o, c.Path})
				}
			}
			all = append(all, ch)
		case c.Type == "checkbox" || c.Type == "radio":
			key := c.Type + f.Group + "|" + f.Form + "|" + upper(c.Path, 3)
			if c.Type == "radio" {
				key = c.Type + f.Group
			}
			if boxes[key] == nil {
				boxes[key] = &chooser{place: pl, kind: "boxes", label: f.FieldName + " " + f.Context, region: f.Region}
				if c.Type == "radio" {
					boxes[key].kind = "buttons"
				}
				order = append(order, key)
			}
			boxes[key].options = append(boxes[key].options, option{c.Name, c.Path})
		}
	}
	for _, k := range order {
		all = append(all, *boxes[k])
	}
	for _, g := range v.survey.Groups {
		ch := chooser{place: pl, kind: "buttons", label: identifier(g.Path) + " " + strings.ReplaceAll(g.Kind[strings.LastIndex(g.Kind, "|")+1:], "-", " "), region: g.Region}
		for _, r := range g.Rows {
			if o, ok := v.pill(r); ok && !taken[o.path] {
				ch.options = append(ch.options, o)
			}
		}
		if len(ch.options) < 2 || len(ch.options) != len(g.Rows) && len(ch.options) < 3 {
			continue
		}
		for _, o := range ch.options {
			taken[o.path] = true
		}
		all = append(all, ch)
	}
	all = append(all, pl.inline(taken)...)
	return slices.DeleteFunc(all, func(c chooser) bool { return len(c.options) < 2 && c.kind != "boxes" })
}

// inline are sets of three buttons and more of one class in a line of text, whose parts are no rows.
func (pl *place) inline(taken map[string]bool) (all []chooser) {
	sets := map[string]int{}
	for i, c := range pl.view.Controls {
		f := pl.view.Facts[i]
		class, _, _ := strings.Cut(f.Look, " ")
		if c.Role != "button" || off(c) || taken[c.Path] || class == "" || len(wordsOf(c.Name)) > 6 {
			continue
		}
		key := upper(c.Path, 1) + "|" + class
		at, known := sets[key]
		if !known {
			at = len(all)
			sets[key] = at
			all = append(all, chooser{place: pl, kind: "buttons", label: identifier(upper(c.Path, 1)) + " " + strings.ReplaceAll(class, "-", " "), region: f.Region})
		}
		all[at].options = append(all[at].options, option{c.Name, c.Path})
	}
	return slices.DeleteFunc(all, func(ch chooser) bool { return len(ch.options) < 3 })
}

// pill is a row that is one button.
func (v *view) pill(r interact.Row) (option, bool) {
	if len(strings.Fields(r.Text)) > 6 {
		return option{}, false
	}
	for _, path := range r.Controls {
		c, f, ok := v.control(path)
		if !ok || off(c) || !clickable(c) || c.Type == "checkbox" || c.Type == "radio" || f.Submits && c.Role != "button" {
			continue
		}
		if path == r.Path || len(r.Controls) == 1 {
			return option{cmp.Or(c.Name, r.Text), path}, true
		}
	}
	return option{}, false
}

// upper is a path without its last n steps.
func upper(path string, n int) string {
	steps := strings.Split(path, " > ")
	return strings.Join(steps[:max(len(steps)-n, 0)], " > ")
}

// pick chooses an option and reads the page. Other boxes of the set are unchecked.
func (p *prover) pick(ctx context.Context, ch chooser, o option) *view {
	switch ch.kind {
	case "list":
		p.choose(ctx, o.path, o.label)
	case "boxes":
		now := p.look(ctx)
		for _, other := range ch.options {
			c, _, ok := now.control(other.path)
			if ok && (slices.Contains(c.States, "checked") != (other.path == o.path)) {
				kind := vitrine.ActUncheck
				if other.path == o.path {
					kind = vitrine.ActCheck
				}
				p.do(ctx, vitrine.Action{Kind: kind, Target: at(other.path)})
			}
		}
	default:
		p.click(ctx, p.again(ctx, o))
	}
	return p.look(ctx)
}

// only picks an option of buttons of which several can be on: others that are on are
// taken back.
func (p *prover) only(ctx context.Context, ch chooser, o option) *view {
	now := p.look(ctx)
	if ch.kind != "buttons" || isNeutral(o.label) || !ch.on(now, o) {
		now = p.pick(ctx, ch, o)
	}
	if ch.kind != "buttons" || isNeutral(o.label) {
		return now
	}
	for _, other := range ch.options {
		if other != o && !isNeutral(other.label) && ch.on(now, other) {
			now = p.pick(ctx, ch, other)
		}
	}
	return now
}

// on reports whether an option is shown to be chosen: by its state, or by classes that it
// did not have when the page was opened, unless another one had just these then: it is the
// one that was chosen at first, and is no more.
func (ch chooser) on(v *view, o option) bool {
	c, f, ok := v.control(o.path)
	_, was, known := ch.place.view.control(o.path)
	if !ok || c.Name != o.label {
		return false
	}
	if isSelected(c) || slices.Contains(c.States, "checked") {
		return true
	}
	return known && len(strings.Fields(f.Look)) > len(strings.Fields(was.Look)) && !slices.ContainsFunc(ch.options, func(other option) bool {
		_, at, ok := ch.place.view.control(other.path)
		return ok && other != o && sameClasses(at.Look, f.Look)
	})
}

// sameClasses reports whether two lists of classes have the same ones, in whatever order.
func sameClasses(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// again is the path of an option as the page stands: that of the control with its label,
// where the page was arranged otherwise meanwhile.
func (p *prover) again(ctx context.Context, o option) string {
	v := p.look(ctx)
	if c, _, ok := v.control(o.path); ok && (c.Name == o.label || o.label == "" || len(numbers(c.Name)) > 0) {
		return o.path
	}
	for _, c := range v.Controls {
		if c.Name == o.label && clickable(c) && !off(c) {
			return c.Path
		}
	}
	return o.path
}

// ranked are the choosers of the site with a score above 0, best first; one that stands in
// several places once.
func (p *prover) ranked(score func(chooser) float64) []chooser {
	var all []chooser
	known := map[string]bool{}
	for _, pl := range p.site.places {
		for _, ch := range pl.choosers() {
			key := ch.kind
			for _, o := range ch.options {
				key += "|" + o.label + o.path
			}
			if ch.score = score(ch) - 2*float64(p.site.depth(pl)); ch.score > 0 && !known[key] {
				known[key] = true
				all = append(all, ch)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b chooser) int { return cmp.Compare(b.score, a.score) })
	return all
}

// narrows reports whether the options filter or sort rows, by what they are called: what
// shows other rows sets and customises nothing.
func (ch chooser) narrows() bool {
	return sortLabel.MatchString(strings.Join(append(ch.labels(), ch.label), " | ")) || matches(ch.label, []string{"filter", "筛选"}) > 0 ||
		slices.ContainsFunc(ch.options, func(o option) bool { return index(wordsOf(o.label), []string{"all"}) == 0 })
}

// labels are those of the options.
func (ch chooser) labels() (all []string) {
	for _, o := range ch.options {
		all = append(all, o.label)
	}
	return all
}

// shuffled are options in an order that the page cannot foresee.
func (p *prover) shuffled(all []option) []option {
	all = slices.Clone(all)
	for i := len(all) - 1; i > 0; i-- {
		j := p.tokens.number(0, i)
		all[i], all[j] = all[j], all[i]
	}
	return all
}
