// Package polltest waits in tests for what no event reports, such as the state of another
// process.
package polltest

import (
	"testing"
	"time"
)

// Until waits until a condition is true. It fails the test, naming what it waited for, after
// a minute.
func Until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !condition() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s: not within a minute", what)
		}
	}
}
