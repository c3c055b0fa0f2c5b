package interact

import (
	"context"
	"fmt"
	"image"

	"vitrine"
)

// A preparedAction is ready to be carried out: its target was found and scrolled into view,
// and the pointer is on it.
type preparedAction struct {
	control *vitrine.Control
	at      *vitrine.Box
	act     func(context.Context) (failed string, err error)
	pageMS  int // page time that a wait asks for
}

// pageState is a snapshot of the page with its picture, if one was taken.
type pageState struct {
	*snapshot
	picture *picture
}

func (s *Session) readState(ctx context.Context) (*pageState, error) {
	snap, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	m := &pageState{snapshot: snap}
	if !s.Sparing || snap.Draws {
		m.picture, err = s.shoot(ctx)
	}
	return m, err
}

// baseline is what changes by itself: the states of the page without the action, or else
// the parts of it whose changes are ignored.
type baseline struct {
	early, end *pageState           // of a run without the action; nil where nothing moves by itself
	paths      map[string]bool      // of elements that change by themselves
	cells      map[image.Point]bool // of the frame that change by themselves
	ms         int                  // page time that finding it took
}

// Do carries out one action with real input events, advances page time until the page is
// quiet, and says what changed. It waits at most one second of page time; four if no effect
// showed and a timer set by the action is pending. An action that cannot be carried out is
// a step with Failed. An error means that the page was lost or that Vitrine failed.
func (s *Session) Do(ctx context.Context, a vitrine.Action) (vitrine.Step, error) {
	step := vitrine.Step{Action: a}
	s.fresh = false
	if err := s.do(ctx, &step); err != nil {
		return step, fmt.Errorf("%s: %w", a.Kind, err)
	}
	return step, nil
}

func (s *Session) do(ctx context.Context, step *vitrine.Step) error {
	action := s.resolveMarks(step.Action)
	d, hovered, failed, err := s.ready(ctx, action)
	if d != nil {
		step.Control, step.At = d.control, d.at
	}
	if err != nil || failed != "" {
		step.Failed = failed
		return err
	}
	base, d, failed, err := s.findBaseline(ctx, action, d)
	if err != nil || failed != "" {
		step.Failed = failed
		return err
	}
	before, err := s.readState(ctx)
	if err != nil {
		return err
	}
	if step.Before, err = s.keep(before.picture); err != nil {
		return err
	}
	o := s.observe(ctx, before, base, d.control)
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
	s.performed = append(s.performed, performed{action, base.ms, step.PageMS - hovered})
	step.PageMS += base.ms
	step.Effect = o.found
	step.After, err = s.keep(o.end.picture)
	return err
}

// resolveMarks replaces marks in an action by paths: marks are valid only for the last
// observed scene.
func (s *Session) resolveMarks(a vitrine.Action) vitrine.Action {
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

// ready prepares an action and waits for the effect of hovering over its target.
func (s *Session) ready(ctx context.Context, a vitrine.Action) (d *preparedAction, ms int, failed string, err error) {
	d, failed, err = s.prepare(ctx, a)
	if err != nil || failed != "" || d.at == nil || a.Kind == vitrine.ActPress {
		return d, 0, failed, err
	}
	ms, _, err = s.settle(ctx, hoverMS)
	return d, ms, "", err
}

// findBaseline finds out what changes by itself. An exact session idles without the action,
// and then replays the page to carry it out. If the replayed page lacks the target, runs of
// it differ and cannot be compared; it is then replayed once more and only watched for a while.
func (s *Session) findBaseline(ctx context.Context, a vitrine.Action, d *preparedAction) (base baseline, again *preparedAction, failed string, err error) {
	pending, err := s.changePending(ctx, actionMS)
	if err != nil || !pending || a.Kind == vitrine.ActWait {
		return base, d, "", err
	}
	if !s.Exact {
		if !s.Sparing {
			base, err = s.watchNoise(ctx)
		}
		return base, d, "", err
	}
	if base.early, base.end, err = s.idle(ctx); err != nil {
		return base, d, "", err
	}
	if again, failed, err = s.rerun(ctx, a); err != nil || failed == "" {
		return base, again, "", err
	}
	if again, failed, err = s.rerun(ctx, a); err != nil || failed != "" {
		return base, again, failed, err
	}
	base, err = s.watchNoise(ctx)
	return base, again, "", err
}

// rerun replays the actions so far and prepares an action.
func (s *Session) rerun(ctx context.Context, a vitrine.Action) (d *preparedAction, failed string, err error) {
	if err := s.replay(ctx); err != nil {
		return nil, "", err
	}
	if d, _, failed, err = s.ready(ctx, a); failed != "" {
		failed = "the page is another when it is run again: " + failed
	}
	return d, failed, err
}

// idle reads the states of the page, without an action, at the page times at which the
// effect of an action is observed.
func (s *Session) idle(ctx context.Context) (early, end *pageState, err error) {
	ms, _, err := s.settle(ctx, stepMS)
	if err != nil {
		return nil, nil, err
	}
	if early, err = s.readState(ctx); err != nil {
		return nil, nil, err
	}
	if _, _, err = s.settle(ctx, actionMS-ms); err != nil {
		return nil, nil, err
	}
	end, err = s.readState(ctx)
	return early, end, err
}

// replay resets the session and carries out the actions so far again.
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

// watchNoise advances page time without the action and records what changes.
func (s *Session) watchNoise(ctx context.Context) (base baseline, err error) {
	a, err := s.readState(ctx)
	if err != nil {
		return base, err
	}
	if base.ms, _, err = s.settle(ctx, 2*stepMS); err != nil {
		return base, err
	}
	b, err := s.readState(ctx)
	if err != nil {
		return base, err
	}
	base.paths = map[string]bool{}
	for _, path := range compare(a.snapshot, b.snapshot, nil).Changed {
		base.paths[path] = true
	}
	if a.picture != nil && b.picture != nil && a.picture.sum != b.picture.sum {
		imgA, errA := a.picture.image()
		imgB, errB := b.picture.image()
		if errA == nil && errB == nil {
			_, _, base.cells = changes(imgA, imgB, nil)
			dilate(base.cells)
		}
	}
	return base, nil
}

// dilate adds the cells around those that change, as movement spreads.
func dilate(cells map[image.Point]bool) {
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
	s.page.BeginAction()
	failed, err := act(ctx)
	if err != nil {
		return failed, err
	}
	return failed, s.hover(ctx)
}
