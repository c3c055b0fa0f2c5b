package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/interact"
)

// naming counts the rows of a view that hold a text, of rows in each other the innermost.
func (v *view) naming(text string) (n int) {
	var paths []string
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if keyOf(text) != "" && hasPhrase(r.Text, text) && !slices.Contains(paths, r.Path) {
				paths = append(paths, r.Path)
			}
		}
	}
	for _, path := range paths {
		if !slices.ContainsFunc(paths, func(o string) bool { return strings.HasPrefix(o, path+" > ") }) {
			n++
		}
	}
	return n
}

// naming are the other rows that hold a text, as rows do that refer to the edited one by its name.
// Rows equal to the edited one are left out.
func (t table) naming(row int, text string) (all []int) {
	for _, i := range others(len(t.rows), row) {
		if keyOf(text) != "" && numeral.FindString(text) == "" && t.keys[i] != t.keys[row] && hasPhrase(t.rows[i].Text, text) {
			all = append(all, i)
		}
	}
	return all
}

// renamed reports whether rows stand in a view with another text in the place of one.
func (t table) renamed(v *view, rows []int, old, token string) bool {
	return !slices.ContainsFunc(rows, func(i int) bool {
		want := strings.ReplaceAll(t.keys[i], keyOf(old), keyOf(token))
		return !slices.ContainsFunc(v.survey.Groups, func(g interact.Group) bool {
			return slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return keyOf(r.Text) == want })
		})
	})
}

// counts reports whether a row that was not there holds a number as a word, which the row that was
// edited did not.
func (t table) counts(v *view, act rowAct, number string) bool {
	return !slices.Contains(wordsOf(act.text), number) && slices.ContainsFunc(v.survey.Groups, func(g interact.Group) bool {
		return slices.ContainsFunc(g.Rows, func(r interact.Row) bool {
			return !slices.Contains(t.keys, keyOf(r.Text)) && slices.Contains(wordsOf(r.Text), number)
		})
	})
}

// lost are the indexes below n that are not among those that are left.
func lost(n int, left []int) []int {
	return slices.DeleteFunc(others(n, -1), func(i int) bool { return slices.Contains(left, i) })
}

// common are tokens that may stand in other rows as well: small numbers, as of guests.
var common = regexp.MustCompile(`^\d{1,2}$`)
