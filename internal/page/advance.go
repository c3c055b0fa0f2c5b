package page

import (
	"context"
	"fmt"
	"time"
)

// Page time of a step: that of one in which something may happen, and the most of one in which
// nothing does.
const (
	stepMS = 100
	restMS = 1000
)

// Advance advances page time in steps. It reports whether the picture may have changed.
func (p *Page) Advance(ctx context.Context, ms int) (changed bool, err error) {
	next := 0
	for done := 0; done < ms; {
		step := min(p.Stride(next), ms-done)
		done += step
		stirred, err := p.Step(ctx, step, func() string { return Next(ms-done, false) }, &next)
		if changed = changed || stirred; err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// Next is an expression: in how many milliseconds of page time anything could change by itself,
// at most limit, with or without animations that never end.
func Next(limit int, ignoreEndless bool) string {
	return fmt.Sprintf("__vitrine.next(%d, %t)", limit, ignoreEndless)
}

// Async makes an expression that awaits something one that can be asked.
func Async(expression string) string { return "(async () => (" + expression + "))()" }

// Stride is the page time of the next step, a multiple of 100 ms, where nothing changes by itself
// within the next milliseconds: one step gives what many would.
func (p *Page) Stride(next int) int {
	if p.HasFrames() || p.Network.traffic.Open() > 0 {
		return stepMS
	}
	return max(stepMS, min(restMS, (next-1)/stepMS*stepMS))
}

// Step advances page time by at most what [Page.Stride] says, waits for the requests that the
// page made in it, and then evaluates the expression that asked gives, which may await something.
// Where requests or frames came in between, asked is called once more, for a value of afterwards.
// It reports whether the picture may have changed.
func (p *Page) Step(ctx context.Context, ms int, asked func() string, out any) (changed bool, err error) {
	before := p.Network.traffic.Total()
	p.throttle.began = time.Now()
	p.frames.step++
	var answer struct {
		Stirred bool `json:"stirred"`
		Value   any  `json:"value"` // decoded into out; what is of another shape is the page's doing
	}
	answer.Value = out
	// One message in the place of two: it is most of what a step costs.
	step := fmt.Sprintf("{stirred: await __vitrine.advance(%d, %d), value: (%s)}", ms, p.frames.step, asked())
	if err := p.Ask(ctx, Async(step), &answer); err != nil {
		return false, err
	}
	if err := p.follow(ctx, ms); err != nil {
		return false, err
	}
	if err := p.throttleFrames(ctx, ms); err != nil {
		return false, err
	}
	requested := p.Network.traffic.Total() != before || p.Network.traffic.Open() > 0
	if requested {
		if err := p.Wait(ctx, 3*time.Second); err != nil {
			return true, err
		}
	}
	if requested || p.HasFrames() {
		return true, p.Ask(ctx, Async(asked()), out)
	}
	return answer.Stirred, nil
}
