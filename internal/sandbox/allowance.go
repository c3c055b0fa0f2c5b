package sandbox

import (
	"context"
	"time"
)

// An Allowance is how long a command may take for something, in wall time less the time
// in which one of its processes could have run but others had the processors, see
// [Process.Starved]: a busy machine is not held against what runs on it. At least a third
// of the time counts.
type Allowance struct {
	limit   time.Duration
	starved func() time.Duration
	before  time.Duration // when it began
	began   time.Time
}

// Allow begins an allowance of the command.
func (p *Process) Allow(limit time.Duration) Allowance { return NewAllowance(limit, p.Starved) }

// NewAllowance begins one for whatever says how long it has starved so far, see
// [Process.Starved].
func NewAllowance(limit time.Duration, starved func() time.Duration) Allowance {
	return Allowance{limit, starved, starved(), time.Now()}
}

// Spent is what counts of the time since the allowance began.
func (a Allowance) Spent() time.Duration {
	since := time.Since(a.began)
	return since - min(a.starved()-a.before, since*2/3)
}

// Left is what is left of the allowance, as things stand; not more than 0 if it is used up.
func (a Allowance) Left() time.Duration { return a.limit - a.Spent() }

// Context is done when the allowance is used up, which is [context.DeadlineExceeded] by
// its cause.
func (a Allowance) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		if a.sleep(ctx) {
			end(context.DeadlineExceeded)
		}
	}()
	return ctx, func() { end(nil) }
}

// sleep waits until the allowance is used up, which it reports, or ctx is done.
func (a Allowance) sleep(ctx context.Context) bool {
	timer := time.NewTimer(a.Left())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
		}
		left := a.Left()
		if left <= 0 {
			return true
		}
		timer.Reset(left)
	}
}
