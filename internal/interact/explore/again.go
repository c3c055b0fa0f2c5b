package explore

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// unproven are the candidates without effect and those that could not be operated,
// grouped by the state they were found in. Each group is retried together.
func (e *explorer) unproven() [][]*candidate {
	var groups [][]*candidate
	at := map[string]int{}
	for _, c := range e.done {
		if v := e.verdict(c); v == vitrine.VerdictWorks || v == vitrine.VerdictUnclear && !c.inconclusive || e.trace.Cases[c.at].End == vitrine.EndPage {
			continue
		}
		if c.rounds > 0 && (c.rounds == maxRounds || c.works == e.working()) || c.depth > 1 || c.missing {
			continue // a retry would show the same
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

// maxRounds is the largest number of retries of a candidate.
const maxRounds = 2

// working is the number of candidates that work so far.
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

// undoes matches names of controls that undo the effect of others. They come last on a
// walk, since a candidate may need that effect.
var undoes = regexp.MustCompile(`(?i)\b(reset|clear|delete|remove|close|cancel|stop|empty|undo|dismiss|log ?out|sign ?out|back)\b|^[×✕✖xX]$`)

// starts matches names of controls after which keys may have an effect.
var starts = regexp.MustCompile(`(?i)\b(start|play|begin|new|go|run|launch|resume|continue)\b|▶`)

// A hit is a candidate that had an effect after others had been operated.
type hit struct {
	candidate *candidate
	plan      plan
	short     []vitrine.Action // the last step of the walk before it
	full      []vitrine.Action // the whole walk before it
}

// again retries a group of candidates after others that work: a button that clears a
// list has no effect in the fresh state, where the list is empty. It operates the working
// controls of the route, in reading order, and retries the group after each; then it
// scrolls to the end of the page. Candidates with an effect are confirmed from a fresh
// state.
func (e *explorer) again(ctx context.Context, s *interact.Session, group []*candidate) error {
	base, route := group[0].path, group[0].route
	helpers := e.helpers(route, base, group)
	first := group[0].rounds == 1
	if !first {
		helpers = slices.DeleteFunc(helpers, func(c *candidate) bool { return !c.afterOthers }) // the first round used the others
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

// maxHelpers is the largest number of controls that a walk operates.
const maxHelpers = 12

// helpers are the controls that work in the same state, in reading order, with those that
// undo something last.
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

// walk operates working controls one after the other, and retries candidates after each.
type walk struct {
	*explorer
	session *interact.Session
	base    []vitrine.Action
	walked  []vitrine.Action // steps since base
	trail   []vitrine.Action // walked, with the actions of candidates in between
	left    []*candidate     // without effect so far
	hits    []hit
}

// way are the actions that a helper adds to the walk, with those of the controls that it
// needs before it.
func (w *walk) way(c *candidate) []vitrine.Action {
	if c.afterOthers {
		return c.proof[min(len(w.base), len(c.proof)):]
	}
	return c.proof[min(len(c.path), len(c.proof)):]
}

// step carries out actions and retries the candidates that are left, inconclusive ones only
// if begins says that keys may have an effect now. Controls that the actions revealed become
// candidates.
func (w *walk) step(ctx context.Context, actions []vitrine.Action, begins bool) error {
	if len(actions) == 0 || len(w.left) == 0 {
		return nil
	}
	if _, err := w.follow(ctx, w.session, actions); err != nil {
		return err
	}
	w.walked = append(w.walked, actions...)
	w.trail = append(w.trail, actions...)
	scene, err := w.session.Look(ctx)
	if err != nil {
		return err
	}
	if d := w.left[0].depth + 1; d <= w.settings.MaxDepth {
		w.found(scene, w.left[0].route, slices.Concat(w.base, w.walked), w.left[0].from, d)
	}
	w.session.Sparing = true
	defer func() { w.session.Sparing = false }()
	for _, c := range slices.Clone(w.left) {
		if c.inconclusive && !begins {
			continue
		}
		if err := w.retry(ctx, c, actions); err != nil {
			return err
		}
	}
	return nil
}

// retry tries the first plan of a candidate in the current state of the walk. A candidate
// with an effect is taken from the list. The walk is then rebuilt, and also after an action
// that loaded a page or took much page time.
func (w *walk) retry(ctx context.Context, c *candidate, actions []vitrine.Action) error {
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

// maxSettleMS is the page time of an action after which the walk is rebuilt.
const maxSettleMS = 900

// rebuild restores the state of the walk after its last step.
func (w *walk) rebuild(ctx context.Context) error {
	if err := w.session.Reset(ctx, w.left[0].route); err != nil {
		return err
	}
	w.trail = slices.Clone(w.walked)
	_, err := w.follow(ctx, w.session, slices.Concat(w.base, w.walked))
	return err
}

// likely is proves without a frame: it assumes that any change of the document is visible.
func likely(step vitrine.Step, route string) bool {
	works, _ := proves(step, route)
	e := step.Effect
	return works || !e.Loaded && !e.Missing && (len(e.Changed) > 0 || e.Added > 0 || e.Removed > 0)
}
