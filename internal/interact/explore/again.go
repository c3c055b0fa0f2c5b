package explore

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// unproven are the candidates that showed nothing, or that could not be operated,
// grouped by the state they were found in. Each group is tried once more.
func (e *explorer) unproven() [][]*candidate {
	var groups [][]*candidate
	at := map[string]int{}
	for _, c := range e.done {
		if v := e.verdict(c); v == vitrine.VerdictWorks || v == vitrine.VerdictUnclear && !c.inconclusive || e.trace.Cases[c.at].End == vitrine.EndPage {
			continue
		}
		if c.rounds > 0 && (c.rounds == maxRounds || c.works == e.working()) || c.depth > 1 || c.missing {
			continue // nothing new could help it
		}
		key := c.route
		for _, a := range c.path {
			key += "|" + quoteAction(a)
		}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
		c.rounds, c.works = c.rounds+1, e.working()
	}
	return groups
}

const maxRounds = 2

// working counts what works so far.
func (e *explorer) working() (n int) {
	for _, c := range e.done {
		if e.verdict(c) == vitrine.VerdictWorks {
			n++
		}
	}
	return n
}

func quoteAction(a vitrine.Action) string {
	t := ""
	if a.Target != nil {
		t = a.Target.CSS
	}
	return string(a.Kind) + t + a.Text
}

// undoes are names of controls that take back what others did: they come last on the
// way, or what is to be tried finds nothing there.
var undoes = regexp.MustCompile(`(?i)\b(reset|clear|delete|remove|close|cancel|stop|empty|undo|dismiss|log ?out|sign ?out|back)\b|^[×✕✖xX]$`)

// starts are names of controls after which keys may do something.
var starts = regexp.MustCompile(`(?i)\b(start|play|begin|new|go|run|launch|resume|continue)\b|▶`)

// a hit is a candidate that showed something after others had been operated.
type hit struct {
	candidate *candidate
	plan      plan
	short     []vitrine.Action // the last of the way alone
	full      []vitrine.Action // the whole way
}

// again tries a group of candidates once more, after what works: a button that clears
// has nothing to clear in the fresh state. It walks through everything that works on
// the route, in reading order, and tries the group after each step; then it goes down
// to the end of the page. What shows something is confirmed from a fresh state.
func (e *explorer) again(ctx context.Context, s *interact.Session, group []*candidate) error {
	base, route := group[0].path, group[0].route
	helpers := e.helpers(route, base, group)
	first := group[0].rounds == 1
	if !first {
		helpers = slices.DeleteFunc(helpers, func(c *candidate) bool { return !c.afterOthers }) // the others were gone through
	}
	if err := s.Reset(ctx, route); err != nil {
		return err
	}
	if _, err := e.follow(ctx, s, base); err != nil {
		return err
	}
	w := &walk{explorer: e, session: s, base: base, left: slices.Clone(group)}
	if first && slices.ContainsFunc(group, func(c *candidate) bool { return !c.filled }) {
		filled, err := fill(ctx, s, "")
		if err != nil {
			return err
		}
		if err := w.step(ctx, filled, false); err != nil {
			return err
		}
	}
	for _, c := range helpers {
		begins := starts.MatchString(c.control.Name) || c.control.Tag == "canvas" || c.opens
		if err := w.step(ctx, w.way(c), begins); err != nil {
			return err
		}
	}
	if first {
		if err := w.step(ctx, []vitrine.Action{{Kind: vitrine.ActScroll, DY: 100000}}, true); err != nil {
			return err
		}
	}
	for _, h := range w.hits {
		if err := e.confirm(ctx, s, h); err != nil {
			return err
		}
	}
	return nil
}

const maxHelpers = 12

// helpers are the controls that work in the same state, in reading order, those that
// take something back at the end.
func (e *explorer) helpers(route string, base []vitrine.Action, group []*candidate) []*candidate {
	var all, last []*candidate
	for _, c := range e.done {
		if c.route != route || e.verdict(c) != vitrine.VerdictWorks || c.leaves || len(c.proof) == 0 || slices.Contains(group, c) {
			continue
		}
		if len(c.path) > 0 && !samePath(c.path, base) && len(base) > 0 {
			continue
		}
		if undoes.MatchString(c.control.Name) {
			last = append(last, c)
		} else {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return a.control.Mark - b.control.Mark })
	all = append(all, last...)
	return all[:min(len(all), maxHelpers)]
}

func samePath(a, b []vitrine.Action) bool {
	return slices.EqualFunc(a, b, func(x, y vitrine.Action) bool { return quoteAction(x) == quoteAction(y) })
}

// walk is one way through what works, with the candidates that are tried along it.
type walk struct {
	*explorer
	session *interact.Session
	base    []vitrine.Action
	gone    []vitrine.Action // since the base
	trail   []vitrine.Action // the same with what was tried in between
	left    []*candidate
	hits    []hit
}

// way is what a helper adds to the walk: all that it takes where it needs others.
func (w *walk) way(c *candidate) []vitrine.Action {
	if c.afterOthers {
		return c.proof[min(len(w.base), len(c.proof)):]
	}
	return c.proof[min(len(c.path), len(c.proof)):]
}

// step goes on by some actions and tries what is left; keys only where a game or the
// like may have begun. What the actions opened is new to try.
func (w *walk) step(ctx context.Context, actions []vitrine.Action, begins bool) error {
	if len(actions) == 0 || len(w.left) == 0 {
		return nil
	}
	if _, err := w.follow(ctx, w.session, actions); err != nil {
		return err
	}
	w.gone = append(w.gone, actions...)
	w.trail = append(w.trail, actions...)
	scene, err := w.session.Look(ctx)
	if err != nil {
		return err
	}
	if d := w.left[0].depth + 1; d <= w.settings.MaxDepth {
		w.found(scene, w.left[0].route, slices.Concat(w.base, w.gone), w.left[0].from, d)
	}
	w.session.Sparing = true
	defer func() { w.session.Sparing = false }()
	for _, c := range slices.Clone(w.left) {
		if c.inconclusive && !begins {
			continue
		}
		if err := w.shows(ctx, c, actions); err != nil {
			return err
		}
	}
	return nil
}

// shows tries a candidate's first plan where the walk stands. One that shows something
// leaves the list, and the walk goes back to where it stood, as it does where page time
// matters.
func (w *walk) shows(ctx context.Context, c *candidate, actions []vitrine.Action) error {
	p := plans(c)[0]
	step, err := w.session.Do(ctx, p.actions[0])
	if err != nil || step.Failed != "" {
		return err
	}
	w.trail = append(w.trail, p.actions[0])
	shown := likely(step, c.route)
	if shown {
		w.left = slices.DeleteFunc(w.left, func(o *candidate) bool { return o == c })
		w.hits = append(w.hits, hit{c, p, slices.Concat(w.base, actions), slices.Concat(w.base, w.trail[:len(w.trail)-1])})
	}
	if (shown || step.Effect.Loaded || step.PageMS >= maxSettleMS) && len(w.left) > 0 {
		return w.rebuild(ctx)
	}
	return nil
}

// maxSettleMS is the page time after which a page that does not come to rest is given up.
const maxSettleMS = 900

// rebuild comes back to where the walk stood before a candidate took the page away.
func (w *walk) rebuild(ctx context.Context) error {
	if err := w.session.Reset(ctx, w.left[0].route); err != nil {
		return err
	}
	w.trail = slices.Clone(w.gone)
	_, err := w.follow(ctx, w.session, slices.Concat(w.base, w.gone))
	return err
}

// likely is proves without a picture: any change of the tree may be seen.
func likely(step vitrine.Step, route string) bool {
	works, _ := proves(step, route)
	e := step.Effect
	return works || !e.Loaded && !e.Missing && (len(e.Changed) > 0 || e.Added > 0 || e.Removed > 0)
}
