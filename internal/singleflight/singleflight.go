// Package singleflight lets one of several concurrent callers with the same key compute
// the answer for all of them. Unlike golang.org/x/sync/singleflight, that caller, the
// worker, does not return before the others have taken their copies of the answer; and if
// the context of the worker ends, another caller takes over the work.
package singleflight

import (
	"context"
	"sync"
)

// A Group lets one of several concurrent callers with the same key compute the answer,
// while the others wait. The zero Group is ready; it is safe for concurrent use.
type Group[T any] struct {
	mu    sync.Mutex
	calls map[string]*call[T]
}

// call is work that is being done.
type call[T any] struct {
	done   chan struct{} // closed when the work is over
	takers sync.WaitGroup
	value  T
	err    error
	// abandoned: the worker was stopped, which says nothing about the answer.
	abandoned bool
}

// Do returns the answer to a key. The first caller is the worker; every other waits, and
// then takes its own copy of the answer. The worker returns after the last of them, so that
// files which its answer refers to exist until all have their copies. An error of the work
// is returned to all callers, except the end of the worker's own ctx: then a caller that
// waits becomes the worker. A caller whose ctx ends stops waiting.
func (g *Group[T]) Do(ctx context.Context, key string, work func() (T, error), take func(T) (T, error)) (value T, shared bool, err error) {
	for {
		c, first := g.join(key)
		if first {
			g.lead(ctx, key, c, work)
			return c.value, false, c.err
		}
		value, again, err := c.wait(ctx, take)
		if !again {
			return value, true, err
		}
	}
}

func (g *Group[T]) join(key string) (c *call[T], first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, under := g.calls[key]; under {
		c.takers.Add(1)
		return c, false
	}
	c = &call[T]{done: make(chan struct{}), abandoned: true}
	if g.calls == nil {
		g.calls = map[string]*call[T]{}
	}
	g.calls[key] = c
	return c, true
}

func (g *Group[T]) lead(ctx context.Context, key string, c *call[T], work func() (T, error)) {
	defer func() { // also when the work panics
		g.mu.Lock()
		delete(g.calls, key)
		g.mu.Unlock()
		close(c.done)
		c.takers.Wait()
	}()
	c.value, c.err = work()
	c.abandoned = c.err != nil && ctx.Err() != nil
}

// wait waits for the worker and takes the answer.
func (c *call[T]) wait(ctx context.Context, take func(T) (T, error)) (value T, again bool, err error) {
	defer c.takers.Done()
	select {
	case <-c.done:
	case <-ctx.Done():
		return value, false, ctx.Err()
	}
	if c.abandoned {
		return value, true, nil
	}
	if c.err != nil {
		return value, false, c.err
	}
	value, err = take(c.value)
	return value, false, err
}
