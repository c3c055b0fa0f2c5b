package interact

import (
	"context"
	"fmt"
	"image"

	"vitrine"
)

// A deed is an action that is ready to be carried out: its target was found, brought
// into the window, and the pointer is on it.
type deed struct {
	control *vitrine.Control
	at      *vitrine.Box
	act     func(context.Context) (failed string, err error)
	pageMS  int // page time that a wait asks for
}

// moment is the page as it stands.
type moment struct {
	*snapshot
	picture *picture
}

func (s *Session) moment(ctx context.Context) (*moment, error) {
	snap, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	m := &moment{snapshot: snap}
	if !s.Sparing || snap.Draws {
		m.picture, err = s.shoot(ctx)
	}
	return m, err
}

// restless is what moves by itself: how the page would look without the action, or
// else which parts of it are not to be trusted.
type restless struct {
	early, end *moment // of a run without the action; nil where nothing moves by itself
	paths      map[string]bool
	cells      map[image.Point]bool
	ms         int // page time that it took to find out
}

// Do carries out one action with real input events, lets page time pass until the page
// is quiet, at most a second or, where nothing showed and a timer of the action runs,
// four, and says what changed. An action that cannot be carried out is a step with
// Failed; errors are the page's end or ours.
func (s *Session) Do(ctx context.Context, a vitrine.Action) (vitrine.Step, error) {
	step := vitrine.Step{Action: a}
	if err := s.do(ctx, &step); err != nil {
		return step, fmt.Errorf("%s: %w", a.Kind, err)
	}
	return step, nil
}

func (s *Session) do(ctx context.Context, step *vitrine.Step) error {
	action := s.lasting(step.Action)
	d, hovered, failed, err := s.ready(ctx, action)
	if d != nil {
		step.Control, step.At = d.control, d.at
	}
	if err != nil || failed != "" {
		step.Failed = failed
		return err
	}
	rest, d, failed, err := s.restless(ctx, action, d)
	if err != nil || failed != "" {
		step.Failed = failed
		return err
	}
	before, err := s.moment(ctx)
	if err != nil {
		return err
	}
	if step.Before, err = s.keep(before.picture); err != nil {
		return err
	}
	o := s.observe(ctx, before, rest, d.control)
	failed, err = s.within(ctx, d.act)
	if err != nil {
		return err
	}
	step.Failed = failed
	step.PageMS, err = o.watch(ctx, d.pageMS)
	step.PageMS += hovered
	if err != nil {
		return err
	}
	s.performed = append(s.performed, performed{action, rest.ms, step.PageMS - hovered})
	step.PageMS += rest.ms
	step.Effect = o.found
	step.After, err = s.keep(o.end.picture)
	return err
}

// lasting names the targets of an action by paths instead of marks, which stand for the
// scene that was looked at last and for no other run.
func (s *Session) lasting(a vitrine.Action) vitrine.Action {
	for _, t := range []**vitrine.Target{&a.Target, &a.To} {
		if *t == nil || (*t).Mark == 0 {
			continue
		}
		if path, err := s.marked((*t).Mark); err == nil {
			*t = &vitrine.Target{CSS: path}
		}
	}
	return a
}

// ready prepares an action and lets happen what hovering over its target does.
func (s *Session) ready(ctx context.Context, a vitrine.Action) (d *deed, ms int, failed string, err error) {
	d, failed, err = s.prepare(ctx, a)
	if err != nil || failed != "" || d.at == nil || a.Kind == vitrine.ActPress {
		return d, 0, failed, err
	}
	ms, _, err = s.settle(ctx, hoverMS)
	return d, ms, "", err
}

// restless finds out what moves by itself. Where the session is exact, the page is run
// again to where it stands, without the action and once more for it. Where the target
// is gone then, no run of the page can be held against another: it is watched instead,
// if one more run has the target.
func (s *Session) restless(ctx context.Context, a vitrine.Action, d *deed) (rest restless, again *deed, failed string, err error) {
	stirs, err := s.stirs(ctx, actionMS)
	if err != nil || !stirs || a.Kind == vitrine.ActWait {
		return rest, d, "", err
	}
	if !s.Exact {
		if !s.Sparing {
			rest, err = s.movesItself(ctx)
		}
		return rest, d, "", err
	}
	if rest.early, rest.end, err = s.idle(ctx); err != nil {
		return rest, d, "", err
	}
	if again, failed, err = s.rerun(ctx, a); err != nil || failed == "" {
		return rest, again, "", err
	}
	if again, failed, err = s.rerun(ctx, a); err != nil || failed != "" {
		return rest, again, failed, err
	}
	rest, err = s.movesItself(ctx)
	return rest, again, "", err
}

// rerun brings the session back to where it stood and prepares an action there.
func (s *Session) rerun(ctx context.Context, a vitrine.Action) (d *deed, failed string, err error) {
	if err := s.replay(ctx); err != nil {
		return nil, "", err
	}
	if d, _, failed, err = s.ready(ctx, a); failed != "" {
		failed = "the page is another when it is run again: " + failed
	}
	return d, failed, err
}

// idle lets the page be, at the page times at which an action is looked at.
func (s *Session) idle(ctx context.Context) (early, end *moment, err error) {
	ms, _, err := s.settle(ctx, stepMS)
	if err != nil {
		return nil, nil, err
	}
	if early, err = s.moment(ctx); err != nil {
		return nil, nil, err
	}
	if _, _, err = s.settle(ctx, actionMS-ms); err != nil {
		return nil, nil, err
	}
	end, err = s.moment(ctx)
	return early, end, err
}

// replay brings the session back to where it stood after its last action.
func (s *Session) replay(ctx context.Context) error {
	if err := s.open(ctx, s.page.Route); err != nil {
		return err
	}
	for _, p := range s.performed {
		d, _, failed, err := s.ready(ctx, p.action)
		if err != nil {
			return err
		}
		if err := s.pass(ctx, p.before); err != nil {
			return err
		}
		if failed == "" {
			if _, err = s.within(ctx, d.act); err != nil {
				return err
			}
		}
		if _, _, err := s.settle(ctx, p.ms); err != nil {
			return err
		}
	}
	return nil
}

// movesItself watches the page for a moment before the action.
func (s *Session) movesItself(ctx context.Context) (rest restless, err error) {
	a, err := s.moment(ctx)
	if err != nil {
		return rest, err
	}
	if rest.ms, _, err = s.settle(ctx, 2*stepMS); err != nil {
		return rest, err
	}
	b, err := s.moment(ctx)
	if err != nil {
		return rest, err
	}
	rest.paths = map[string]bool{}
	for _, path := range compare(a.snapshot, b.snapshot, nil).Changed {
		rest.paths[path] = true
	}
	if a.picture != nil && b.picture != nil && a.picture.sum != b.picture.sum {
		imgA, errA := a.picture.image()
		imgB, errB := b.picture.image()
		if errA == nil && errB == nil {
			_, _, rest.cells = changes(imgA, imgB, nil)
			widen(rest.cells)
		}
	}
	return rest, nil
}

// widen adds the cells around those that move: what moves goes on moving.
func widen(cells map[image.Point]bool) {
	var around []image.Point
	for c := range cells {
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				around = append(around, c.Add(image.Pt(dx, dy)))
			}
		}
	}
	for _, c := range around {
		cells[c] = true
	}
}

// within bounds how long an action may take.
func (s *Session) within(ctx context.Context, act func(context.Context) (string, error)) (string, error) {
	ctx, cancel := s.tab.Allow(actionTimeout).Context(ctx)
	defer cancel()
	s.page.Acted()
	return act(ctx)
}
