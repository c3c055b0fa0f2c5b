package sandbox

import (
	"context"
	"runtime"
	"time"

	"vitrine"
)

// An Allowance is how long a command may take for something, in wall time less the time
// in which one of its processes could have run but others had the processors, see
// [Ration]: a busy machine is not held against what runs on it. At least a third
// of the time counts.
type Allowance struct {
	limit  time.Duration
	ration func() Ration
	before Ration // when it began
	began  time.Time
}

// Allow begins an allowance of the command.
func (p *Process) Allow(limit time.Duration) Allowance { return NewAllowance(limit, p.Ration) }

// NewAllowance begins one for whatever says what it has had so far.
func NewAllowance(limit time.Duration, ration func() Ration) Allowance {
	return Allowance{limit, ration, ration(), time.Now()}
}

// Spent is what counts of the time since the allowance began.
func (a Allowance) Spent() time.Duration {
	since := time.Since(a.began)
	return since - min(a.ration().Starved-a.before.Starved, since*2/3)
}

// Starved reports that there was next to no processor since the allowance began: more
// than two thirds of the time went by without one, which do not all count, and all
// processes of the command together had less than a tenth of one. Who takes the
// processors from itself, by processes of its own, has had more.
func (a Allowance) Starved() bool {
	since, now := time.Since(a.began), a.ration()
	return now.Starved-a.before.Starved > since*2/3 && now.Had-a.before.Had < since/10
}

// plenty is the processor time after which a command is late by its own doing, however busy
// the machine is.
const plenty = 5 * time.Second

// Crowded reports that others kept the command waiting for more than a third of the time since
// the allowance began, and that it had neither half of the processors nor plenty of their time.
func (a Allowance) Crowded() bool {
	since, now := time.Since(a.began), a.ration()
	had := now.Had - a.before.Had
	return now.Starved-a.before.Starved > since/3 && had < min(plenty, since*time.Duration(runtime.GOMAXPROCS(0))/2)
}

// StarvedFault is what a stage gives in place of a judgement where an allowance was used
// up by [Allowance.Starved].
func StarvedFault(stage string) *vitrine.Fault {
	return vitrine.NewFault(stage, vitrine.FaultStarved, ErrStarved, "the machine was too busy with other work to judge this").
		WithFix("let it do less at once (--concurrency), then score again with --retry-unjudged")
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
