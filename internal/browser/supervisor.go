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

// A Supervisor keeps browsers running and runs tasks on their pages. It is safe for
// concurrent use; Close ends every process that it started.
//
//	Run ── slot ── seat with the fewest pages ── current browser ── page
//	                 └─ next: its replacement, while that starts
type Supervisor struct {
	settings Settings
	slots    chan struct{}
	starts   sync.WaitGroup // browsers that are being started

	mu     sync.Mutex // guards the fields below; never held while waiting
	seats  []*seat
	living map[*lease]struct{}
	ended  map[string]int // by reason
	closed bool
}

// A seat is one of the Settings.Browsers places for a running browser.
type seat struct {
	current *lease    // nil until the first browser has started
	next    *starting // nil unless a browser is starting
}

// starting is a browser that is being started.
type starting struct {
	waiting int // pages that wait for it
	done    chan struct{}
	err     error // valid once done is closed
}

// lease is a browser with the numbers of pages that it has opened and that are open.
type lease struct {
	*process
	served, open int
	single       bool   // it was started for one page
	recycle      bool   // it is to be replaced
	retired      bool   // it was replaced, and is ended with its last page
	why          string // why it is ended, unless it dies
}

// New makes a supervisor. The first browser is started by the first Run.
func New(s Settings) *Supervisor {
	s = s.withDefaults()
	sup := &Supervisor{settings: s, slots: make(chan struct{}, s.Pages), living: map[*lease]struct{}{}, ended: map[string]int{}}
	for range s.Browsers {
		sup.seats = append(sup.seats, &seat{})
	}
	return sup
}

// Pages is the largest number of pages that may be open at once.
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

// Run opens a page in a browser context of its own, runs task on it and closes both. It
// waits for a free slot first.
//
// If the browser dies or does not answer in time, whichever of its pages is the cause, or
// the task returns ErrPageCrashed or ErrContended, Run runs task a second time, on a
// browser that has no other page. If that browser is lost as well, Run opens a blank page
// on a third one to find the cause. If the blank page works, the task's page is the cause,
// and Run returns ErrKillsBrowser. Otherwise it is the machine: Run returns a fault with
// code browser_crashed, or for a browser that does not answer the error of task.
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
	err = s.runOn(ctx, l, v, task)
	browserAnswers := errors.Is(err, ErrPageCrashed) || errors.Is(err, ErrContended)
	if !browserLost(err) && !browserAnswers || ctx.Err() != nil {
		return err
	}
	if !browserAnswers {
		s.discard(l)
	}
	l, err = s.startForOnePage(ctx)
	if err != nil {
		return err
	}
	err = s.runOn(ctx, l, v, task)
	switch {
	case errors.Is(err, ErrPageCrashed) && ctx.Err() == nil: // another page cannot be the cause
		return fmt.Errorf("%w: %w", ErrKillsBrowser, err)
	case !browserLost(err) || ctx.Err() != nil:
		return err
	case s.showsBlankPage(ctx, v):
		return fmt.Errorf("%w: %w", ErrKillsBrowser, err)
	case errors.Is(err, ErrClosed):
		<-l.waited
		return vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, errors.Join(err, l.ended), "browsers die on this machine even with a blank page").
			WithFix("look at the free memory; run vitrine doctor")
	}
	return err
}

// ErrKillsBrowser is returned for a page that made two browsers die or stop answering, or
// that crashed its renderer on the second, which had no other page.
var ErrKillsBrowser = errors.New("the page ends the browser, or keeps it from answering")

// ErrContended is returned by a task whose page was late on a browser that it shared with
// others, although page and browser answer: another page may have delayed it.
var ErrContended = errors.New("the page was late on a browser that it shared")

// browserLost reports whether a page failed because its browser died or does not answer.
func browserLost(err error) bool { return errors.Is(err, ErrClosed) || errors.Is(err, ErrDeadline) }

// showsBlankPage reports whether a new browser shows a blank page without delay.
func (s *Supervisor) showsBlankPage(ctx context.Context, v vitrine.Viewport) bool {
	l, err := s.startForOnePage(ctx)
	if err != nil {
		return false
	}
	return nil == s.runOn(ctx, l, v, func(ctx context.Context, p *Page) error {
		ctx, cancel := p.Allow(5 * time.Second).Context(ctx)
		defer cancel()
		_, err := p.Screenshot(ctx, v.Width, v.Height, false)
		return err
	})
}

// runOn runs task on a page of a browser and releases the browser.
func (s *Supervisor) runOn(ctx context.Context, l *lease, v vitrine.Viewport, task func(context.Context, *Page) error) error {
	defer s.release(l)
	page, err := openPage(ctx, l.process, v)
	if err != nil {
		return err
	}
	defer page.close()
	page.Shared = s.settings.Pages > 1 && !l.single
	return task(ctx, page)
}

// acquire returns a running browser, and waits for one to start if need be.
func (s *Supervisor) acquire(ctx context.Context) (*lease, error) {
	for {
		l, next, err := s.tryAcquire()
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

// tryAcquire takes the browser with the fewest pages, or returns the one to wait for. A
// browser that is to be recycled is used until its replacement has started.
func (s *Supervisor) tryAcquire() (*lease, *starting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, ErrClosed
	}
	at := slices.MinFunc(s.seats, func(a, b *seat) int { return a.load() - b.load() })
	if at.current == nil || at.current.dead() {
		s.replace(at)
		at.next.waiting++
		return nil, at.next, nil
	}
	l := at.current
	l.served++
	l.open++
	if l.recycle || l.served > s.settings.RecyclePages {
		s.replace(at)
	}
	return l, nil, nil
}

// load is the number of pages that the seat's browser has, or will have once it has started.
func (at *seat) load() (n int) {
	if at.current != nil && !at.current.dead() {
		n = at.current.open
	} else if at.next != nil {
		n = at.next.waiting
	}
	return n
}

// replace starts a new browser for a seat, unless one is starting already.
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
		before := at.current
		at.next = nil
		if l != nil {
			at.current = l
		}
		s.mu.Unlock()
		if l != nil && before != nil {
			s.retire(before)
		}
	})
}

// start starts a browser and adds it to the living ones.
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

// discard takes a browser that did not answer from its seat, and retires it.
func (s *Supervisor) discard(l *lease) {
	s.mu.Lock()
	at := slices.IndexFunc(s.seats, func(at *seat) bool { return at.current == l })
	if at >= 0 {
		s.seats[at].current, l.why = nil, EndSilent
	}
	s.mu.Unlock()
	if at >= 0 {
		s.retire(l)
	}
}

// startForOnePage starts a browser for one page.
func (s *Supervisor) startForOnePage(ctx context.Context) (*lease, error) {
	l, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l.open, l.single, l.retired, l.why = 1, true, true, EndAlone
	s.mu.Unlock()
	return l, nil
}

// release records that a page of a browser was closed. A browser that uses too much memory
// is marked to be recycled, since it never frees much of what its pages allocated.
func (s *Supervisor) release(l *lease) {
	big := l.sealed.Used().MemoryBytes > s.settings.RecycleBytes
	s.mu.Lock()
	l.open--
	l.recycle = l.recycle || big
	unused := l.retired && l.open == 0
	s.mu.Unlock()
	if unused {
		s.end(l)
	}
}

// retire ends a browser once its last page is closed.
func (s *Supervisor) retire(l *lease) {
	s.mu.Lock()
	l.retired = true
	unused := l.open == 0
	s.mu.Unlock()
	if unused {
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
