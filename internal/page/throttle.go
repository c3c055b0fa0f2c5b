package page

import (
	"context"
	"time"
)

// A page that draws at great cost gets fewer animation frames in the same page
// time. Whether it does is a matter of CPU time, since wall time depends on what
// else runs: the same page must get the same frames on a busy machine.
const (
	negligible = 20 * time.Millisecond  // wall time of 100 ms of page time that is not worth asking for
	costly     = 200 * time.Millisecond // CPU time of 100 ms of page time
)

type throttle struct {
	began time.Time     // of the step under way
	cpu   time.Duration // of the page when last asked
	over  int           // costly steps in a row
	slow  bool
}

// throttleFrames looks at what the last step, of so much page time, cost. One costly step may be the page
// setting itself up; after the second in a row animation frames are spaced out.
func (p *Page) throttleFrames(ctx context.Context, ms int) error {
	t := &p.throttle
	steps := time.Duration(max(1, ms/stepMS))
	if t.slow || time.Since(t.began) < negligible*steps {
		t.over = 0
		return nil
	}
	cpu, err := p.Tab.CPUTime(ctx)
	if err != nil {
		return err
	}
	if cpu-t.cpu < costly*steps {
		t.over = 0
	} else {
		t.over++
	}
	t.cpu = cpu
	if t.slow = t.over == 2; t.slow {
		return p.Clock(ctx, "slow()", nil)
	}
	return nil
}
