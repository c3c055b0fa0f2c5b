package behave

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var aggregateWords = []string{"dashboard", "summary", "statistics", "stats", "overview", "report", "analytics", "total", "balance", "home", "统计", "汇总"}

// summed are words of requirements that ask for more than a count.
var summed = regexp.MustCompile(`(?i)\b(sum|expenses?|incomes?|budget|balance|worth|revenue|spen[dt]\w*|average|mean|calories|sales|cost|amount|total (price|value|time|hours|distance))\b|总额|总价|平均|金额`)

// eachOf asks for a figure of each part, as of each column of a board.
var eachOf = regexp.MustCompile(`(?i)\b(each|every|per)\b`)

// aggregate proves that a number follows from the entries: after each of two entries with
// random amounts a sum has grown or shrunk by the amount, a mean has moved to where it
// must, or a count is one more; an empty form and a click where nothing is leave it. On
// a page that takes no entries, a number must be the sum of a column. It cheats who adds
// one for each click. Where nothing is entered, a figure may follow from clicks. (Relation 15.)
func aggregate(ctx context.Context, p *prover) answer {
	words := p.labels(createWords)
	typed := p.totalsTyped(ctx)
	if typed.verdict != vitrine.VerdictAbsent {
		return typed
	}
	best := bestOf(p.forms(words), 3, absent("no number follows from %ss", p.thing("entry")), func(h hit) answer { return p.aggregateBy(ctx, h, words) })
	best = p.actsThen(ctx, best, append(slices.Clone(shiftWords), actWords...), p.aggregateActs)
	best = p.tally(ctx, best)
	if best.verdict != vitrine.VerdictWorks && addsUp.MatchString(p.need.Quote+" "+p.need.Entity) {
		best = bestOf(p.site.places, 3, best, func(pl *place) answer { return p.cartQuantities(ctx, pl) })
	}
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	if best = p.sumsShown(best); best.verdict == vitrine.VerdictWorks {
		return best
	}
	return p.aggregateTicks(ctx, best)
}

// quantities are the numbers on a page by the text around them.
func quantities(v *view) map[string]float64 { return quantitiesOf(v.survey.Lines) }

func quantitiesOf(lines []string) map[string]float64 {
	all, before := map[string]float64{}, ""
	count := map[string]int{}
	for _, line := range lines {
		plain := plural.ReplaceAllString(masked(line, nil), "")
		heads := []string{before}
		if hasWords.MatchString(line) { // what stands before it may be a row that comes and goes
			heads = append(heads, "·")
		}
		for i, n := range numbers(line) {
			for _, head := range heads {
				key := head + "|" + plain + "|" + string(rune('a'+min(i, 25)))
				count[key]++
				if n >= 0 || !strings.Contains(line, "–") {
					all[key+string(rune('a'+min(count[key], 25)))] = n
				}
			}
		}
		if hasWords.MatchString(line) {
			before = plain
		}
	}
	return all
}

var plural = regexp.MustCompile(`s\b`)

// numbered are the pages of the site, other than one, that show numbers.
func (p *prover) numbered(than *place) []*place {
	return slices.DeleteFunc(p.elsewhere(than), func(pl *place) bool {
		inNav := slices.ContainsFunc(p.site.openers, func(o opener) bool {
			return o.control.Path == pl.via.Path && (o.region == "nav" || o.region == "header" || o.region == "aside" || o.control.Role == "tab" || o.control.Role == "link")
		})
		return len(quantities(pl.view)) == 0 || len(pl.way) > 0 && !inNav
	})
}

// visitForm goes to the place of a form where that is not at hand.
func (p *prover) visitForm(ctx context.Context, h hit) *view {
	v := p.look(ctx)
	if form, ok := v.form(h.form); ok && len(form.Fields) > 0 {
		if c, _, shown := v.control(form.Fields[0]); shown && !c.Covered {
			return v
		}
	}
	return p.visit(ctx, h.place)
}

// readings are the quantities of the page and of the places where numbers stand.
func (p *prover) readings(ctx context.Context, h hit, places []*place) (all []map[string]float64) {
	all = append(all, quantities(p.look(ctx)))
	for _, pl := range places {
		all = append(all, quantities(p.visit(ctx, pl)))
	}
	if len(places) > 0 {
		p.visit(ctx, h.place)
	}
	return all
}

func (p *prover) aggregateBy(ctx context.Context, h hit, words []string) answer {
	places := p.numbered(h.place)
	slices.SortStableFunc(places, func(a, b *place) int {
		return int(matches(b.via.Name, aggregateWords)) - int(matches(a.via.Name, aggregateWords))
	})
	places = top(places, 2)
	p.open(ctx, h.place)
	defer func() { p.fixed = nil }()
	read := [][]map[string]float64{p.readings(ctx, h, places)}
	var acts []filling
	for range 2 {
		f, _, why := p.actAt(ctx, p.visitForm(ctx, h), h, words)
		if why != "" {
			return fails("%s", why)
		}
		acts = append(acts, f)
		read = append(read, p.readings(ctx, h, places))
		if leftOver.MatchString(p.need.Quote) { // of the same thing
			p.fixed = p.kindOf(f, "")
		}
	}
	p.aside(ctx)
	p.emptyAgain(ctx, h, words)
	read = append(read, p.readings(ctx, h, places))
	count, first, second := "", "", ""
	for i := range read[0] {
		for _, key := range sortedKeys(read[1][i]) {
			q, ok := series(read, i, key)
			if _, was := read[0][i][key]; !ok || q[3] != q[2] || !was && !sumsUp(q, acts) {
				continue
			}
			if text := follows(q, acts); text != "" {
				if p.keepsDeleted(ctx, h, places, acts, i, key, q[3]) {
					return fails("%s, and stays when an entry is deleted: %s", text, clip(strings.ReplaceAll(key, "|", " ")))
				}
				return works("%s: %s", text, clip(strings.ReplaceAll(key, "|", " ")))
			}
			switch [2]float64{q[1] - q[0], q[2] - q[1]} {
			case [2]float64{1, 1}:
				count = key
			case [2]float64{-1, -1}:
				if leftOver.MatchString(p.need.Quote) {
					return works("what is left is one less after each entry, and not after an empty one: %s", clip(strings.ReplaceAll(key, "|", " ")))
				}
			case [2]float64{1, 0}:
				first = key
			case [2]float64{0, 1}:
				second = key
			}
		}
	}
	if count == "" && first != "" && second != "" && eachOf.MatchString(p.need.Quote) { // each entry is of a part of its own
		count = first
	}
	return p.countFollows(count, acts)
}

// countFollows is the answer where a count follows two entries, which is no sum of them.
func (p *prover) countFollows(count string, acts []filling) answer {
	asked := strings.Join(append(slices.Clone(p.need.Words), p.need.Quote, p.need.Entity), " ")
	switch {
	case count != "" && !(summed.MatchString(asked) && len(amounts(acts[0])) > 0):
		return works("a count is one more after each entry, and not after an empty one")
	case count != "":
		return fails("a count follows the entries; no sum or mean does")
	}
	return fails("no number follows from what is entered")
}

// leftOver asks for how much there still is.
var leftOver = regexp.MustCompile(`(?i)\b(left|free|remain\w*|available)\b`)

// keepsDeleted deletes one of the entries that were made, where its row has a control for that,
// and reports whether a figure that follows the entries stays all the same. Other rows of the
// page need not be in that figure.
func (p *prover) keepsDeleted(ctx context.Context, h hit, places []*place, made []filling, i int, key string, was float64) bool {
	v := p.look(ctx)
	words := slices.Concat(made[0].words(), made[1].words())
	acts := slices.DeleteFunc(p.site.rowControls(v, deleteWords), func(a rowAct) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(a.text, w) })
	})
	if len(acts) == 0 {
		return false
	}
	act := acts[p.tokens.number(0, len(acts)-1)]
	if rows := tableOf(act.group); len(rows.left(p.deleteBy(ctx, v, act))) >= len(rows.rows) {
		return false // nothing was deleted
	}
	n, ok := p.readings(ctx, h, places)[i][key]
	return ok && n == was
}

// series are the four readings of one number, which may show only once there is an entry.
func series(read [][]map[string]float64, i int, key string) (q [4]float64, ok bool) {
	for k := range 4 {
		n, has := read[k][i][key]
		if !has && k > 0 {
			return q, false
		}
		q[k] = n
	}
	return q, true
}

func sortedKeys[T any](m map[string]T) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// emptyAgain sends the form off without text from where the page stands.
func (p *prover) emptyAgain(ctx context.Context, h hit, words []string) {
	v := p.look(ctx)
	form, ok := v.form(h.form)
	if !ok {
		return
	}
	p.clearForm(ctx, v, form)
	v = p.look(ctx)
	if form, ok = v.form(form); ok {
		p.submit(ctx, v, form, words)
	}
}

// amounts are the numbers that were entered, the products of two of them, and how long it is
// from one time of day to the next, in hours and minutes.
func amounts(f filling) (all []float64) {
	for _, e := range f.entries {
		if e.isNum {
			all = append(all, e.amount)
		}
	}
	if len(all) == 2 {
		all = append(all, all[0]*all[1])
	}
	if hours := f.hours(); hours > 0 {
		all = append(all, hours, 60*hours)
	}
	return all
}

// follows says how a number follows from two entries; empty where it does not.
func follows(q [4]float64, acts []filling) string {
	a, b := amounts(acts[0]), amounts(acts[1])
	for i := range min(len(a), len(b)) {
		d1, d2 := q[1]-q[0], q[2]-q[1]
		if near01(math.Abs(d1), a[i]) && near01(math.Abs(d2), b[i]) && d1*d2 > 0 {
			return "a sum moves by what is entered"
		}
		if q[1] == q[0] || q[2] == q[1] || math.Abs(q[2]-b[i]) < 1.01 { // the figure may be the last entry alone, and no mean
			continue
		}
		n := math.Round((a[i] - q[1]) / (q[1] - q[0]))
		if n >= 0 && n < 500 && math.Abs((n*q[0]+a[i])/(n+1)-q[1]) < 0.51 && math.Abs(((n+1)*q[1]+b[i])/(n+2)-q[2]) < 1.01 && math.Abs(d1)+math.Abs(d2) > 3 {
			return "a mean moves as it must"
		}
	}
	return ""
}

// sumsUp reports whether a number that was not there before is one amount and then the sum of both.
func sumsUp(q [4]float64, acts []filling) bool {
	a, b := amounts(acts[0]), amounts(acts[1])
	for i := range min(len(a), len(b)) {
		if near01(q[1], a[i]) && near01(q[2]-q[1], b[i]) {
			return true
		}
	}
	return false
}

func near01(a, b float64) bool { return math.Abs(a-b) < 0.011 && b != 0 }
