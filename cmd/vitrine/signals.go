package main

import (
	"context"
	"sync"
)

// interruptible turns the first signal into a closed stop channel, after which
// what is under way is finished, and the second into the end of the context. Say tells a
// person of the first.
func interruptible(ctx context.Context, c *common, say func()) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-c.signals:
			say()
			close(stop)
		case <-ctx.Done():
			return
		}
		select {
		case <-c.signals:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, stop, func() {
		cancel()
		watching.Wait()
	}
}

// cancelOnSignal ends a context at the first Ctrl-C.
func cancelOnSignal(ctx context.Context, c *common) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-c.signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(); <-done }
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
