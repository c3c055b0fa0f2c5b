package main

import (
	"context"
	"sync"
)

// interruptible turns the first signal into a closed stop channel, after which
// what is under way is finished, and the second into the end of the context.
func interruptible(ctx context.Context, c *common, p *progress) (context.Context, <-chan struct{}, func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-c.signals:
			p.interrupted()
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

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
