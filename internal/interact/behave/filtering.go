package behave

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// A filtering is the rows of a list while the options of a set are picked one by one.
type filtering struct {
	rows                   table
	ch                     chooser
	last                   option
	changed, told, partial int
	sets                   map[string]bool // of rows that were left
	said                   []string
	sizes                  []int // of the sets
	kinds                  bool  // an option left all rows that it names, and others
}

func (f *filtering) hasNeutral() bool { return slices.ContainsFunc(f.ch.labels(), isNeutral) }

// try picks an option twice, with the neutral one between where there is one, and says
// what is wrong with the rows that it leaves.
func (f *filtering) try(ctx context.Context, p *prover, o option) string {
	v := p.applied(ctx, f.ch, o, &f.rows)
	got := f.rows.left(v)
	f.last = o
	if len(got) < len(f.rows.rows) {
		f.changed++
	}
	if len(got) > 0 && len(got) < len(f.rows.rows) {
		f.partial++
	}
	f.sets[fmt.Sprint(got)] = true
	f.sizes = append(f.sizes, len(got))
	want, may := f.rows.named(o.label)
	switch {
	case len(want) > 0 && len(want) < len(f.rows.rows):
		if !subset(want, got) {
			return fmt.Sprintf("%q loses a row that has this value", o.label)
		}
		if !subset(got, may) {
			f.kinds = true
			return fmt.Sprintf("%q leaves %d rows, of which %d have this value", o.label, len(got), len(want))
		}
		if others := f.strangers(v, o.label); others != "" {
			return fmt.Sprintf("%q shows the row %q, which does not have this value", o.label, others)
		}
		f.told++
	case len(got) > 0 && len(got) < len(f.rows.rows): // the same again
		if f.ch.kind == "boxes" || f.ch.kind == "list" || len(f.ch.options) > 1 {
			other := f.ch.options[(slices.Index(f.ch.options, o)+1)%len(f.ch.options)]
			p.applied(ctx, f.ch, other, nil)
			if twice := f.rows.left(p.applied(ctx, f.ch, o, &f.rows)); !slices.Equal(got, twice) {
				return fmt.Sprintf("%q leaves other rows the second time", o.label)
			}
		}
	}
	f.said = append(f.said, fmt.Sprintf("%q %d", o.label, len(got)))
	return ""
}

// mostly reports whether each of three options and more leaves more than half of the rows, but
// not all: of kinds that part them they cannot.
func (f *filtering) mostly() bool {
	n := len(f.rows.rows)
	return len(f.sizes) > 2 && n > 3 && !slices.ContainsFunc(f.sizes, func(k int) bool { return 2*k <= n || k == n })
}

var (
	openState = regexp.MustCompile(`(?i)^\W*(active|open|pending|to ?do|undone|incomplete|unfinished|remaining|not done|进行中|未完成|待办)\W*$`)
	doneState = regexp.MustCompile(`(?i)^\W*(completed?|done|finished|closed|已完成|完成)\W*$`)
)

// statesApart proves, of options that part what is done from what is not, that a row which is
// ticked goes from one to the other.
func (f *filtering) statesApart(ctx context.Context, p *prover) string {
	var opened, done option
	for _, o := range f.ch.options {
		switch {
		case openState.MatchString(o.label):
			opened = o
		case doneState.MatchString(o.label):
			done = o
		}
	}
	if opened.path == "" || done.path == "" {
		return ""
	}
	v := p.applied(ctx, f.ch, opened, nil)
	before := f.rows.left(v)
	if len(before) == 0 {
		return ""
	}
	row, box := f.rows.rows[before[0]], v.tickOf(f.rows.rows[before[0]].Text)
	if box == "" { // drawn ones, too
		here := v.only(func(g interact.Group) bool {
			return slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return r.Text == row.Text })
		})
		for _, a := range p.statusActs(here, statusWords) {
			if a.text == row.Text {
				box = a.control.Path
			}
		}
	}
	if box == "" || len(row.Cells) == 0 {
		return ""
	}
	title := slices.MaxFunc(row.Cells, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	p.click(ctx, box)
	left := f.rows.left(p.applied(ctx, f.ch, opened, nil))
	ended := p.applied(ctx, f.ch, done, nil)
	switch {
	case p.err != nil || p.spent:
	case slices.Contains(left, before[0]):
		return fmt.Sprintf("%q leaves a row that was ticked", opened.label)
	case !ended.has(title):
		return fmt.Sprintf("%q loses a row that was ticked", done.label)
	}
	return ""
}

// tickOf is the only box in the row that shows a text; empty without one.
func (v *view) tickOf(text string) (path string) {
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if r.Text != text {
				continue
			}
			for _, c := range r.Controls {
				if box, _, ok := v.control(c); ok && (box.Role == "checkbox" || box.Type == "checkbox") && !off(box) {
					if path != "" && path != c {
						return ""
					}
					path = c
				}
			}
		}
	}
	return path
}

// strangers is a row that was not there before and does not hold the value.
func (f *filtering) strangers(v *view, label string) string {
	lists := v.lists()
	if len(lists) == 0 {
		return ""
	}
	box := upper(f.rows.rows[0].Path, 1)
	in := func(g interact.Group, box string) bool { return len(g.Rows) > 0 && upper(g.Rows[0].Path, 1) == box }
	i := slices.IndexFunc(lists, func(g interact.Group) bool { return in(g, box) })
	if i < 0 { // it stands elsewhere now, or has too few rows for a list: then others that were there are not meant
		i = slices.IndexFunc(lists, func(g interact.Group) bool {
			return !slices.ContainsFunc(f.ch.place.view.lists(), func(was interact.Group) bool { return len(g.Rows) > 0 && in(was, upper(g.Rows[0].Path, 1)) })
		})
	}
	if i < 0 {
		return ""
	}
	t := tableOf(body(lists[i]))
	with := t.holding(label)
	if len(with) == 0 { // rows of another kind than those of the list
		return ""
	}
	for i := range t.rows {
		if !slices.Contains(with, i) {
			return t.rows[i].Text
		}
	}
	return ""
}

// back takes the last choice back and says whether rows are missing then.
func (f *filtering) back(ctx context.Context, p *prover) string {
	v := p.look(ctx)
	if v = f.reset(ctx, p, v); v == nil {
		return ""
	}
	if n := len(f.rows.left(v)); n < len(f.rows.rows) {
		return fmt.Sprintf("taking the choice back brings %d of %d rows back", n, len(f.rows.rows))
	}
	return ""
}

func (f *filtering) reset(ctx context.Context, p *prover, v *view) *view {
	for _, o := range f.ch.options {
		if isNeutral(o.label) {
			return p.applied(ctx, f.ch, o, nil)
		}
	}
	switch f.ch.kind {
	case "boxes":
		return p.applied(ctx, chooser{kind: "boxes", options: f.ch.options}, option{}, nil)
	case "list":
		return nil
	}
	best, path := 55.0, ""
	for _, c := range v.Controls {
		if s := matches(c.Name, resetWords); s > best && clickable(c) && !off(c) && !c.Covered {
			best, path = s, c.Path
		}
	}
	if path != "" {
		p.click(ctx, path)
		return p.look(ctx)
	}
	toggled := p.pick(ctx, f.ch, f.last)
	if len(f.rows.left(toggled)) > len(f.rows.left(v)) {
		return toggled
	}
	return nil
}

// named are the rows that have an option's value in a cell of its own, or in its range,
// and the rows that may be left by it: those that hold its words anywhere.
func (t table) named(label string) (want, may []int) {
	if low, high, ok := rangeOf(label); ok {
		for i, r := range t.rows {
			n, money := moneyOf(r.Text)
			if money && n >= low && n <= high {
				want = append(want, i)
			}
			if !money || n >= low-0.01 && n <= high+0.01 {
				may = append(may, i)
			}
		}
		if len(may) < len(t.rows) {
			return want, may
		}
		return nil, nil
	}
	if want, may, ok := t.inUnits(label); ok {
		return want, may
	}
	if unnamed.MatchString(label) {
		return nil, nil
	}
	may = t.holding(label)
	ask := stems(wordsOf(bareLabel(label)))
	for _, i := range may {
		if slices.ContainsFunc(t.rows[i].Cells, func(c string) bool { return slices.Equal(stems(wordsOf(c)), ask) }) {
			want = append(want, i)
		}
	}
	return want, may
}

// unnamed are labels that cannot be looked for in the words of rows: small numbers, of which a
// row may have several, and minimums such as "3+".
var unnamed = regexp.MustCompile(`(?i)^\W*\d{1,2}\W*$|^\W*\d+\s*(\+|(and|or|&) (more|up|above|over)\b)`)

// holding are the rows that hold the words of a label, in one piece.
func (t table) holding(label string) (all []int) {
	ask := stems(wordsOf(bareLabel(label)))
	if len(ask) == 0 {
		return nil
	}
	for i, k := range t.keys {
		inPart := func(part string) bool { return index(stems(wordsOf(part)), ask) >= 0 }
		if inPart(k) || slices.ContainsFunc(t.rows[i].Cells, inPart) {
			all = append(all, i)
		}
	}
	return all
}

var counted = regexp.MustCompile(`\s*[(\[]?\d+[)\]]?\s*$`)

// bareLabel is a label without the number of its rows, as in "Drama (4)".
func bareLabel(label string) string {
	if bare := counted.ReplaceAllString(label, ""); len(wordsOf(bare)) > 0 {
		return bare
	}
	return label
}

var (
	money     = regexp.MustCompile(`[$€£¥₹]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:[€£¥元](?:[^\d]|$)|USD|EUR|kr\b)`)
	below     = regexp.MustCompile(`(?i)^\W*(under|below|less than|up to|<|max)`)
	above     = regexp.MustCompile(`(?i)^\W*(over|above|more than|from|>|min)|\d\s*\+\s*$|(?i)(and|&) (up|above|more)\s*$`)
	fromTo    = regexp.MustCompile(`\d\s*(-|–|—|to|~)\s*[$€£¥₹]?\s?\d`)
	infinitum = 1e15
)

// rangeOf reads an option that is a range of prices.
func rangeOf(label string) (low, high float64, ok bool) {
	if !strings.ContainsAny(label, "$€£¥₹元") {
		return 0, 0, false
	}
	n := numbers(strings.NewReplacer("-", " ", "–", " ", "—", " ").Replace(label))
	switch {
	case len(n) == 2 && fromTo.MatchString(label):
		return n[0], n[1], n[0] < n[1]
	case len(n) == 1 && below.MatchString(label):
		return -infinitum, n[0], true
	case len(n) == 1 && above.MatchString(label):
		return n[0], infinitum, true
	}
	return 0, 0, false
}

// moneyOf is the first price in a text.
func moneyOf(text string) (float64, bool) {
	m := money.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	if m[1] != "" {
		return number(m[1])
	}
	return number(m[2])
}
