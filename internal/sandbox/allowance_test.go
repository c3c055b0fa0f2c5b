package sandbox

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// Starved is who waited for most of the time and had next to nothing.
func TestAllowanceStarved(t *testing.T) {
	for name, test := range map[string]struct {
		ration Ration // in 30 s
		want   bool
	}{
		"at rest":          {Ration{}, false},
		"busy itself":      {Ration{Had: 30 * time.Second}, false},
		"waits":            {Ration{Starved: 29 * time.Second}, true},
		"has a little":     {Ration{Had: 2 * time.Second, Starved: 28 * time.Second}, true},
		"has some":         {Ration{Had: 4 * time.Second, Starved: 26 * time.Second}, false},
		"waits for itself": {Ration{Had: 40 * time.Second, Starved: 28 * time.Second}, false},
		"waits and sleeps": {Ration{Starved: 19 * time.Second}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			had := Ration{Had: time.Hour, Starved: time.Hour}
			a := NewAllowance(10*time.Second, func() Ration { return had })
			time.Sleep(30 * time.Second)
			had = Ration{had.Had + test.ration.Had, had.Starved + test.ration.Starved}
			if got := a.Starved(); got != test.want {
				t.Errorf("%s: got %t, want %t", name, got, test.want)
			}
		})
	}
}

// Crowded is who waited for others for a good part of the time, whatever it had.
func TestAllowanceCrowded(t *testing.T) {
	cores := time.Duration(runtime.GOMAXPROCS(0))
	for name, test := range map[string]struct {
		ration Ration // in 30 s
		want   bool
	}{
		"at rest":          {Ration{}, false},
		"busy itself":      {Ration{Had: 30 * time.Second}, false},
		"waits a little":   {Ration{Starved: 9 * time.Second}, false},
		"has some":         {Ration{Had: 4 * time.Second, Starved: 12 * time.Second}, true},
		"has plenty":       {Ration{Had: 6 * time.Second, Starved: 12 * time.Second}, false},
		"waits for itself": {Ration{Had: 20 * cores * time.Second, Starved: 28 * time.Second}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var had Ration
			a := NewAllowance(0, func() Ration { return had })
			time.Sleep(30 * time.Second)
			had = test.ration
			if got := a.Crowded(); got != test.want {
				t.Errorf("%s: got %t, want %t", name, got, test.want)
			}
		})
	}
}

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
				ration := func() Ration { return Ration{Starved: time.Hour + test.starved(time.Since(origin))} }
				ctx, cancel := NewAllowance(10*time.Second, ration).Context(t.Context())
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
