package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var searchWords = []string{"search", "find", "look up", "query", "filter", "type to search", "q", "搜索", "查找", "查询"}

// search proves that a word leaves the rows that hold it: for a word of a random row no
// row that holds it is lost and others go, and so for the same part of another row; a word
// that no page foresees leaves none; an empty one brings all back. The words are of the
// titles of rows, which a search may not pass over, else of other parts in turn; of two parts where
// the instruction names several that rows show. Where
// nothing is typed in, criteria with a button that searches are a search. It cheats who has
// one canned result, or marks words alone. (Relation 8; subset and complete of Segura et
// al., TSE 2018.)
func search(ctx context.Context, p *prover) answer {
	best := bestOf(p.searchFields(), 3, absent("no field to search with"), func(h hit) answer { return p.searchBy(ctx, h) })
	if best.verdict != vitrine.VerdictAbsent {
		return best
	}
	return bestOf(p.criteria(), 3, best, func(ch chooser) answer { return p.filterBy(ctx, ch, false) })
}

// searchFields are the fields that a label says are for a search, then those beside a button
// that says so; without any, single lines of text next to a list.
func (p *prover) searchFields() []hit {
	words := p.labels(searchWords)
	all := p.find(words, func(c vitrine.Control, _ interact.Facts) bool { return textField(c) })
	for _, pl := range p.site.places {
		for _, form := range pl.view.survey.Forms {
			if !pl.view.searches(form) {
				continue
			}
			for _, path := range form.Fields {
				c, f, ok := pl.view.control(path)
				if ok && textField(c) && !off(c) && !slices.ContainsFunc(all, func(h hit) bool { return h.control.Path == path }) {
					all = append(all, hit{place: pl, control: c, facts: f, form: form})
				}
			}
		}
	}
	for _, pl := range p.site.places {
		for i, c := range pl.view.Controls {
			known := slices.ContainsFunc(all, func(h hit) bool { return h.control.Path == c.Path })
			if c.Role == "searchbox" && !off(c) && !c.Covered && !known {
				all = append(all, hit{place: pl, control: c, facts: pl.view.Facts[i]})
			}
			if len(all) < 2 && c.Tag == "input" && c.Type == "text" && !off(c) && !c.Covered && len(pl.view.lists()) > 0 {
				all = append(all, hit{place: pl, control: c, facts: pl.view.Facts[i]})
			}
		}
	}
	if len(all) > 0 {
		all = slices.Insert(all, 1, p.atLongestList(all[0])...)
	}
	return all
}

// atLongestList is the same field at the place with the longest list, where that is another one: a field in
// the header is on all pages of a site, of which the first may list no data.
func (p *prover) atLongestList(h hit) (there []hit) {
	most := h.place.view.longest()
	for _, pl := range p.site.places {
		c, f, ok := pl.view.control(h.control.Path)
		if n := pl.view.longest(); ok && c.Name == h.control.Name && n > most {
			most, there = n, []hit{{place: pl, control: c, facts: f, form: h.form}}
		}
	}
	return there
}

// longest is how many rows the longest list of a view has.
func (v *view) longest() (n int) {
	for _, g := range v.lists() {
		n = max(n, len(tableOf(body(g)).rows))
	}
	return n
}

// searches reports whether a form has a button that searches.
func (v *view) searches(form interact.Form) bool {
	return slices.ContainsFunc(form.Buttons, func(b string) bool {
		c, _, ok := v.control(b)
		return ok && !off(c) && matches(c.Name, []string{"search", "find", "搜索", "查找"}) > 60
	})
}

// onlySearch reports whether all that a form takes as text is what is searched for.
func (v *view) onlySearch(form interact.Form) bool {
	searches := slices.ContainsFunc(form.Fields, func(path string) bool { c, _, ok := v.control(path); return ok && c.Role == "searchbox" })
	return searches && !slices.ContainsFunc(form.Fields, func(path string) bool {
		c, _, ok := v.control(path)
		return ok && (textField(c) || c.Role == "spinbutton") && c.Role != "searchbox"
	})
}

// criteria are the lists of options in forms with a button that searches.
func (p *prover) criteria() []chooser {
	return p.ranked(func(ch chooser) float64 {
		for _, form := range ch.place.view.survey.Forms {
			if ch.kind == "list" && slices.Contains(form.Fields, ch.options[0].path) && ch.place.view.searches(form) {
				return 50 + p.filters(ch, p.labels(filterWords))
			}
		}
		return 0
	})
}

// A query is a word of one part of a row: want are the rows that hold it in this part, may
// those that hold it anywhere.
type query struct {
	word      string
	part      int // of the cells; titlePart for the title
	want, may []int
}

const titlePart = -1

func (p *prover) searchBy(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	rows, v := p.rows(ctx, v, 2)
	if len(rows.rows) < 2 {
		if a := p.searchSymbols(ctx, h); a.verdict != vitrine.VerdictAbsent {
			return a
		}
		if a := p.lookupBy(ctx, h); a.verdict == vitrine.VerdictWorks { // rows show for what is searched for alone
			return a
		}
		return fails("there are no rows to search in")
	}
	a := p.searchIn(ctx, v, h, rows)
	if a.verdict == vitrine.VerdictWorks {
		return a
	}
	for _, g := range top(v.lists(), 3) { // what says most may be the contents of the one that is opened
		if t := tableOf(body(g)); len(t.rows) > 1 && !slices.Equal(t.keys, rows.keys) {
			if of := p.searchIn(ctx, p.open(ctx, h.place), h, t); of.verdict == vitrine.VerdictWorks {
				return of
			}
		}
	}
	made, entries := p.seed(ctx, 3) // what the page shows by itself may be no data
	if made == nil {
		return a
	}
	if g, ok := made.holding(entries); ok {
		if of := p.searchIn(ctx, made, h, tableOf(body(g))); of.verdict == vitrine.VerdictWorks {
			return of
		}
	}
	return a
}

// searchIn searches among rows that a view shows.
func (p *prover) searchIn(ctx context.Context, v *view, h hit, rows table) answer {
	if _, _, ok := v.control(h.control.Path); !ok {
		v = p.visit(ctx, h.place)
	}
	i := p.tokens.number(0, len(rows.rows)-1)
	all := rows.queries(v, i)
	if len(all) == 0 {
		return fails("the rows have no words that tell them apart")
	}
	why, found := "", query{}
	for _, q := range top(all, 4) {
		var lost bool
		if why, lost = p.searchFor(ctx, v, h, q, rows); why == "" {
			found = q
			break
		}
		if !lost || q.part == titlePart && !particular(h) {
			return fails("%s", why)
		}
	}
	if why != "" {
		return fails("%s", why)
	}
	j := (i + p.tokens.number(1, len(rows.rows)-1)) % len(rows.rows)
	if other := rows.query(v, j, found.part); other.word != "" && other.word != found.word {
		if why, _ := p.searchFor(ctx, v, h, other, rows); why != "" {
			return fails("%s", why)
		}
	}
	if len(p.need.Fields) > 1 && slices.ContainsFunc(p.need.Fields, sideParts.MatchString) {
		if why := p.searchOthers(ctx, v, h, rows, i, found.part); why != "" {
			return fails("%s", why)
		}
	}
	nonsense := strings.ToLower(p.tokens.word())
	none := p.ask(ctx, v, h, nonsense, rows, nil)
	says := slices.ContainsFunc(none.fresh(v), noMatch.MatchString) // and leaves what is listed there
	if left := rows.left(none); len(left) > 0 && !says {
		return fails("searching for %q, which no row holds, leaves %d rows", nonsense, len(left))
	}
	if back := rows.left(p.ask(ctx, v, h, "", rows, rows.all())); len(back) < len(rows.rows) {
		if there := rows.left(p.visit(ctx, h.place)); len(there) < len(rows.rows) { // a page of results has a way back, too
			return fails("an empty search brings %d of %d rows back", len(back), len(rows.rows))
		}
	}
	return works("searching for %q leaves the %d of %d rows that hold it, nonsense none, nothing all", found.word, len(found.may), len(rows.rows))
}

// searchFor searches for a word and says what is wrong with the rows that are left. Lost
// says that a row that holds it is not.
func (p *prover) searchFor(ctx context.Context, v *view, h hit, q query, rows table) (why string, lost bool) {
	after := p.ask(ctx, v, h, q.word, rows, q.may)
	got := rows.left(after)
	switch {
	case len(got) == 0 && len(q.may) == 1 && after.isAbout(rows, q, v): // the only match is opened
		p.visit(ctx, h.place)
		return "", false
	case len(got) == len(rows.rows) && len(q.may) < len(rows.rows):
		return fmt.Sprintf("searching for %q leaves all %d rows", q.word, len(rows.rows)), false
	case !subset(q.want, got):
		return fmt.Sprintf("searching for %q loses a row that holds it", q.word), true
	case len(got) > len(q.may) && len(got) >= len(rows.rows)-1 && len(rows.rows) > 2:
		why = fmt.Sprintf("searching for %q leaves %d of %d rows, of which %d hold it", q.word, len(got), len(rows.rows), len(q.may))
	}
	return why, false
}

// isAbout reports whether a view is the detail page of the only row that a query matches: it has a new heading,
// another word of the row, which was not part of the query, and more text than the row.
func (v *view) isAbout(rows table, q query, before *view) bool {
	own := slices.DeleteFunc(slices.Clone(rows.words(q.may[0])), func(w string) bool { return w == q.word || len(rows.with(w)) > 1 })
	now := v.read()
	fresh := slices.ContainsFunc(v.survey.Headings, func(heading string) bool {
		return !slices.Contains(before.survey.Headings, heading) && !noMatch.MatchString(heading)
	})
	return fresh && len(lacking(now, before.read())) > 5 && slices.ContainsFunc(own, func(w string) bool { return slices.Contains(now, w) })
}

// noMatch is what pages say where a search finds nothing.
var noMatch = regexp.MustCompile(`(?i)\b(no|nothing|0|zero|none|without) ([\w“”"'-]+ ){0,4}(found|match\w*|results?|fits?)\b|\b(no|nothing) match\w*|\bnot found\b|\bfound (nothing|no)\b|没有(找到|结果|匹配)|未找到|无结果`)

var (
	particulars = regexp.MustCompile(`(?i)\b(city|cities|locations?|destinations?|where|place|address|zip|area|` +
		`authors?|artists?|tags?|ids?|number|ingredients?|countr(y|ies)|skills?)\b`)
	// sideParts are names of fields, other than the title, that rows usually show.
	sideParts = regexp.MustCompile(`(?i)\b(city|cities|towns?|locations?|countr(y|ies)|authors?|artists?|makers?|compan(y|ies)|employers?|teachers?|instructors?|customers?|clients?|venues?|e-?mails?|owners?|directors?|brands?|latin names?)\b`)
	general   = regexp.MustCompile(`(?i)\b(names?|titles?|keywords?|anything|everything)\b`)
)

// particular reports whether a field says that it searches in something else than titles.
func particular(h hit) bool {
	about := h.control.Name + " " + h.facts.Placeholder
	return particulars.MatchString(about) && !general.MatchString(about)
}

// queries are words of the title of a row, then of its other parts, the longest first.
func (t table) queries(v *view, i int) (all []query) {
	if q := t.query(v, i, titlePart); q.word != "" {
		all = append(all, q)
	}
	cells := t.rows[i].Cells
	parts := make([]int, len(cells))
	for k := range cells {
		parts[k] = k
	}
	slices.SortStableFunc(parts, func(a, b int) int { return len(cells[b]) - len(cells[a]) })
	for _, k := range parts {
		q := t.query(v, i, k)
		if q.word != "" && !slices.ContainsFunc(all, func(o query) bool { return o.word == q.word }) {
			all = append(all, q)
		}
	}
	return all
}

// query is a word of one part of a row by which it is told from others; the word is empty
// where there is none.
func (t table) query(v *view, i, part int) query {
	text := v.partOf(t.rows[i], part)
	words := slices.DeleteFunc(wordsOf(text), func(w string) bool { return !slices.Contains(t.words(i), w) })
	q := query{word: t.tellingOf(words), part: part}
	if q.word == "" {
		return q
	}
	q.may = t.with(q.word)
	for j, r := range t.rows {
		if slices.Contains(wordsOf(v.partOf(r, part)), q.word) {
			q.want = append(q.want, j)
		}
	}
	return q
}

// partOf is the text of a part of a row that a search may look through: labels of controls
// and prices are none. The title is the part that is a heading.
func (v *view) partOf(r interact.Row, part int) string {
	if part == titlePart {
		for k, c := range r.Cells {
			heads := func(h string) bool { return strings.Contains(h, c) }
			named := slices.ContainsFunc(v.survey.Headings, func(h string) bool { return h == c }) && !money.MatchString(c) // controls may name it in their labels
			if hasWords.MatchString(c) && slices.ContainsFunc(v.survey.Headings, heads) && (named || v.partOf(r, k) != "") {
				return c
			}
		}
		return ""
	}
	if part >= len(r.Cells) || money.MatchString(r.Cells[part]) {
		return ""
	}
	for _, path := range r.Controls {
		if c, _, ok := v.control(path); ok && c.Role == "button" && path != r.Path && strings.Contains(c.Name, r.Cells[part]) {
			return ""
		}
	}
	return r.Cells[part]
}

// ask enters a query, and sends it off by Enter or a button where typing alone does not
// leave the rows that are wanted.
func (p *prover) ask(ctx context.Context, v *view, h hit, q string, rows table, want []int) *view {
	path := h.control.Path
	enter := vitrine.Action{Kind: vitrine.ActType, Target: at(path), Text: q}
	if q == "" {
		enter = vitrine.Action{Kind: vitrine.ActClear, Target: at(path)}
	}
	if p.do(ctx, enter).Failed != "" { // what was searched for before stands at another place
		p.visit(ctx, h.place)
		p.do(ctx, enter)
	}
	after := p.look(ctx)
	if slices.Equal(rows.left(after), want) {
		return after
	}
	p.press(ctx, path, "Enter")
	if after = p.look(ctx); slices.Equal(rows.left(after), want) {
		return after
	}
	for _, f := range v.survey.Forms {
		if f.Path != h.form.Path && !slices.Contains(f.Fields, path) {
			continue
		}
		if b := button(v, f, p.labels(searchWords)); b != "" {
			p.click(ctx, b)
			return p.look(ctx)
		}
	}
	return after
}
