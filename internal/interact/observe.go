package interact

import (
	"context"
	"image"
	"maps"

	"vitrine"
	"vitrine/internal/page"
)

// observation is what is seen of one action.
type observation struct {
	session            *Session
	before, early, end *pageState
	base               baseline
	records, requests  int // how many there were before
	timer              int // the last that was set before
	found              vitrine.Effect
	target             string // path of what the action is done to
}

func (s *Session) observe(ctx context.Context, before *pageState, base baseline, target *vitrine.Control) *observation {
	o := &observation{session: s, before: before, base: base, records: s.recorder.count()}
	if target != nil {
		o.target = target.Path
	}
	_, o.requests = s.page.Network.Since(0)
	_ = s.page.Clock(ctx, "last", &o.timer) // a page that does not say has no timer to wait for
	return o
}

// watch lets page time pass and looks at what the action did: soon after it, when the
// page is quiet, and once more where nothing showed though a timer runs.
func (o *observation) watch(ctx context.Context, wait int) (ms int, err error) {
	s := o.session
	if wait > 0 {
		if err := s.pass(ctx, wait); err != nil {
			return 0, err
		}
		ms = wait
	}
	first, stirred, quiet, err := s.quiet(ctx, stepMS)
	if err != nil {
		return ms, err
	}
	ms += first
	snap, err := s.snapshot(ctx)
	if err != nil {
		return ms, err
	}
	o.early = &pageState{snapshot: snap}
	more, moved := 0, false
	if wait == 0 && !quiet && !s.Brisk {
		if more, moved, err = s.settle(ctx, actionMS-first); err != nil {
			return ms, err
		}
	}
	ms += more
	if more > 0 {
		snap, err = s.snapshot(ctx)
		if err != nil {
			return ms, err
		}
	}
	if err := o.look(ctx, snap, stirred || moved); err != nil {
		return ms, err
	}
	if o.effect(); o.base.end != nil || wait > 0 || s.Brisk || !Empty(o.found) {
		return ms, nil
	}
	more, err = o.patient(ctx, ms)
	return ms + more, err
}

// look sees the page at the end. The picture is taken again only where something may
// have changed it.
func (o *observation) look(ctx context.Context, snap *snapshot, stirred bool) (err error) {
	o.end = &pageState{snap, o.before.picture}
	if o.session.Sparing && !snap.Draws || !stirred && o.base.end == nil && !snap.Draws && snap.same(o.before.snapshot) {
		return nil
	}
	if o.session.Frugal && o.tells() {
		o.end.picture = nil
		return nil
	}
	o.end.picture, err = o.session.shoot(ctx)
	return err
}

// tells reports whether the document says by words or values what the action did.
func (o *observation) tells() bool {
	against := o.before
	if o.base.end != nil {
		against = o.base.end
	}
	e := compare(against.snapshot, o.end.snapshot, o.base.paths)
	return len(e.Appeared) > 0 || len(e.Gone) > 0 || len(e.Values) > 0 || len(e.Storage) > 0
}

// patient waits for a timer that the action set.
func (o *observation) patient(ctx context.Context, passed int) (ms int, err error) {
	for passed+ms < timerMS {
		due := -1.0
		if err := o.session.page.Clock(ctx, "later("+page.Literal(o.timer)+")", &due); err != nil || due < 0 || int(due)+passed+ms > timerMS {
			return ms, err
		}
		more, _, err := o.session.settle(ctx, int(due)+stepMS)
		if err != nil {
			return ms, err
		}
		ms += more
		snap, err := o.session.snapshot(ctx)
		if err != nil {
			return ms, err
		}
		if err := o.look(ctx, snap, true); err != nil {
			return ms, err
		}
		if o.effect(); !Empty(o.found) {
			return ms, nil
		}
	}
	return ms, nil
}

// effect finds out what the action changed so far.
func (o *observation) effect() {
	s := o.session
	early, end := o.before, o.before
	if o.base.end != nil {
		early, end = o.base.early, o.base.end
	}
	e := compare(end.snapshot, o.end.snapshot, o.base.paths)
	join(&e, compare(early.snapshot, o.early.snapshot, o.base.paths))
	if o.end.URL != end.URL {
		e.URL = Route(s.driver.Site, o.end.URL)
	}
	addRecords(&e, s.recorder.since(o.records))
	requests, _ := s.page.Network.Since(o.requests)
	requested(&e, requests)
	o.pixels(&e, end)
	o.found = e
}

func (o *observation) pixels(e *vitrine.Effect, against *pageState) {
	if against.picture == nil || o.end.picture == nil || against.picture.sum == o.end.picture.sum {
		return
	}
	a, errA := against.picture.image()
	b, errB := o.end.picture.image()
	if errA == nil && errB == nil {
		e.Pixels, e.Regions, _ = changes(a, b, o.masked(against))
	}
}

// masked are the cells that are not compared: what moves by itself, and the rings
// around what lost or got the focus, other than the target.
func (o *observation) masked(against *pageState) map[image.Point]bool {
	if against.Focus == o.end.Focus {
		return o.base.cells
	}
	cells := maps.Clone(o.base.cells)
	if cells == nil {
		cells = map[image.Point]bool{}
	}
	for _, s := range []*snapshot{against.snapshot, o.end.snapshot} {
		if s.FocusBox == nil || s.Focus == o.target {
			continue
		}
		b := s.FocusBox
		for y := int(b.Y-ring) / cell; y <= int(b.Y+b.H+ring)/cell; y++ {
			for x := int(b.X-ring) / cell; x <= int(b.X+b.W+ring)/cell; x++ {
				cells[image.Pt(x, y)] = true
			}
		}
	}
	return cells
}

const ring = 8 // pixels around an element in which its focus is drawn
