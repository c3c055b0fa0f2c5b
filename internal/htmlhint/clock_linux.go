package htmlhint

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadClock returns a function that reads, from any thread, the processor time of the thread
// that called threadClock, which must stay locked to its goroutine meanwhile. The id of the clock
// is the inverted thread id, shifted by three, with the bits for one thread and for scheduled time,
// as pthread_getcpuclockid(3) makes it.
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
