package behave

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"vitrine/internal/interact"
)

// A sorting is the rows of a list while they are sorted.
type sorting struct {
	rows   table
	shown  int     // rows that stand there at once: of a list in pages those of one
	orders [][]int // that differ from each other, each monotone
	wild   string  // the option after which the rows stood in no order; empty for none
	heads  bool    // the options are column headers
	said   []string
}

// add notes the order in which a view shows the rows, and says what is wrong with them. Once says that the
// option was chosen once: a second time may ask for the inverse, or for no order.
func (s *sorting) add(v *view, label string, once bool) string {
	got := s.rows.sequence(v)
	if len(got) < s.shown && s.shown <= 10 {
		return fmt.Sprintf("sorting by %q loses %d of %d rows", label, s.shown-len(got), s.shown)
	}
	if why := s.rows.at(got).against(label, s.heads); why != "" && once && len(got) > 2 {
		return fmt.Sprintf("after %q %s", label, why)
	}
	if slices.ContainsFunc(s.orders, func(o []int) bool { return slices.Equal(o, got) }) {
		return ""
	}
	if len(got) < 3 {
		return ""
	}
	t := s.rows.at(got)
	name, ok := t.monotone(false)
	if !ok {
		if !slices.IsSorted(got) && !s.rows.unseen(label) { // as they stood at first is an order, too
			s.wild = label
		}
		return ""
	}
	s.orders = append(s.orders, got)
	s.said = append(s.said, fmt.Sprintf("%q by %s", label, name))
	return ""
}

// Labels of orders that need not be told from rows: by what no row shows, or by when a
// thing came, where rows have no date.
var (
	undefined = regexp.MustCompile(`(?i)\b(relevance|relevant|recommended|featured|default|best match|trending|popular\w*)\b|综合|默认|推荐|热门|人气`)
	byAge     = regexp.MustCompile(`(?i)\b(newest|oldest|latest|earliest|most recent|recently added|new arrivals)\b|最新|最早|新品`)
)

// unseen reports whether the rows do not show what an order of this label goes by.
func (t table) unseen(label string) bool {
	return undefined.MatchString(label) || byAge.MatchString(label) && !slices.ContainsFunc(t.rows, func(r interact.Row) bool {
		_, dated := dateOf(r.Text)
		return dated
	})
}

func (s *sorting) answer() answer {
	moved := slices.ContainsFunc(s.orders, func(o []int) bool { return !slices.IsSorted(o) })
	switch {
	case !moved && s.wild == "":
		return fails("the rows stay in their order")
	case s.wild != "" && len(s.orders) < 3:
		return fails("after %q the rows stand in the order of none of their values", s.wild)
	case len(s.orders) < 2:
		return fails("all ways of sorting give one order")
	}
	return works("the %d rows are sorted: %s", len(s.rows.rows), strings.Join(top(s.said, 3), ", "))
}

// at is the table with its rows in another order.
func (t table) at(order []int) (out table) {
	for _, i := range order {
		out.rows = append(out.rows, t.rows[i])
		out.keys = append(out.keys, t.keys[i])
	}
	return out
}

// sequence is the order in which a view shows the rows of a table, as their indexes.
func (t table) sequence(v *view) (best []int) {
	for _, g := range slices.Concat(v.survey.Groups, v.lists()) {
		var order []int
		used := map[int]bool{}
		for _, r := range g.Rows {
			k := keyOf(r.Text)
			for i := range t.keys {
				if t.keys[i] == k && !used[i] {
					used[i] = true
					order = append(order, i)
					break
				}
			}
		}
		if len(order) > len(best) {
			best = order
		}
	}
	return best
}

// monotone reports whether the values of a column, or the first prices, dates or numbers of
// the rows, rise or fall, and are not all one. Ordinals 1, 2, 3 are no column. Texts count
// unless only numbers and dates do.
func (t table) monotone(numeric bool) (string, bool) {
	collator := collate.New(language.English)
	for _, c := range t.columns() {
		if dir := directed(c.values, func(a, b value) int { return cmp.Compare(a.n, b.n) }); c.number && dir && !ordinal(c.values) {
			return c.name, true
		}
		if numeric || c.number {
			continue
		}
		for _, compare := range []func(a, b string) int{cmp.Compare[string], collator.CompareString} { // by codes, or as browsers compare
			if directed(c.values, func(a, b value) int { return compare(strings.ToLower(a.s), strings.ToLower(b.s)) }) {
				return c.name, true
			}
		}
		for _, last := range []func(string) string{lastName, surname} {
			if distinct(c.values, func(v value) string { return last(v.s) }) >= manyValues && directed(c.values, func(a, b value) int { return cmp.Compare(last(a.s), last(b.s)) }) {
				return c.name + ", by the last word", true
			}
		}
	}
	return "", false
}

// manyValues are so many that they hardly stand in order by chance.
const manyValues = 5

func distinct(values []value, key func(value) string) int {
	all := map[string]bool{}
	for _, v := range values {
		all[key(v)] = true
	}
	return len(all)
}

// parts are the cells of a row, split where a dot, a bar or a comma separates values.
func parts(r interact.Row) (all []string) {
	for _, c := range r.Cells {
		all = append(all, cellParts.Split(c, -1)...)
	}
	return all
}

// scales are words that have an order of their own.
var scales = [][]string{
	{"none|lowest", "low|minor", "medium|normal|moderate", "high|major", "urgent|critical|highest|blocker"},
	{"xxs", "xs", "s|small", "m|medium", "l|large", "xl", "xxl"},
	{"beginner|easy", "intermediate|medium", "advanced|hard|difficult", "expert"},
	{"monday|mon", "tuesday|tue", "wednesday|wed", "thursday|thu", "friday|fri", "saturday|sat", "sunday|sun"},
	{"january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug", "september|sep", "october|oct", "november|nov", "december|dec"},
}

// ranked is a column of words of one scale by their ranks; three of them at least.
func (c column) ranked() (column, bool) {
	for _, scale := range scales {
		out := column{name: c.name + ", by rank", number: true}
		for _, v := range c.values {
			words := wordsOf(v.s)
			rank := slices.IndexFunc(scale, func(same string) bool {
				return len(words) <= 2 && slices.ContainsFunc(strings.Split(same, "|"), func(w string) bool { return slices.Contains(words, w) })
			})
			if rank < 0 {
				break
			}
			out.values = append(out.values, value{n: float64(rank)})
		}
		if len(out.values) == len(c.values) && distinct(out.values, func(v value) string { return fmt.Sprint(v.n) }) > 2 {
			return out, true
		}
	}
	return column{}, false
}

var cellParts = regexp.MustCompile(`\s+[·•|]\s+|,\s+`)

type value struct {
	s string
	n float64
}

type column struct {
	name   string
	number bool
	values []value
}

func directed(values []value, compare func(a, b value) int) bool {
	up, down, steps := true, true, 0
	for i := 1; i < len(values); i++ {
		c := compare(values[i-1], values[i])
		up, down = up && c <= 0, down && c >= 0
		if c != 0 {
			steps++
		}
	}
	return (up || down) && steps >= 1 && len(values) >= 3
}

func ordinal(values []value) bool {
	for i, v := range values {
		if v.n != float64(i+1) {
			return false
		}
	}
	return true
}

// columns are the values of the rows by the place of their cells, from the front and from
// the back, and by kind.
func (t table) columns() (all []column) {
	all = t.cellColumns()
	split := table{rows: slices.Clone(t.rows), keys: t.keys}
	for i := range split.rows {
		split.rows[i].Cells = parts(split.rows[i])
	}
	for _, c := range split.cellColumns() {
		if distinct(c.values, func(v value) string { return fmt.Sprint(v) }) >= manyValues {
			c.name = "part " + strings.TrimPrefix(c.name, "value ")
			all = append(all, c)
		}
	}
	for _, c := range all {
		if ranked, ok := c.ranked(); ok {
			all = append(all, ranked)
		}
	}
	for i, read := range []func(string) (float64, bool){firstPrice, dateOf, dayFirstOf} {
		c := column{name: []string{"price", "date", "date, the day first"}[i], number: true}
		for _, r := range t.rows {
			if n, ok := read(r.Text); ok {
				c.values = append(c.values, value{n: n})
			}
		}
		if len(c.values) == len(t.rows) {
			all = append(all, c)
		}
	}
	return all
}

func (t table) cellColumns() (all []column) {
	least := 24
	for _, r := range t.rows {
		least = min(least, len(r.Cells))
	}
	cell := func(r interact.Row, j int) string {
		if j < 0 {
			return r.Cells[len(r.Cells)+j]
		}
		return r.Cells[j]
	}
	for j := -least; j < least; j++ {
		c := column{name: fmt.Sprintf("value %d", j+1), number: true}
		if j < 0 {
			c.name = fmt.Sprintf("value %d from the end", -j)
		}
		for _, r := range t.rows {
			v := valueOf(cell(r, j))
			c.number = c.number && v.s == ""
			c.values = append(c.values, v)
		}
		if !c.number {
			for i, r := range t.rows {
				c.values[i].s = cell(r, j)
			}
		}
		all = append(all, c)
	}
	return all
}

var negative = regexp.MustCompile(`^\s*[-−–]\s?[$€£¥₹]`) // the number itself has no sign then

var beforeChrist = regexp.MustCompile(`\d\s?B\.?C\b`)

var scaled = regexp.MustCompile(`^\W*([-−]?\d[\d,]*(?:\.\d+)?)\s?([kKmMbB])?\b`)

// valueOf reads a cell as a number or a date; s is its text where it is neither.
func valueOf(text string) value {
	if n, ok := dateOf(text); ok {
		return value{n: n}
	}
	all := numeral.FindAllString(text, -1)
	if m := scaled.FindStringSubmatch(text); m != nil && len(wordsOf(text)) < 6 {
		if n, ok := number(m[1]); ok {
			factor := map[string]float64{"": 1, "k": 1e3, "m": 1e6, "b": 1e9}[strings.ToLower(m[2])]
			if beforeChrist.MatchString(text) || negative.MatchString(text) {
				factor = -factor
			}
			return value{n: n * factor}
		}
	}
	if len(all) == 1 && len(wordsOf(text)) < 5 {
		if n, ok := number(all[0]); ok {
			return value{n: n}
		}
	}
	return value{s: text}
}
