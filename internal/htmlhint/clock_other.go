//go:build !linux

package htmlhint

import "time"

// threadClock counts the clock's time where the processor's of one thread cannot be read.
func threadClock() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}
