package behave

import (
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A view is the page as it stands: its controls, and how its texts are arranged.
type view struct {
	*interact.Scene
	survey *interact.Survey
}

// control finds one by its path.
func (v *view) control(path string) (vitrine.Control, interact.Facts, bool) {
	for i, c := range v.Controls {
		if c.Path == path {
			return c, v.Facts[i], true
		}
	}
	return vitrine.Control{}, interact.Facts{}, false
}

// has reports whether a text stands on the page, in any case, outside of fields.
func (v *view) has(text string) bool {
	return strings.Contains(strings.ToLower(v.Text), strings.ToLower(text))
}

// shows reports whether one of the found places of a token is text, and gives the first one
// in a row, else the first.
func (v *view) shows(token string) (interact.Found, bool) {
	var first *interact.Found
	for i, f := range v.survey.Found {
		if f.Where != "text" || f.Token != token {
			continue
		}
		if f.Row != "" {
			return f, true
		}
		if first == nil {
			first = &v.survey.Found[i]
		}
	}
	if first == nil {
		return interact.Found{}, false
	}
	return *first, true
}

// rowsWith counts the different rows in which a token stands.
func (v *view) rowsWith(token string) int {
	rows := map[string]bool{}
	for _, f := range v.survey.Found {
		if f.Where == "text" && f.Token == token && f.Row != "" {
			rows[f.Row] = true
		}
	}
	return len(rows)
}

// group is the group of rows below a path.
func (v *view) group(path string) (interact.Group, bool) {
	best, found := interact.Group{}, false
	for _, g := range v.survey.Groups {
		if g.Path == path && g.Total > best.Total {
			best, found = g, true
		}
	}
	return best, found
}

// lists are the groups that show data rather than choices, the richest first: rows of
// several words that differ, outside of navigation.
func (v *view) lists() []interact.Group {
	var all []interact.Group
	for _, g := range v.survey.Groups {
		if richness(g) > 0 {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b interact.Group) int { return richness(b) - richness(a) })
	return all
}

// richness is how much data a group shows: its rows times their cells.
func richness(g interact.Group) int {
	if g.Region == "nav" || g.Region == "footer" || g.Region == "tablist" || g.Region == "menu" || g.Total < 2 {
		return 0
	}
	cells, words, texts := 0, 0, map[string]bool{}
	for _, r := range g.Rows {
		cells += min(len(r.Cells)+r.Pictures, 8)
		words += len(strings.Fields(r.Text))
		texts[r.Text] = true
	}
	if words < 2*len(g.Rows) && cells < 2*len(g.Rows) || len(texts) < 2 {
		return 0
	}
	return cells
}

var wordy = regexp.MustCompile(`[\p{L}\p{N}]+`)

// wordsOf are the words of a text, lower case.
func wordsOf(text string) []string { return wordy.FindAllString(strings.ToLower(text), -1) }

// differs reports whether two texts differ in at least n words.
func differs(a, b string, n int) bool {
	count := map[string]int{}
	for _, w := range wordsOf(a) {
		count[w]++
	}
	for _, w := range wordsOf(b) {
		count[w]--
	}
	total := 0
	for _, c := range count {
		total += max(c, -c)
	}
	return total >= n
}

// numbers are the numbers in a text, without separators of thousands.
func numbers(text string) (all []float64) {
	for _, m := range numeral.FindAllString(text, -1) {
		if n, ok := number(m); ok {
			all = append(all, n)
		}
	}
	return all
}

var numeral = regexp.MustCompile(`[-−]?\d[\d,]*(?:\.\d+)?`)
