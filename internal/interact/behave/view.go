package behave

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

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

// rowsWith counts the different rows in which a token stands, but for a single one that refuses it.
func (v *view) rowsWith(token string) int {
	rows := map[string]bool{}
	for _, f := range v.survey.Found {
		if g, ok := v.group(f.List); ok && g.Total == 1 && refusedBy([]string{g.Rows[0].Text}) != "" {
			continue
		}
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

// lists are the groups that show data rather than choices, the richest first. Groups of
// one kind, as the cards of several columns, are one list, but not tables; so are the rows of a list
// that lies in the rows of another, where they say more.
func (v *view) lists() []interact.Group {
	var all []interact.Group
	for _, g := range v.survey.Groups {
		if g.Region == "nav" || g.Region == "footer" || g.Region == "tablist" || g.Region == "menu" || strings.HasPrefix(g.Kind, "select|") {
			continue
		}
		if i := slices.IndexFunc(all, func(o interact.Group) bool {
			return o.Kind == g.Kind && o.Region == g.Region && !bare(g.Kind) && !placed(g.Kind) && !strings.HasPrefix(g.Kind, "tr|")
		}); i >= 0 {
			all[i].Rows = append(slices.Clone(all[i].Rows), g.Rows...)
			all[i].Total += g.Total
			continue
		}
		all = append(all, g)
	}
	all = slices.DeleteFunc(all, func(g interact.Group) bool { return richness(g) == 0 || v.labelled(g) })
	slices.SortStableFunc(all, func(a, b interact.Group) int { return richness(b) - richness(a) })
	return all
}

// labelled reports whether the rows of a group are fields with their labels, as those of a form.
func (v *view) labelled(g interact.Group) bool {
	n := 0
	for _, r := range g.Rows {
		if slices.ContainsFunc(r.Controls, func(path string) bool {
			c, _, ok := v.control(path)
			return ok && (textField(c) || c.Role == "spinbutton" || c.Tag == "select") && slices.Equal(wordsOf(c.Name), wordsOf(r.Text))
		}) {
			n++
		}
	}
	return n*2 > len(g.Rows)
}

// bare reports whether a kind is a tag alone, which says nothing of what the rows are.
func bare(kind string) bool {
	return strings.HasSuffix(kind, "||") && !strings.HasPrefix(kind, "li|") && !strings.HasPrefix(kind, "tr|") && !strings.HasPrefix(kind, "article|")
}

// layout are classes that say where an element lies and not what it is.
var layout = regexp.MustCompile(`^(flex|inline|block|grid|hidden|relative|absolute|fixed|sticky|container|row|col|clearfix|(min-|max-)?[wh]-\S+|-?[mp][xytrbl]?-\S+|(flex|grid|space|gap|items|justify|text|top|left|right|bottom|inset|z|order|col|row)-\S+)$`)

// placed reports whether the class of a kind says nothing of what the rows are, as those of
// frameworks of small classes.
func placed(kind string) bool {
	return !strings.HasPrefix(kind, "li|") && !strings.HasPrefix(kind, "article|") && layout.MatchString(kind[strings.LastIndex(kind, "|")+1:])
}

// richness is how much a group shows: the words and pictures of its different rows, a
// dozen each at most, so that a few big boxes are less than the many rows in them.
func richness(g interact.Group) int {
	if g.Total < 2 {
		return 0
	}
	sum, texts := 0, map[string]bool{}
	for _, r := range g.Rows {
		key := keyOf(r.Text)
		if texts[key] || choice(r) {
			continue
		}
		texts[key] = true
		sum += min(len(strings.Fields(r.Text))+2*r.Pictures, 12)
	}
	if len(texts) < 2 {
		return 0
	}
	return sum
}

// choice reports whether a row is nothing but a control, as an item of a menu is.
func choice(r interact.Row) bool {
	return len(r.Controls) == 1 && r.Controls[0] == r.Path && len(strings.Fields(r.Text)) < 3 && r.Pictures == 0
}

// toolbar reports whether a row is buttons side by side and nothing else: they act on the
// page, not on the row. A single link among them may be the title of a row.
func (v *view) toolbar(r interact.Row) bool {
	labels, links := map[string]int{}, 0
	for _, path := range r.Controls {
		c, _, ok := v.control(path)
		if ok && (c.Role != "button" && c.Role != "link" && c.Role != "tab" || path == r.Path) {
			return false
		}
		if c.Role == "link" {
			links++
		}
		for _, w := range wordsOf(c.Name) {
			labels[w]++
		}
	}
	if len(r.Controls) < 2 || r.Pictures > 0 || links == 1 {
		return false
	}
	for _, w := range wordsOf(r.Text) {
		if labels[w]--; labels[w] < 0 {
			return false
		}
	}
	return true
}

var wordy = regexp.MustCompile(`[\p{L}\p{N}]+`)

// wordsOf are the words of a text, lower case.
func wordsOf(text string) []string { return wordy.FindAllString(strings.ToLower(text), -1) }

// termsOf are the words of a text as far as they are counted: Chinese has no blanks between words, and
// two characters are about one.
func termsOf(text string) (all []string) {
	for _, w := range wordsOf(text) {
		letters := []rune(w)
		if len(letters) < 3 || !slices.ContainsFunc(letters, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
			all = append(all, w)
			continue
		}
		for pair := range slices.Chunk(letters, 2) {
			all = append(all, string(pair))
		}
	}
	return all
}

// differs reports whether two texts differ in at least n words.
func differs(a, b string, n int) bool {
	count := map[string]int{}
	for _, w := range termsOf(a) {
		count[w]++
	}
	for _, w := range termsOf(b) {
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
