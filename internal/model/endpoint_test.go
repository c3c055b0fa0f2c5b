package model

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// scripted is a model that is a function.
type scripted func(ctx context.Context, call int) (Response, error)

type scriptedModel struct {
	mu     sync.Mutex
	calls  int
	answer scripted
}

func (m *scriptedModel) Answer(ctx context.Context, _ Request) (Response, error) {
	m.mu.Lock()
	m.calls++
	call := m.calls
	m.mu.Unlock()
	return m.answer(ctx, call)
}

// at makes an endpoint of a script. Its clock is the test's.
func at(s Settings, answer scripted) *endpoint {
	if s.Deadline == 0 {
		s.Deadline = time.Hour
	}
	if s.AttemptDeadline == 0 {
		s.AttemptDeadline = time.Minute
	}
	if s.MaxConnections == 0 {
		s.MaxConnections = 64
	}
	if s.Backoff == 0 {
		s.Backoff = time.Second
	}
	return &endpoint{model: &scriptedModel{answer: answer}, name: "x/m", s: &s, slots: newSlots(s.MaxConnections)}
}

func failing(cause Cause, status int, after time.Duration) error {
	e := NewError(cause, status, "no", nil)
	e.RetryAfter = after
	return fmt.Errorf("sdk: %w", e)
}

func TestBackoffDoublesWithJitter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		e := at(Settings{Retries: 8, OnRetry: func(r Retry) { waits = append(waits, r.Wait) }}, func(context.Context, int) (Response, error) {
			return Response{}, failing(CauseOverloaded, 503, 0)
		})
		a, err := e.ask(t.Context(), Request{})
		if a.attempts != 9 || err == nil || len(waits) != 8 {
			t.Fatalf("%d attempts, %v, waits %v", a.attempts, err, waits)
		}
		for i, w := range waits {
			if most := min(time.Second<<i, longestBackoff); w <= 0 || w > most {
				t.Errorf("wait %d is %s, want up to %s", i, w, most)
			}
		}
	})
}

func TestRetryAfterIsHonouredByAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var when []time.Duration
		e := at(Settings{Retries: 1}, func(_ context.Context, call int) (Response, error) {
			mu.Lock()
			when = append(when, time.Since(start))
			mu.Unlock()
			if call == 1 {
				return Response{}, failing(CauseRate, 429, 40*time.Second)
			}
			return Response{Text: "x"}, nil
		})
		var all sync.WaitGroup
		all.Go(func() { _, _ = e.ask(t.Context(), Request{}) })
		synctest.Wait() // the first was told to wait
		for range 3 {
			all.Go(func() {
				if _, err := e.ask(t.Context(), Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for i, w := range when[1:] {
			if w < 40*time.Second {
				t.Errorf("request %d came after %s", i+1, w)
			}
		}
	})
}

func TestWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		e := at(Settings{Retries: 3, Deadline: time.Minute}, func(context.Context, int) (Response, error) {
			return Response{}, failing(CauseRate, 429, 10*time.Minute)
		})
		var told *Error
		if _, err := e.ask(t.Context(), Request{}); !errors.As(err, &told) || told.Cause != CauseRate || time.Since(start) != 0 {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		if _, err := e.ask(t.Context(), Request{}); !errors.As(err, &told) || told.Cause != CauseTimeout || time.Since(start) != 0 {
			t.Errorf("the next: %v after %s", err, time.Since(start))
		}
	})
}

func TestDeadlinesOfTryAndConversation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		e := at(Settings{Retries: 100, AttemptDeadline: 10 * time.Second, Deadline: 35 * time.Second, Backoff: time.Millisecond}, func(ctx context.Context, _ int) (Response, error) {
			<-ctx.Done()
			return Response{}, ctx.Err()
		})
		a, err := e.ask(t.Context(), Request{})
		var told *Error
		if !errors.As(err, &told) || told.Cause != CauseTimeout || a.attempts != 4 || time.Since(start) != 35*time.Second {
			t.Errorf("%v after %d attempts and %s", err, a.attempts, time.Since(start))
		}
	})
}

func TestSlotsGrowAndShrink(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const room = 20 // what the endpoint can take at once
		var mu sync.Mutex
		busy, peak, refused := 0, 0, 0
		e := at(Settings{Retries: 50, MaxConnections: 100}, func(context.Context, int) (Response, error) {
			mu.Lock()
			busy++
			peak = max(peak, busy)
			full := busy > room
			if full {
				refused++
			}
			mu.Unlock()
			time.Sleep(time.Second) // of the test's own clock
			mu.Lock()
			defer mu.Unlock()
			busy--
			if full {
				return Response{}, failing(CauseRate, 429, 0)
			}
			return Response{Text: "x"}, nil
		})
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				if _, err := e.ask(t.Context(), Request{}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		mu.Lock()
		if busy != firstSlots {
			t.Errorf("it began with %d at once, want %d", busy, firstSlots)
		}
		mu.Unlock()
		start := time.Now()
		all.Wait()
		took := time.Since(start).Seconds()
		if peak <= room || peak > 2*room+1 || refused > 150 || took > 120 {
			t.Errorf("up to %d at once, %d refused, %.0f s; one by one would be 1000 s, the best 50 s", peak, refused, took)
		}
		if e.slots.busy != 0 || len(e.slots.waiting) != 0 {
			t.Errorf("%d slots are still taken, %d wait", e.slots.busy, len(e.slots.waiting))
		}
	})
}

func TestSlotsKeepToTheBound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := at(Settings{MaxConnections: 7}, func(context.Context, int) (Response, error) {
			time.Sleep(time.Second)
			return Response{}, nil
		})
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() { _, _ = e.ask(t.Context(), Request{}) })
		}
		all.Wait()
		if e.slots.peak != 7 {
			t.Errorf("up to %d at once, want 7", e.slots.peak)
		}
	})
}

func TestWhoGivesUpLeavesTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		e := at(Settings{MaxConnections: 1}, func(context.Context, int) (Response, error) { <-release; return Response{}, nil })
		var all sync.WaitGroup
		all.Go(func() { _, _ = e.ask(t.Context(), Request{}) })
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		for range 5 {
			all.Go(func() {
				if _, err := e.ask(ctx, Request{}); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		stop()
		synctest.Wait()
		close(release)
		all.Wait()
		if _, err := e.ask(t.Context(), Request{}); err != nil || e.slots.busy != 0 {
			t.Errorf("afterwards: %v, %d slots taken", err, e.slots.busy)
		}
	})
}
