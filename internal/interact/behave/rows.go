package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// A table is rows of a page at a moment, to be compared with those of a later one: the six
// patterns of queries (equal, subset, disjoint, complete, ordered, different) stand on it
// (Segura et al., TSE 2018).
type table struct {
	rows []interact.Row
	keys []string // the words of each row
}

func tableOf(g interact.Group) table {
	t := table{rows: g.Rows}
	for _, r := range g.Rows {
		t.keys = append(t.keys, keyOf(r.Text))
	}
	return t
}

// keyOf is a row as it is compared: its words, so that marking a part of one changes nothing,
// or its signs where it has no words.
func keyOf(text string) string {
	if words := wordsOf(text); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return strings.TrimSpace(text)
}

// left are the indexes of the rows that a view still shows, in whichever group; where none
// is in a group, as a row that is left alone, by their texts.
func (t table) left(v *view) (all []int) {
	shown := map[string]int{}
	for _, g := range v.survey.Groups {
		here := map[string]int{}
		for _, r := range g.Rows {
			here[keyOf(r.Text)]++
		}
		for k, n := range here {
			shown[k] = max(shown[k], n)
		}
	}
	for i, k := range t.keys {
		if shown[k] > 0 {
			shown[k]--
			all = append(all, i)
		}
	}
	if len(all) > 0 || len(t.keys) < 2 {
		return all
	}
	text := keyOf(v.Text)
	for i, k := range t.keys {
		if n := len(strings.Fields(k)); (n >= alone || n > 1 && len(k) >= aloneLetters) && strings.Contains(text, k) {
			all = append(all, i)
		}
	}
	return all
}

// all are the indexes of the rows.
func (t table) all() (all []int) {
	for i := range t.rows {
		all = append(all, i)
	}
	return all
}

// alone is how many words a row must have at least to be found by its text, aloneLetters how
// many letters where it has less.
const alone, aloneLetters = 4, 12

// with are the indexes of the rows that hold a word.
func (t table) with(word string) (all []int) {
	for i, k := range t.keys {
		if strings.Contains(k, strings.ToLower(word)) {
			all = append(all, i)
		}
	}
	return all
}

// words are those of row i that stand in one of its parts as well: where two parts touch,
// the text of a row runs their words together.
func (t table) words(i int) []string {
	r := t.rows[i]
	parts := wordsOf(strings.Join(r.Cells, " "))
	all := slices.DeleteFunc(wordsOf(r.Text), func(w string) bool { return !slices.Contains(parts, w) })
	if len(all) == 0 {
		return wordsOf(r.Text)
	}
	return all
}

// telling is a word of row i that not all rows hold, the longest of those that the fewest
// hold; empty where there is none.
func (t table) telling(i int) string { return t.tellingOf(t.words(i)) }

func (t table) tellingOf(words []string) string {
	best, fewest := "", len(t.rows)
	for _, w := range words {
		if len([]rune(w)) < 3 || numeral.MatchString(w) {
			continue
		}
		if n := len(t.with(w)); n < fewest || n == fewest && n < len(t.rows) && len(w) > len(best) {
			best, fewest = w, n
		}
	}
	return best
}

// marks are the longer words that row i alone holds.
func (t table) marks(i int) (all []string) {
	for _, w := range t.words(i) {
		if len([]rune(w)) > 2 && !numeral.MatchString(w) && len(t.with(w)) == 1 {
			all = append(all, w)
		}
	}
	return all
}

// subset reports whether a ⊆ b.
func subset(a, b []int) bool {
	for _, i := range a {
		if !slices.Contains(b, i) {
			return false
		}
	}
	return true
}

// rows is the richest list of a view; without any, it makes entries by the form of the site
// that creates them, so that there is one.
func (p *prover) rows(ctx context.Context, v *view, least int) (table, *view) {
	all := v.lists()
	known := len(all) > 0 && len(body(all[0]).Rows) >= least
	if known && !strings.HasPrefix(all[0].Kind, "p|") && !summary(all[0]) && !v.columns(all[0]) {
		return tableOf(body(all[0])), v
	}
	made, entries := p.seed(ctx, least) // paragraphs may be what stands there as long as there are no entries
	if made == nil && known && p.look(ctx) == v {
		return tableOf(body(all[0])), v
	}
	if made == nil {
		return table{}, v
	}
	if g, ok := made.holding(entries); ok {
		return tableOf(body(g)), made
	}
	if all := made.lists(); len(all) > 0 && len(body(all[0]).Rows) >= least {
		return tableOf(body(all[0])), made
	}
	return table{}, made
}

// columns reports whether the rows of a group are the parts of a page, one of which is a form, as a list, a view and
// a form side by side.
func (v *view) columns(g interact.Group) bool {
	if strings.HasPrefix(g.Kind, "tr|") || strings.HasPrefix(g.Kind, "li|") || len(g.Rows) > 4 {
		return false
	}
	forms := 0
	for _, r := range g.Rows {
		if slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool {
			return len(f.Fields) > 1 && len(f.Buttons) > 0 && !slices.ContainsFunc(f.Fields, func(path string) bool { return !slices.Contains(r.Controls, path) })
		}) {
			forms++
		}
	}
	return forms > 0 && forms < len(g.Rows)
}

// summary reports whether the rows of a group are counts of something else, as "Open 0" and "Solved 0" above an
// empty list.
func summary(g interact.Group) bool {
	return !strings.HasPrefix(g.Kind, "tr|") && !slices.ContainsFunc(g.Rows, func(r interact.Row) bool {
		return len(r.Controls) > 0 || len(numbers(r.Text)) != 1 || len(wordsOf(r.Text)) > 3
	})
}

// body is a group without the rows that are the head of a table: those in a thead, or a
// first one without a digit where all others have some.
func body(g interact.Group) interact.Group {
	rows := slices.DeleteFunc(slices.Clone(g.Rows), func(r interact.Row) bool { return strings.Contains(r.Path, "thead") })
	digits := func(r interact.Row) bool { return strings.ContainsAny(r.Text, "0123456789") }
	if strings.HasPrefix(g.Kind, "tr|") && len(rows) > 1 && !digits(rows[0]) && !slices.ContainsFunc(rows[1:], func(r interact.Row) bool { return !digits(r) }) {
		rows = rows[1:]
	}
	g.Total -= len(g.Rows) - len(rows)
	g.Rows = rows
	return g
}

// holding is the group in whose rows entries stand, each in one of its own, with the most of
// what was entered.
func (v *view) holding(entries [][]string) (best interact.Group, found bool) {
	most := 0
	for _, g := range v.survey.Groups {
		if v.columns(g) {
			continue
		}
		all, used := 0, map[int]bool{}
		for _, toks := range entries {
			at, n := -1, 0
			for i, r := range g.Rows {
				text, here := strings.ToLower(strings.Join(append(r.Values, r.Text), " ")), 0
				for _, t := range toks {
					if strings.Contains(text, strings.ToLower(t)) {
						here++
					}
				}
				if here > n {
					at, n = i, here
				}
			}
			if at >= 0 && !used[at] {
				used[at] = true
				all += n
			}
		}
		if len(used) == len(entries) && all > most {
			best, most, found = g, all, true
		}
	}
	return best, found
}

// rowsWithin reports whether a text that was looked for stands in the rows of a group.
func (v *view) rowsWithin(g interact.Group) bool {
	for _, f := range v.survey.Found {
		if f.Where == "text" && slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return r.Path == f.Row }) {
			return true
		}
	}
	return false
}
