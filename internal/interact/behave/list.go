package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine"
	"vitrine/internal/interact"
)

// fieldShapes are what values of fields look like that can be told by their form.
var fieldShapes = map[string]*regexp.Regexp{
	"price": regexp.MustCompile(`[$€£¥₹]\s?\d|\d[\d.,]*\s?(USD|EUR|\$|€|kr|元)|(?i)\bfree\b`), "cost": regexp.MustCompile(`[$€£¥₹]\s?\d|\d`), "amount": regexp.MustCompile(`\d`), "quantity": regexp.MustCompile(`\d`), "rating": regexp.MustCompile(`\d|★|⭐`), "stock": regexp.MustCompile(`(?i)\d|stock|available|sold`),
	"date": regexp.MustCompile(`(?i)\d{1,4}[-/.]\d{1,2}|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(today|yesterday|tomorrow)\b|\bago\b|\d+月`), "time": regexp.MustCompile(`(?i)\d{1,2}[:h]\d{2}|\d\s?(am|pm|min|hour)`), "percentage": regexp.MustCompile(`\d\s?%`),
}

// list proves that there are rows with data: three or more, with values that differ from
// row to row, and with the asked-for fields in four of five of them, as far as their form
// tells. A list that begins empty is filled first. Where the instruction names the rows, each
// name stands in a text of its own. It cheats who repeats one mould or
// names things in a heap. (Relation 2.)
func list(ctx context.Context, p *prover) answer {
	if len(p.need.Values) > 0 {
		return p.listsNames()
	}
	best := absent("no list of %ss has three rows", p.thing("thing"))
	for _, pl := range p.site.places {
		for _, g := range top(pl.view.lists(), 3) {
			a := p.rowsOf(g)
			if rank(a.verdict) > rank(best.verdict) {
				best = a
			}
		}
	}
	if best.verdict == vitrine.VerdictWorks || len(p.site.places) == 0 {
		return best
	}
	if t, _ := p.rows(ctx, p.open(ctx, p.site.places[0]), 3); len(t.rows) >= 3 {
		return works("%d entries that were typed in are listed", len(t.rows))
	}
	return best
}

// whole reports whether a text has a name that is no part of a longer word, unless that is its plural.
func whole(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 || name == "" {
			return false
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(strings.TrimPrefix(text[end:], "s"))
		if !unicode.Is(unicode.Latin, before) && !unicode.Is(unicode.Latin, after) {
			return true
		}
		from = end
	}
}

// listsNames proves that each of the names that the instruction gives is shown in a text that
// holds no other one of them.
func (p *prover) listsNames() answer {
	low := func(text string) string { return strings.ToLower(text) }
	for _, name := range p.need.Values {
		alone := func(text string) bool {
			return whole(low(text), low(name)) && !slices.ContainsFunc(p.need.Values, func(other string) bool {
				return other != name && !strings.Contains(low(name), low(other)) && strings.Contains(low(text), low(other))
			})
		}
		if !slices.ContainsFunc(p.site.places, func(pl *place) bool { return slices.ContainsFunc(pl.view.survey.Face, alone) }) {
			return fails("%q is not listed", name)
		}
	}
	return works("all %d names are listed", len(p.need.Values))
}

func (p *prover) rowsOf(g interact.Group) answer {
	if g.Total < 3 {
		return absent("the list has %d rows", g.Total)
	}
	texts := map[string]bool{}
	for _, r := range g.Rows {
		texts[keyOf(r.Text)] = true
	}
	if len(texts)*5 < len(g.Rows)*4 {
		return fails("of %d rows only %d differ", len(g.Rows), len(texts))
	}
	for _, f := range p.need.Fields {
		words := wordsOf(f)
		if len(words) == 0 {
			continue
		}
		last := strings.TrimSuffix(words[len(words)-1], "s")
		with := 0
		for _, r := range g.Rows {
			if has(r, last) {
				with++
			}
		}
		if _, known := fieldShapes[last]; (known || last == "image" || last == "photo" || last == "picture") && with*5 < len(g.Rows)*4 {
			return fails("%d of %d rows have no %s", len(g.Rows)-with, len(g.Rows), f)
		}
	}
	return works("%d rows, each with values of its own: %q", g.Total, top(g.Rows[0].Cells, 3))
}

func has(r interact.Row, field string) bool {
	if field == "image" || field == "photo" || field == "picture" {
		return r.Pictures > 0
	}
	shape, ok := fieldShapes[field]
	return !ok || slices.ContainsFunc(r.Cells, shape.MatchString) || shape.MatchString(r.Text)
}
