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
		if v := e.verdict(c); v == vitrine.VerdictWorks || v == vitrine.VerdictUnclear && !c.soft || e.trace.Cases[c.at].End == vitrine.EndPage {
			continue
		}
		if c.proof != nil || c.depth > 1 || c.missing {
			continue
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
		c.proof = []vitrine.Action{} // not a second time
	}
	return groups
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
func (e *explorer) again(ctx context.Context, s *interact.Stage, group []*candidate) error {
	base, route := group[0].path, group[0].route
	if err := s.Reset(ctx, route); err != nil {
		return err
	}
	if _, err := e.follow(ctx, s, base); err != nil {
		return err
	}
	w := &walk{explorer: e, stage: s, base: base, left: slices.Clone(group)}
	filled, err := fill(ctx, s, "")
	if err != nil {
		return err
	}
	if err := w.step(ctx, filled, false); err != nil {
		return err
	}
	for _, c := range e.helpers(route, base, group) {
		if len(w.left) == 0 {
			break
		}
		begins := starts.MatchString(c.control.Name) || c.control.Tag == "canvas" || c.opens
		if err := w.step(ctx, c.proof[min(len(c.path), len(c.proof)):], begins); err != nil {
			return err
		}
	}
	if len(w.left) > 0 {
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
	stage *interact.Stage
	base  []vitrine.Action
	gone  []vitrine.Action // since the base
	trail []vitrine.Action // the same with what was tried in between
	left  []*candidate
	hits  []hit
}

// step goes on by some actions and tries what is left; keys only where a game or the
// like may have begun. What the actions opened is new to try.
func (w *walk) step(ctx context.Context, actions []vitrine.Action, begins bool) error {
	if len(actions) == 0 {
		return nil
	}
	if _, err := w.follow(ctx, w.stage, actions); err != nil {
		return err
	}
	w.gone = append(w.gone, actions...)
	w.trail = append(w.trail, actions...)
	scene, err := w.stage.Look(ctx)
	if err != nil {
		return err
	}
	if d := w.left[0].depth + 1; d <= w.settings.MaxDepth {
		w.found(scene, w.left[0].route, slices.Concat(w.base, w.gone), w.left[0].from, d)
	}
	w.stage.Sparing = true
	defer func() { w.stage.Sparing = false }()
	for _, c := range slices.Clone(w.left) {
		if c.soft && !begins {
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
	step, err := w.stage.Do(ctx, p.actions[0])
	if err != nil || step.Failed != "" {
		return err
	}
	w.trail = append(w.trail, p.actions[0])
	shown := likely(step, c.route)
	if shown {
		w.left = slices.DeleteFunc(w.left, func(o *candidate) bool { return o == c })
		w.hits = append(w.hits, hit{c, p, slices.Concat(w.base, actions), slices.Concat(w.base, w.trail[:len(w.trail)-1])})
	}
	if (shown || step.Effect.Loaded || step.PageMS >= restless) && len(w.left) > 0 {
		return w.rebuild(ctx)
	}
	return nil
}

// restless is the page time after which a page that does not come to rest is given up.
const restless = 900

// rebuild comes back to where the walk stood before a candidate took the page away.
func (w *walk) rebuild(ctx context.Context) error {
	if err := w.stage.Reset(ctx, w.left[0].route); err != nil {
		return err
	}
	w.trail = slices.Clone(w.gone)
	_, err := w.follow(ctx, w.stage, slices.Concat(w.base, w.gone))
	return err
}

// likely is proves without a picture: any change of the tree may be seen.
func likely(step vitrine.Step, route string) bool {
	works, _ := proves(step, route)
	e := step.Effect
	return works || !e.Loaded && !e.Missing && (len(e.Changed) > 0 || e.Added > 0 || e.Removed > 0)
}

// confirm goes the way of a hit from a fresh state, the short one first, and records
// the case where the control shows something there, too.
func (e *explorer) confirm(ctx context.Context, s *interact.Stage, h hit) error {
	o, err := e.attempt(ctx, s, h.candidate, h.short, h.plan)
	if err != nil {
		return err
	}
	if o.works {
		if same, err := e.anywhere(ctx, s, h, o); err != nil || same {
			return err
		}
		h.candidate.path = h.short
		return e.proven(ctx, s, h.candidate, o)
	}
	if samePath(h.short, h.full) {
		return nil
	}
	if o, err = e.attempt(ctx, s, h.candidate, h.full, h.plan); err != nil || !o.works {
		return err
	}
	h.candidate.path = h.full
	if err := e.proven(ctx, s, h.candidate, o); err != nil {
		return err
	}
	return e.credit(ctx, s, h)
}

// anywhere reports whether a click on an empty place does the same: a menu that was
// opened on the way closes then, wherever one clicks.
func (e *explorer) anywhere(ctx context.Context, s *interact.Stage, h hit, o outcome) (bool, error) {
	last := o.steps[len(o.steps)-1]
	if last.Action.Kind != vitrine.ActClick || len(last.Effect.Gone) == 0 && len(last.Effect.Changed) == 0 {
		return false, nil
	}
	empty := plan{actions: []vitrine.Action{{Kind: vitrine.ActClick, Target: &vitrine.Target{Point: []vitrine.Coord{emptyAt, emptyAt}}}}}
	other, err := e.attempt(ctx, s, h.candidate, h.short, empty)
	if err != nil || !other.works {
		return false, err
	}
	a, b := last.Effect, other.steps[len(other.steps)-1].Effect
	return slices.Equal(a.Appeared, b.Appeared) && slices.Equal(a.Gone, b.Gone) && slices.Equal(a.Changed, b.Changed) && slices.Equal(a.Storage, b.Storage), nil
}

// emptyAt is near the right bottom corner, in thousandths of the window.
const emptyAt = 996

const maxCredits = 8

// credit finds, of the controls that showed nothing themselves, those that a hit needs:
// an operator of a calculator shows nothing before there is a result.
func (e *explorer) credit(ctx context.Context, s *interact.Stage, h hit) error {
	n := 0
	for _, c := range e.done {
		if n == maxCredits || c == h.candidate || c.soft || e.verdict(c) != vitrine.VerdictDead || c.route != h.candidate.route {
			continue
		}
		p := plans(c)[0].actions[0]
		if !slices.ContainsFunc(h.full, func(a vitrine.Action) bool { return quoteAction(a) == quoteAction(p) }) {
			continue
		}
		n++
		o, err := e.attempt(ctx, s, h.candidate, append(slices.Clone(h.short), p), h.plan)
		if err != nil {
			return err
		}
		if o.works {
			e.record(c, o.steps, vitrine.VerdictWorks, "what "+h.candidate.control.Name+" does afterwards depends on it", vitrine.EndFinished)
		}
	}
	return nil
}

// onward are names of controls that lead to the next step of something.
var onward = regexp.MustCompile(`(?i)^\W*(next|continue|proceed|forward|weiter|suivant)\b`)

const maxSteps = 5 // of something that has steps

// forward goes through something that has steps, such as a wizard, filling in each, and
// enters what it finds into the queue.
func (e *explorer) forward(ctx context.Context, s *interact.Stage, c *candidate) error {
	if err := s.Reset(ctx, c.route); err != nil {
		return err
	}
	way := c.path
	if _, err := e.follow(ctx, s, way); err != nil {
		return err
	}
	for range maxSteps {
		filled, err := fill(ctx, s, "")
		if err != nil {
			return err
		}
		next := append(filled, vitrine.Action{Kind: vitrine.ActClick, Target: on(c)})
		steps, err := e.follow(ctx, s, next)
		if err != nil {
			return err
		}
		way = slices.Concat(way, next)
		if last := steps[len(steps)-1]; last.Failed != "" || interact.Empty(last.Effect) {
			return nil
		}
		scene, err := s.Look(ctx)
		if err != nil {
			return err
		}
		e.found(scene, c.route, way, c.from, min(c.depth+1, e.settings.MaxDepth))
	}
	return nil
}
