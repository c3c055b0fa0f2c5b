package browser

import (
	"context"
	"errors"
	"time"
)

// A Life is what is known of a page that was late.
type Life struct {
	// Page says that the page gave a sign of life, Browser that the browser shows another page
	// meanwhile.
	Page, Browser bool
	// Hangs says that the page is to blame for its silence: its main thread had ownPatience of
	// processor time without an answer, or others left it the processors for patience.
	Hangs bool
}

const (
	patience    = 3 * time.Second  // allowance of an answer where the processors are free
	ownPatience = 5 * time.Second  // processor time of the page's main thread
	longest     = 90 * time.Second // wall time after which nothing more is waited for
)

// Alive asks the page for a sign of life and, while it is about it, the browser for
// another page to be shown. What comes distinguishes a page that hangs, a page that had to
// wait, and a browser that hangs or lost a process. How long a page may take is a matter of
// the processor time that its main thread had itself: a slow machine hangs no page.
func (p *Page) Alive(ctx context.Context) Life {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	sign := make(chan error, 1) // taken or not
	ask := func() { sign <- p.Eval(ctx, "1", nil) }
	go ask()
	shown, end := p.Allow(10 * time.Second).Context(ctx)
	defer end()
	if !p.proc.shows(shown) {
		return Life{} // whether the page answers cannot be known then
	}
	// What the page was asked before, it does first.
	allowed, own := p.Allow(patience), p.mainThread(ctx)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-sign:
			if !errors.Is(err, ErrDeadline) && !errors.Is(err, context.DeadlineExceeded) {
				return Life{Page: true, Browser: true}
			}
			if ctx.Err() == nil {
				go ask()
			}
		case <-tick.C:
			if own() >= ownPatience || allowed.Left() <= 0 && !allowed.Crowded() {
				return Life{Browser: true, Hangs: true}
			}
		case <-ctx.Done():
			return Life{Browser: true, Hangs: !allowed.Crowded()}
		}
	}
}

// mainThread begins to count what the main thread of the page has had of the processors,
// by what Chromium tells while scripts run. While it does not tell, nothing is counted.
func (p *Page) mainThread(ctx context.Context) func() time.Duration {
	read := func() (time.Duration, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		return p.CPUTime(ctx)
	}
	begin, unknown := read()
	return func() time.Duration {
		now, err := read()
		if err != nil {
			return 0
		}
		if unknown != nil {
			begin, unknown = now, nil
		}
		return now - begin
	}
}
