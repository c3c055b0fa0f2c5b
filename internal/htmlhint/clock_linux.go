package htmlhint

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadClock returns a function that tells, from any thread, the processor time of the
// thread that calls threadClock, which must stay locked to its goroutine meanwhile: a busy
// machine then does not use up the limit of a page (clock_getcpuclockid(3): the number
// holds the thread's id, inverted, and two bits of kind).
func threadClock() func() time.Duration {
	const perThread, scheduled = 4, 2
	clock, begin := int32(^unix.Gettid()<<3|perThread|scheduled), time.Now()
	var t unix.Timespec
	if unix.ClockGettime(clock, &t) != nil { // as where a sandbox forbids the call
		return func() time.Duration { return time.Since(begin) }
	}
	return func() time.Duration {
		var t unix.Timespec
		if unix.ClockGettime(clock, &t) != nil {
			return 1 << 62 // the thread is gone
		}
		return time.Duration(t.Nano())
	}
}
