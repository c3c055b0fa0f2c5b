package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// byEach is an answer that one way of filtering works, unless another one that the instruction names has controls of
// which none works: "filter by type and price" is no filter by type alone. Of fields that bound a value each must hold.
func (p *prover) byEach(ctx context.Context, a answer, proved string) answer {
	for _, name := range p.need.Fields {
		if speaksOf(name, proved) {
			continue
		}
		of := absent("nothing filters by %s", name)
		for _, b := range p.bounds() {
			about := strings.Join([]string{b.control.Name, b.facts.Placeholder, b.facts.FieldName, b.facts.Context, identifier(b.control.Path)}, " ")
			if of.verdict != vitrine.VerdictFail && speaksOf(name, about) && !b.place.view.takesEntry(b.control.Path) {
				of = p.boundBy(ctx, b)
			}
		}
		if of.verdict == vitrine.VerdictAbsent {
			of = bestOf(p.filtersBy(name), 2, of, func(ch chooser) answer { return p.filterBy(ctx, ch, false) })
		}
		if of.verdict == vitrine.VerdictFail && of.why != undecided && !p.spent {
			return fails("by %s: %s", name, of.why)
		}
	}
	return a
}

// filtersBy are the sets of options whose label has a name, and that lie in no form by which entries are made.
func (p *prover) filtersBy(name string) []chooser {
	words := p.labels(filterWords)
	return p.ranked(func(ch chooser) float64 {
		if !speaksOf(name, ch.label) || ch.place.view.takesEntry(ch.options[0].path) {
			return 0
		}
		return p.filters(ch, words)
	})
}

// takesEntry reports whether a control lies in a form that takes a text which is not searched for.
func (v *view) takesEntry(path string) bool {
	return slices.ContainsFunc(v.formOf(path).Fields, func(other string) bool {
		c, f, ok := v.control(other)
		text := textField(c) && c.Role != "searchbox" && f.InputMode == "" && c.Type != "date"
		return ok && text && !searchLabel.MatchString(c.Name+" "+f.Placeholder+" "+identifier(c.Path))
	})
}

// speaksOf reports whether a label has a word of a name, as of one way of filtering.
func speaksOf(name, label string) bool {
	have := stems(labelOf(label))
	return slices.ContainsFunc(stems(wordsOf(name)), func(w string) bool { return len(w) > 2 && slices.Contains(have, w) })
}

// unitRange is an option that is a range of a counted thing: "under 30 min", "3+ bedrooms", "2 to 4 people".
var unitRange = regexp.MustCompile(`(?i)^\W*(?:(under|below|less than|up to|at most|<|over|above|more than|at least|>)\s*)?(\d+)\s*(?:(?:-|–|—|to)\s*(\d+)|(\+|(?:and|or) (?:more|up)))?\s*(\p{L}{3,})\W*$`)

var withHours = regexp.MustCompile(`(?i)\d\s?h(rs?|ours?)?\b`) // of "1 h 30 min" the minutes are a part

// inUnits are the rows within such an option, and those that may be, where each row shows one such number.
func (t table) inUnits(label string) (want, may []int, ok bool) {
	m := unitRange.FindStringSubmatch(label)
	if m == nil || m[1] == "" && m[3] == "" && m[4] == "" {
		return nil, nil, false
	}
	low, _ := number(m[2])
	high := infinitum
	switch {
	case m[3] != "":
		high, _ = number(m[3])
	case m[1] != "" && below.MatchString(m[1]) || strings.EqualFold(m[1], "at most"):
		low, high = -infinitum, low
	}
	if strings.HasPrefix(strings.ToLower(m[5]), "min") && slices.ContainsFunc(t.rows, func(r interact.Row) bool { return withHours.MatchString(r.Text) }) {
		return nil, nil, false
	}
	unit := regexp.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?)\s*` + regexp.QuoteMeta(stem(strings.ToLower(m[5]))) + `\p{L}{0,4}\b`)
	for i, r := range t.rows {
		n, one := onlyMatch(unit, r.Text)
		if !one {
			return nil, nil, false
		}
		if n > low && n < high {
			want = append(want, i)
		}
		if n >= low && n <= high {
			may = append(may, i)
		}
	}
	return want, may, len(may) < len(t.rows) && len(want) > 0
}
