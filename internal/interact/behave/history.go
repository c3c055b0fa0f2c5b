package behave

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var historyWords = []string{"history", "records", "record", "activity", "log", "orders", "my orders", "transactions", "past", "sent", "my bookings", "bookings", "results", "recent", "archive", "view", "历史", "记录", "我的"}

// doWords are labels of what leaves a record where no form does.
var doWords = []string{"generate", "calculate", "convert", "spin", "roll", "start", "play", "draw", "buy", "order", "pay", "transfer", "deposit", "clock in", "check in", "submit", "run", "analyze", "complete", "join", "enroll", "borrow", "add", "=", "go"}

// history proves that what was done is recorded: two acts with tokens, or two clicks on
// what acts, each add one row to the record; the first stays when the second comes; a
// click where nothing is adds none. It cheats who has a static list. (Relation 7.)
func history(ctx context.Context, p *prover) answer {
	words := p.labels(createWords)
	best := bestOf(p.forms(append(words, doWords...)), 3, absent("nothing is recorded as %s", p.thing("history")), func(h hit) answer { return p.recordBy(ctx, h, append(words, doWords...)) })
	best = p.actsThen(ctx, best, shiftWords, p.recordStamped)
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	acts := p.find(append(slices.Clone(p.need.Words), doWords...), func(c vitrine.Control, f interact.Facts) bool {
		return clickable(c) && c.Role != "link" && f.Region != "nav" && !historyLabel.MatchString(c.Name)
	})
	for _, h := range top(acts, 3) {
		a := p.recordClicks(ctx, h)
		if rank(a.verdict) > rank(best.verdict) {
			best = a
		}
		if a.verdict != vitrine.VerdictAbsent { // what acts is found
			break
		}
	}
	return best
}

// recordLabel is what leads to a record, as distinct from a list of what there is.
var recordLabel = regexp.MustCompile(`(?i)\b(histor(y|ies)|records?|logs?|transactions|activity|past|my (bookings|orders|events|courses|tickets|reservations|wins)|orders)\b|历史|记录`)

var historyLabel = regexp.MustCompile(`(?i)\b(history|records?|log|clear|delete)\b|历史|记录`)

// recordBy acts by a form.
func (p *prover) recordBy(ctx context.Context, h hit, words []string) answer {
	var all []filling
	v := p.open(ctx, h.place)
	for range 2 {
		f, after, why := p.actAt(ctx, v, h, words)
		if why != "" {
			return fails("%s", why)
		}
		all = append(all, f)
		var toks []string
		for _, done := range all {
			toks = append(toks, done.marks()...)
		}
		record, ok := p.recorded(ctx, after, h.place, toks, all)
		if !ok { // what was begun may take its time
			if later := p.wait(ctx, 6000); len(later.Effect.Appeared) > 0 || later.Effect.Added > 0 {
				record, ok = p.recorded(ctx, p.look(ctx, toks...), h.place, toks, all)
			}
		}
		if !ok {
			return fails("%q, which was entered, is in no record", f.marks()[0])
		}
		if len(all) == 2 {
			return p.judgeRecord(ctx, record, all)
		}
		v = p.visit(ctx, h.place)
	}
	return fails("nothing could be entered")
}

// marks are the texts by which an act is found in a record: its tokens, or else its numbers.
func (f filling) marks() []string {
	toks := f.tokens()
	if len(toks) == 0 {
		for _, e := range f.entries {
			if e.isNum && e.amount >= 10 {
				toks = append(toks, e.value)
			}
		}
	}
	return toks
}

// actAt fills a form in, all steps of it, and sends it off. Why says why that cannot be done.
func (p *prover) actAt(ctx context.Context, v *view, h hit, words []string) (f filling, after *view, why string) {
	form, ok := v.form(h.form)
	if !ok {
		return f, v, "the form is not there"
	}
	s := p.through(ctx, v, form, words, omission{})
	if f = s.filling; len(f.marks()) == 0 {
		return f, v, "no field of the form takes text or a number"
	}
	if at, ok := s.early.shownAny(f.marks()); ok && at.Row != "" && at.Row != form.Path && len(f.words()) > 0 {
		f.previews = s.early.previewsOf(f.marks())
	}
	after = p.look(ctx, f.marks()...)
	return f, after, ""
}

// wipes are labels of what empties a record.
var wipes = regexp.MustCompile(`(?i)\b(clear|delete|reset|remove|erase|wipe)\b|清空|删除`)

// records are the places that are named as records.
func (p *prover) records() []*place {
	other := func(pl *place) bool {
		return len(pl.way) != 1 || !recordLabel.MatchString(pl.via.Name) || wipes.MatchString(pl.via.Name)
	}
	return slices.DeleteFunc(slices.Clone(p.site.places), other)
}

// recorded looks for rows that hold what was done: at the places that are named as records;
// where there are none, on the page as it stands and at the others.
func (p *prover) recorded(ctx context.Context, v *view, here *place, toks []string, acts []filling) (*view, bool) {
	complete := func(v *view) bool {
		for _, f := range acts {
			if at, ok := v.withoutPreviews(f.previews).shownAny(f.marks()); !ok || at.Row == "" {
				return false
			}
		}
		return true
	}
	places := p.elsewhere(here)
	named := p.records()
	if len(named) > 0 { // where there is a record, it must stand in that
		places = named
	} else if v = p.look(ctx, toks...); complete(v) {
		return v, true
	}
	slices.SortStableFunc(places, func(a, b *place) int {
		return int(matches(b.via.Name, historyWords)) - int(matches(a.via.Name, historyWords))
	})
	for _, pl := range places {
		if v = p.visit(ctx, pl, toks...); complete(v) {
			return v, true
		}
	}
	return v, false
}

func (p *prover) judgeRecord(ctx context.Context, v *view, all []filling) answer {
	one, _ := v.withoutPreviews(all[0].previews).shownAny(all[0].marks())
	two, _ := v.withoutPreviews(all[1].previews).shownAny(all[1].marks())
	if one.Row == two.Row && one.RowText == two.RowText {
		return fails("both acts stand in one row")
	}
	before, ok := v.group(two.List)
	p.aside(ctx)
	after, still := p.look(ctx).group(two.List)
	if ok && still && after.Total > before.Total {
		return fails("a click where nothing is adds a record")
	}
	return works("two acts are recorded: %q", clip(two.RowText))
}

// recordClicks acts by a control without a form: each click adds one row to a record, which
// stands on the page or at a place that is named so.
func (p *prover) recordClicks(ctx context.Context, h hit) answer {
	named := slices.DeleteFunc(p.records(), func(pl *place) bool { return pl == h.place })
	start := p.open(ctx, h.place)
	if _, _, ok := start.control(h.control.Path); !ok {
		return absent("%q is not there when the page is opened again", h.control.Name)
	}
	p.aside(ctx)
	r := p.logbook(ctx, named)
	for i := range 4 { // not every draw wins
		if i == 3 && r.grown(1) == "" || !p.acted(ctx, h, start, r.to != nil) {
			break
		}
		r.read(ctx, p)
		text := r.grown(2)
		if text == "" {
			continue
		}
		if r.to != nil {
			p.visit(ctx, h.place)
		}
		p.aside(ctx)
		p.wait(ctx, 6000) // as long as an act may take
		if r.read(ctx, p); r.grown(2) != text {
			return fails("a record comes without an act")
		}
		return works("each %q adds a row: %q", h.control.Name, clip(text))
	}
	if len(r.here) > 1 && r.to != nil {
		return fails("%q adds nothing to %q", h.control.Name, r.to.via.Name)
	}
	return absent("%q leaves no record", h.control.Name)
}

// acted uses a control and lets it take its time, at its place where the page is elsewhere;
// false where that changes nothing.
func (p *prover) acted(ctx context.Context, h hit, start *view, away bool) bool {
	if away {
		p.visit(ctx, h.place)
	}
	before := p.look(ctx)
	if step := p.use(ctx, h.control.Path, start); step.Failed != "" {
		return false
	}
	at := p.look(ctx)
	p.wait(ctx, 6000)
	same := func(v *view) bool { return slices.Equal(output(before), output(v)) }
	return !same(at) || !same(p.look(ctx))
}

// A logbook is what stood on the page itself and at a place of records, after each act.
type logbook struct {
	to    *place // nil where no place is named as one
	here  []*view
	there []*view
}

func (p *prover) logbook(ctx context.Context, named []*place) *logbook {
	r := &logbook{}
	if len(named) > 0 {
		r.to = named[0]
	}
	r.read(ctx, p)
	return r
}

func (r *logbook) read(ctx context.Context, p *prover) {
	r.here = append(r.here, p.look(ctx))
	if r.to != nil {
		r.there = append(r.there, p.visit(ctx, r.to))
	}
}

func (r *logbook) grown(n int) string {
	return cmp.Or(grown(r.here, n, true), grown(r.there, n, false))
}

// grown is a row of a list that grew by one row n times, from one view to a later one, and by
// no more; empty where there is none. A row that says that there is nothing may go.
func grown(seen []*view, n int, titled bool) string {
	if len(seen) == 0 {
		return ""
	}
	last := seen[len(seen)-1]
	for _, g := range last.survey.Groups {
		if g.Region == "nav" || g.Total > 40 || titled && !recordTitle(last, g) {
			continue
		}
		times, ok := 0, true
		for i := 1; i < len(seen); i++ {
			was, now := seen[i-1].rowsOf(g), seen[i].rowsOf(g)
			switch {
			case len(now) == len(was)+1 && kept(was, now), len(was) == 1 && len(now) == 1 && was[0] != now[0] && times == 0:
				times++
			case len(now) != len(was):
				ok = false
			}
		}
		if ok && times == n {
			return g.Rows[len(g.Rows)-1].Text
		}
	}
	return ""
}

// kept reports whether each row is still there, but for its number.
func kept(was, now []string) bool {
	return !slices.ContainsFunc(was, func(old string) bool {
		return !slices.ContainsFunc(now, func(row string) bool { return overlap(wordsOf(old), wordsOf(row)) > 0.6 })
	})
}

// rowsOf are the texts of the rows of one kind below the path of a group.
func (v *view) rowsOf(like interact.Group) (all []string) {
	for _, g := range v.survey.Groups {
		if g.Path == like.Path && g.Kind == like.Kind {
			for _, r := range body(g).Rows {
				all = append(all, keyOf(r.Text))
			}
			break
		}
	}
	return all
}

// recordTitle reports whether a page, or the path of a group, says that it is a record.
func recordTitle(v *view, g interact.Group) bool {
	return historyLabel.MatchString(identifier(g.Path)) || slices.ContainsFunc(v.survey.Headings, func(h string) bool {
		return matches(h, historyWords) > 0
	}) || strings.Contains(strings.ToLower(g.Kind), "history")
}
