package browser

import (
	"context"
	"errors"
	"sync"

	"vitrine"
)

// A Supervisor keeps a browser running and lends pages of it. It is safe for
// concurrent use; Close ends everything it started.
type Supervisor struct {
	settings Settings
	slots    chan struct{}

	mu      sync.Mutex // guards what follows; held while a browser starts
	current *lease
	closed  bool
}

// lease is a browser and how many pages it has served and still has open. It is
// killed when it is retired and its last page is closed.
type lease struct {
	*process
	served, open int
	retired      bool
}

// New makes a supervisor. No browser is started before the first page is asked
// for.
func New(s Settings) *Supervisor {
	s = s.withDefaults()
	return &Supervisor{settings: s, slots: make(chan struct{}, s.Pages)}
}

// Pages is how many pages may be open at once.
func (s *Supervisor) Pages() int { return s.settings.Pages }

// Version starts the browser if need be and returns its product and version,
// such as "HeadlessChrome/156.0.8078.79".
func (s *Supervisor) Version(ctx context.Context) (string, error) {
	l, err := s.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer s.release(l)
	return l.Version, nil
}

// Run opens a page in a context of its own, runs task on it and closes both. It
// waits for a free slot first. When the browser itself dies under the task, the
// task is run once more on a fresh browser; the second time it is a fault with
// code browser_crashed.
func (s *Supervisor) Run(ctx context.Context, v vitrine.Viewport, task func(context.Context, *Page) error) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	err := s.once(ctx, v, task)
	if errors.Is(err, ErrClosed) && ctx.Err() == nil {
		err = s.once(ctx, v, task)
		if errors.Is(err, ErrClosed) {
			return vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, err, "the browser died twice under this site")
		}
	}
	return err
}

func (s *Supervisor) once(ctx context.Context, v vitrine.Viewport, task func(context.Context, *Page) error) error {
	l, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer s.release(l)
	page, err := openPage(ctx, l.process, v)
	if err != nil {
		return err
	}
	defer page.close()
	return task(ctx, page)
}

// acquire returns a living browser, starting one where the last is dead or has
// served its time.
func (s *Supervisor) acquire(ctx context.Context) (*lease, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if l := s.current; l != nil && (l.dead() || l.served >= s.settings.RecyclePages) {
		s.retire(l)
		s.current = nil
	}
	if s.current == nil {
		p, err := launch(ctx, s.settings)
		if err != nil {
			return nil, err
		}
		s.current = &lease{process: p}
	}
	s.current.served++
	s.current.open++
	return s.current, nil
}

func (s *Supervisor) release(l *lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.open--
	if l.retired && l.open == 0 {
		l.kill()
	}
}

func (s *Supervisor) retire(l *lease) {
	l.retired = true
	if l.open == 0 {
		l.kill()
	}
}

// Close ends the browser and waits until its processes are gone. Pages that are
// still open fail with ErrClosed.
func (s *Supervisor) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	if s.current != nil {
		s.current.kill()
	}
}
