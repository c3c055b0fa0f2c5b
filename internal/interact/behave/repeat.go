package behave

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// An opening is a fresh state in the course of a try.
type opening struct {
	route    string
	from, by int // indexes of the step after it, and of that after the way to the place
}

// A segment is what was done from a fresh state on, in a try by which something was shown to work.
type segment struct {
	of    int // the case
	route string
	steps []vitrine.Step
	own   int // steps after the way to the place
}

// Page time, in milliseconds, before acts are repeated and after that; by how many weeks the day is an
// earlier one, at most; and how many steps are repeated, where fewer can be.
const (
	beforeMS  = 60_000
	afterMS   = 25_000
	maxWeeks  = 26
	maxRepeat = 30
)

// otherDays are days before the Thursday on which all else is done, of other weekdays: a Friday, a Tuesday
// and a Wednesday, on which few sites are closed.
var otherDays = []int{6, 2, 1}

// timeless are behaviors that are the same at every minute and on every day.
var timeless = []vitrine.Behavior{
	vitrine.BehaviorCreate, vitrine.BehaviorSubmit, vitrine.BehaviorCart, vitrine.BehaviorEdit, vitrine.BehaviorDelete, vitrine.BehaviorStatus, vitrine.BehaviorJoin, vitrine.BehaviorReply,
	vitrine.BehaviorLedger, vitrine.BehaviorHistory, vitrine.BehaviorSearch, vitrine.BehaviorFilter, vitrine.BehaviorOrder, vitrine.BehaviorLookup, vitrine.BehaviorCalculate,
}

// keep remembers of a try that showed that something works the segment with the most effects: others
// are negative controls.
func (r *run) keep(p *prover) {
	if !slices.Contains(timeless, p.need.Behavior) {
		return
	}
	var most *segment
	for i, o := range p.resets {
		to := len(p.steps)
		if i+1 < len(p.resets) {
			to = p.resets[i+1].from
		}
		s := &segment{of: r.next, route: o.route, steps: p.steps[o.from:to], own: to - o.by}
		if n := s.effects(); n > 0 && (most == nil || n >= most.effects()) {
			most = s
		}
	}
	if most != nil {
		r.segments = append(r.segments, most)
	}
}

// effects counts the steps after the way to the place that had a visible effect.
func (s *segment) effects() (n int) {
	for _, step := range s.steps[len(s.steps)-s.own:] {
		if visible(step) {
			n++
		}
	}
	return n
}

// visible leaves out what a clock shows, and what stands in a field since it was typed there.
func visible(s vitrine.Step) bool {
	e := s.Effect
	read := slices.DeleteFunc(slices.Concat(e.Appeared, e.Gone), clockText.MatchString)
	return len(read)+len(e.Dialogs)+len(e.Asked) > 0 || e.URL != ""
}

// drawn is the segment to be repeated: one of those that are not long, drawn by the seed, or else the
// shortest.
func (r *run) drawn(t *tokens) *segment {
	brief := slices.DeleteFunc(slices.Clone(r.segments), func(s *segment) bool { return len(s.steps) > maxRepeat })
	if len(brief) > 0 {
		return brief[t.number(0, len(brief)-1)]
	}
	return slices.MinFunc(r.segments, func(a, b *segment) int { return len(a.steps) - len(b.steps) })
}

// repeat carries the acts of a segment out once more, on an earlier day and a minute after the page was
// opened: at least half of those that had a visible effect must have one again, and rows that they brought
// must still be there a while later. Where that does not hold on two days of other weekdays, the page works only for as long
// as it is looked at, and this behavior counts as a central one that fails. (Differential testing in time.)
func (r *run) repeat(ctx context.Context, d *interact.Driver) error {
	t := &tokens{seed: r.seed, about: r.shown + "/day"}
	s, why := r.drawn(t), ""
	weekday := t.number(0, len(otherDays)-1)
	for n := range 2 {
		other := *d
		other.Dir, other.Limit, other.DaysBack = "", gameLimit, 7*t.number(0, maxWeeks-1)+otherDays[(weekday+n)%len(otherDays)]
		v, err := other.Run(ctx, s.route, func(ctx context.Context, session *interact.Session) (err error) {
			session.Sparing, session.IgnoreEndless = true, true
			why, err = s.again(ctx, session, other.DaysBack)
			return err
		})
		if err != nil {
			return err
		}
		if !v.Valid {
			why = "the page ends: " + v.Why
		}
		if why == "" {
			return nil
		}
	}
	c, zero := &r.trace.Cases[s.of], 0.0
	c.Verdict, c.Score, c.Central = vitrine.VerdictFail, &zero, true
	c.Why = fmt.Sprintf("on another day and a minute after the page is opened, %s; else: %s", why, c.Why)
	return nil
}

// again says what is otherwise when a segment is repeated.
func (s *segment) again(ctx context.Context, session *interact.Session, daysBack int) (why string, err error) {
	start, err := read(ctx, session)
	if err != nil {
		return "", err
	}
	if _, err := session.Do(ctx, vitrine.Action{Kind: vitrine.ActWait, MS: beforeMS}); err != nil {
		return "", err
	}
	had, want := 0, 0
	var typed []string
	for i, known := range s.steps {
		a := known.Action
		a.Text = earlier(a.Text, daysBack)
		step, err := session.Do(ctx, a)
		if err != nil {
			return "", err
		}
		if a.Kind == vitrine.ActType && len(a.Text) > 3 {
			typed = append(typed, a.Text)
		}
		if i < len(s.steps)-s.own || !visible(known) {
			continue
		}
		want++
		if visible(step) {
			had++
		}
	}
	if 2*had < want {
		return fmt.Sprintf("%d of %d acts that had an effect have one", had, want), nil
	}
	end, err := read(ctx, session)
	if err != nil {
		return "", err
	}
	step, err := session.Do(ctx, vitrine.Action{Kind: vitrine.ActWait, MS: afterMS})
	if err != nil {
		return "", err
	}
	later, err := read(ctx, session)
	switch {
	case err != nil:
		return "", err
	case step.Effect.Loaded && differs(start.plain(), end.plain(), 1) && !differs(start.plain(), later.plain(), 1):
		return fmt.Sprintf("the page begins anew within %d s", afterMS/1000), nil
	case end.hasRow(typed) && !start.hasRow(typed) && !later.hasRow(typed):
		return fmt.Sprintf("rows with what was entered are gone within %d s", afterMS/1000), nil
	}
	return "", nil
}

// plain is the text of a view without what clocks show.
func (v *view) plain() string { return clockText.ReplaceAllString(v.Text, "") }

// hasRow reports whether a row shows one of some texts.
func (v *view) hasRow(texts []string) bool {
	return slices.ContainsFunc(v.survey.Groups, func(g interact.Group) bool {
		return slices.ContainsFunc(g.Rows, func(r interact.Row) bool {
			return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(r.Text, t) })
		})
	})
}

var isoDay = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}`)

// earlier is a text with its ISO dates so many days before: that of the clock's own day, and others by
// whole weeks, since a place may be closed on some days of the week. What lay in the past still does.
func earlier(text string, days int) string {
	return isoDay.ReplaceAllStringFunc(text, func(day string) string {
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return day
		}
		back := days
		switch today := clock.Format(time.DateOnly); {
		case day > today:
			back = days - days%7
		case day < today:
			back = (days + 6) / 7 * 7
		}
		return t.AddDate(0, 0, -back).Format(time.DateOnly)
	})
}
