package behave

import (
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
	if best.verdict == vitrine.VerdictWorks {
		return best
	}
	acts := p.find(append(slices.Clone(p.need.Words), doWords...), func(c vitrine.Control, f interact.Facts) bool {
		return clickable(c) && c.Role != "link" && f.Region != "nav" && !historyLabel.MatchString(c.Name)
	})
	return bestOf(acts, 3, best, func(h hit) answer { return p.recordClicks(ctx, h) })
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
	if at, ok := s.early.shownAny(f.marks()); ok && at.Row != "" && at.Row != form.Path && len(f.tokens()) > 0 {
		return f, s.early, "what is typed is a row before it is sent off"
	}
	after = p.look(ctx, f.marks()...)
	return f, after, ""
}

// recorded looks for rows that hold what was done: at the places that are named as records;
// where there are none, on the page as it stands and at the others.
func (p *prover) recorded(ctx context.Context, v *view, here *place, toks []string, acts []filling) (*view, bool) {
	complete := func(v *view) bool {
		for _, f := range acts {
			if at, ok := v.shownAny(f.marks()); !ok || at.Row == "" {
				return false
			}
		}
		return true
	}
	places := p.elsewhere(here)
	named := slices.DeleteFunc(slices.Clone(p.site.places), func(pl *place) bool { return len(pl.way) != 1 || !recordLabel.MatchString(pl.via.Name) })
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
	one, _ := v.shownAny(all[0].marks())
	two, _ := v.shownAny(all[1].marks())
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

// recordClicks acts by a control without a form: each click adds one row.
func (p *prover) recordClicks(ctx context.Context, h hit) answer {
	v := p.open(ctx, h.place)
	if _, _, ok := v.control(h.control.Path); !ok {
		return absent("%q is not there when the page is opened again", h.control.Name)
	}
	p.aside(ctx)
	calm := p.look(ctx)
	p.click(ctx, h.control.Path)
	p.wait(ctx, 6000)
	one := p.look(ctx)
	if c, _, ok := one.control(h.control.Path); !ok || off(c) {
		return absent("%q can be clicked once", h.control.Name)
	}
	p.click(ctx, h.control.Path)
	p.wait(ctx, 6000)
	two := p.look(ctx)
	for _, g := range two.survey.Groups {
		was, now := calm.rowsAt(g.Path, g.Kind), one.rowsAt(g.Path, g.Kind)
		if g.Region == "nav" || now != was+1 && !(was == 0 && now == 0 && g.Total == 2) || g.Total != now+1 && g.Total != 2 || g.Total > 40 {
			continue
		}
		if now < 1 || !recordTitle(two, g) || was != v.rowsAt(g.Path, g.Kind) {
			continue
		}
		return works("each click on %q adds a row: %q", h.control.Name, clip(g.Rows[len(g.Rows)-1].Text))
	}
	return absent("%q leaves no record", h.control.Name)
}

// rowsAt is the number of rows of one kind below a path.
func (v *view) rowsAt(path, kind string) int {
	for _, g := range v.survey.Groups {
		if g.Path == path && g.Kind == kind {
			return g.Total
		}
	}
	return 0
}

// recordTitle reports whether a page, or the path of a group, says that it is a record.
func recordTitle(v *view, g interact.Group) bool {
	return historyLabel.MatchString(identifier(g.Path)) || slices.ContainsFunc(v.survey.Headings, func(h string) bool {
		return matches(h, historyWords) > 0
	}) || strings.Contains(strings.ToLower(g.Kind), "history")
}
