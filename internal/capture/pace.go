package capture

import (
	"context"
	"time"
)

// A page that draws at great cost gets fewer animation frames in the same page
// time. Whether it does is a matter of CPU time, since wall time depends on what
// runs beside: the same page must get the same frames on a busy machine.
const (
	negligible = 20 * time.Millisecond  // wall time of a step that is not worth asking for
	costly     = 200 * time.Millisecond // CPU time of a step
)

type pace struct {
	began time.Time     // of the step under way
	cpu   time.Duration // of the page when last asked
	over  int           // costly steps in a row
	slow  bool
}

// keepPace looks at what the last step cost. One costly step may be the page
// setting itself up; after the second in a row animation frames are spaced out.
func (v *visit) keepPace(ctx context.Context) error {
	p := &v.pace
	if p.slow || time.Since(p.began) < negligible {
		p.over = 0
		return nil
	}
	cpu, err := v.page.CPUTime(ctx)
	if err != nil {
		return err
	}
	if cpu-p.cpu < costly {
		p.over = 0
	} else {
		p.over++
	}
	p.cpu = cpu
	if p.slow = p.over == 2; p.slow {
		return v.clock(ctx, "slow()", nil)
	}
	return nil
}
