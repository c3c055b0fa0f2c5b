package sandbox

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// An allowance lasts its limit and the time without a processor, at most three limits.
func TestAllowance(t *testing.T) {
	for name, test := range map[string]struct {
		starved func(time.Duration) time.Duration // after how long it has waited for how long
		want    time.Duration
	}{
		"at rest":         {func(time.Duration) time.Duration { return 0 }, 10 * time.Second},
		"half of it":      {func(d time.Duration) time.Duration { return d / 2 }, 20 * time.Second},
		"for a while":     {func(d time.Duration) time.Duration { return min(d, 4*time.Second) }, 14 * time.Second},
		"late":            {func(d time.Duration) time.Duration { return max(0, d-6*time.Second) }, 30 * time.Second},
		"more than it is": {func(d time.Duration) time.Duration { return 5 * d }, 30 * time.Second},
		"for ever":        {func(d time.Duration) time.Duration { return d }, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				origin := time.Now()
				starved := func() time.Duration { return time.Hour + test.starved(time.Since(origin)) }
				ctx, cancel := NewAllowance(10*time.Second, starved).Context(t.Context())
				defer cancel()
				<-ctx.Done()
				if took := time.Since(origin).Round(time.Millisecond); took != test.want {
					t.Errorf("it took %s, want %s", took, test.want)
				}
				if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
					t.Errorf("it ended by %v", context.Cause(ctx))
				}
			})
		})
	}
}
