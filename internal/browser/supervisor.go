package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vitrine"
)

// A Supervisor keeps browsers running and lends pages of them. It is safe for
// concurrent use; Close ends everything it started.
//
//	Run ── slot ── seat with the fewest pages ── its browser ── page
//	                 └─ next: the browser that is starting to take over
type Supervisor struct {
	settings Settings
	slots    chan struct{}
	starts   sync.WaitGroup // browsers that are being started

	mu     sync.Mutex // guards what follows; nothing slow happens under it
	seats  []*seat
	living map[*lease]struct{}
	ended  map[string]int // by reason
	closed bool
}

// A seat is the place of one browser.
type seat struct {
	now  *lease    // nil until the first is there
	next *starting // nil unless one starts
}

// starting is a browser that is on its way.
type starting struct {
	waiting int // pages that can do nothing before it is there
	done    chan struct{}
	err     error // once done is closed
}

// lease is a browser and how many pages it has served and still has open.
type lease struct {
	*process
	served, open int
	single       bool   // it was started for one page
	recycle      bool   // a fresh one should take its place
	retired      bool   // it has, and this one ends with its last page
	why          string // it ends, if not by itself
}

// New makes a supervisor. No browser is started before the first page is asked
// for.
func New(s Settings) *Supervisor {
	s = s.withDefaults()
	sup := &Supervisor{settings: s, slots: make(chan struct{}, s.Pages), living: map[*lease]struct{}{}, ended: map[string]int{}}
	for range s.Browsers {
		sup.seats = append(sup.seats, &seat{})
	}
	return sup
}

// Pages is how many pages may be open at once.
func (s *Supervisor) Pages() int { return s.settings.Pages }

// Version starts a browser if need be and returns its product and version, such
// as "HeadlessChrome/156.0.8078.79".
func (s *Supervisor) Version(ctx context.Context) (string, error) {
	l, err := s.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer s.release(l)
	return l.Version, nil
}

// Run opens a page in a context of its own, runs task on it and closes both. It
// waits for a free slot first. When the browser itself dies under the task or does
// not answer it in time, by whichever of its pages, or the task returns ErrPageCrashed
// or ErrContended, it is run once more on a browser of its own, so that it suffers from
// nobody else. When that one is lost as well, a blank page on a third tells whose fault
// it is: the page's, which is ErrKillsBrowser, or the machine's, which is a fault with
// code browser_crashed or what the task made of the silence.
func (s *Supervisor) Run(ctx context.Context, v vitrine.Viewport, task func(context.Context, *Page) error) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	err = s.on(ctx, l, v, task)
	alone := errors.Is(err, ErrPageCrashed) || errors.Is(err, ErrContended)
	if !lost(err) && !alone || ctx.Err() != nil {
		return err
	}
	if !alone {
		s.doubt(l)
	}
	l, err = s.alone(ctx)
	if err != nil {
		return err
	}
	err = s.on(ctx, l, v, task)
	switch {
	case errors.Is(err, ErrPageCrashed) && ctx.Err() == nil: // the first time something else ended it
		return fmt.Errorf("%w: %w", ErrKillsBrowser, err)
	case !lost(err) || ctx.Err() != nil:
		return err
	case s.well(ctx, v):
		return fmt.Errorf("%w: %w", ErrKillsBrowser, err)
	case errors.Is(err, ErrClosed):
		<-l.waited
		return vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, errors.Join(err, l.ended), "browsers die here under blank pages, too").
			WithFix("look at the free memory; run vitrine doctor")
	}
	return err
}

// ErrKillsBrowser is returned for a page that ended two browsers or kept them from
// answering, the second with no other page open, or that crashed its renderer there.
var ErrKillsBrowser = errors.New("the page ends the browser, or keeps it from answering")

// ErrContended is for a page that was late on a browser that it shared, which answers, in
// which it does not hang: one of them may have kept it waiting.
var ErrContended = errors.New("the page was late on a browser that it shared")

// lost reports whether a page failed with its browser.
func lost(err error) bool { return errors.Is(err, ErrClosed) || errors.Is(err, ErrDeadline) }

// well reports whether a fresh browser shows a blank page without delay.
func (s *Supervisor) well(ctx context.Context, v vitrine.Viewport) bool {
	l, err := s.alone(ctx)
	if err != nil {
		return false
	}
	return nil == s.on(ctx, l, v, func(ctx context.Context, p *Page) error {
		ctx, cancel := p.Allow(5 * time.Second).Context(ctx)
		defer cancel()
		_, err := p.Screenshot(ctx, v.Width, v.Height, false)
		return err
	})
}

// on runs task on a page of a browser and gives the browser back.
func (s *Supervisor) on(ctx context.Context, l *lease, v vitrine.Viewport, task func(context.Context, *Page) error) error {
	defer s.release(l)
	page, err := openPage(ctx, l.process, v)
	if err != nil {
		return err
	}
	defer page.close()
	page.Shared = s.settings.Pages > 1 && !l.single
	return task(ctx, page)
}

// acquire returns a living browser, waiting for one to start where there is none.
func (s *Supervisor) acquire(ctx context.Context) (*lease, error) {
	for {
		l, next, err := s.take()
		if l != nil || err != nil {
			return l, err
		}
		select {
		case <-next.done:
			if next.err != nil {
				return nil, next.err
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take takes a page of the least busy browser, or says which to wait for. One
// that is to be recycled serves on until its successor is there.
func (s *Supervisor) take() (*lease, *starting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	at := slices.MinFunc(s.seats, func(a, b *seat) int { return a.load() - b.load() })
	if at.now == nil || at.now.dead() {
		s.replace(at)
		at.next.waiting++
		return nil, at.next, nil
	}
	l := at.now
	l.served++
	l.open++
	if l.recycle || l.served > s.settings.RecyclePages {
		s.replace(at)
	}
	return l, nil, nil
}

// load is how many pages a browser has or will have.
func (at *seat) load() (n int) {
	if at.now != nil && !at.now.dead() {
		n = at.now.open
	} else if at.next != nil {
		n = at.next.waiting
	}
	return n
}

// replace starts a browser to take a seat, unless one is on its way.
func (s *Supervisor) replace(at *seat) {
	if at.next != nil {
		return
	}
	next := &starting{done: make(chan struct{})}
	at.next = next
	s.starts.Go(func() {
		defer close(next.done)
		var l *lease
		l, next.err = s.start(context.Background())
		s.mu.Lock()
		before := at.now
		at.next = nil
		if l != nil {
			at.now = l
		}
		s.mu.Unlock()
		if l != nil && before != nil {
			s.retire(before)
		}
	})
}

// start starts a browser and notes that it lives.
func (s *Supervisor) start(ctx context.Context) (*lease, error) {
	p, err := launch(ctx, s.settings)
	if err != nil {
		return nil, err
	}
	l := &lease{process: p, why: EndRecycled}
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.living[l] = struct{}{}
	}
	s.mu.Unlock()
	if closed {
		l.kill()
		return nil, ErrClosed
	}
	return l, nil
}

// doubt lets no more pages on a browser that did not answer.
func (s *Supervisor) doubt(l *lease) {
	s.mu.Lock()
	at := slices.IndexFunc(s.seats, func(at *seat) bool { return at.now == l })
	if at >= 0 {
		s.seats[at].now, l.why = nil, EndSilent
	}
	s.mu.Unlock()
	if at >= 0 {
		s.retire(l)
	}
}

// alone starts a browser for one page.
func (s *Supervisor) alone(ctx context.Context) (*lease, error) {
	l, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l.open, l.single, l.retired, l.why = 1, true, true, EndAlone
	s.mu.Unlock()
	return l, nil
}

// release gives a page back. A browser that has grown big is marked to be recycled: much
// of what pages leave behind is never freed.
func (s *Supervisor) release(l *lease) {
	big := l.sealed.Used().MemoryBytes > s.settings.RecycleBytes
	s.mu.Lock()
	l.open--
	l.recycle = l.recycle || big
	over := l.retired && l.open == 0
	s.mu.Unlock()
	if over {
		s.end(l)
	}
}

// retire lets a browser end with its last page.
func (s *Supervisor) retire(l *lease) {
	s.mu.Lock()
	l.retired = true
	over := l.open == 0
	s.mu.Unlock()
	if over {
		s.end(l)
	}
}

func (s *Supervisor) end(l *lease) {
	died := l.dead()
	l.kill()
	s.mu.Lock()
	defer s.mu.Unlock()
	if died {
		l.why = EndDied
	}
	s.ended[l.why]++
	delete(s.living, l)
}

// Close ends all browsers and waits until their processes are gone. Pages that
// are still open fail with ErrClosed.
func (s *Supervisor) Close() {
	s.mu.Lock()
	s.closed = true
	living := slices.Collect(maps.Keys(s.living))
	s.mu.Unlock()
	for _, l := range living {
		l.kill()
	}
	s.starts.Wait()
}
