package sandbox

import (
	"runtime"
	"testing"
	"time"
)

// Who waits for others starves; who waits for itself does not.
func TestStarvation(t *testing.T) {
	t.Parallel()
	const look = 100 * time.Millisecond
	cores := time.Duration(runtime.GOMAXPROCS(0))
	for name, test := range map[string]struct {
		grown func(n time.Duration) share // after n looks
		want  time.Duration               // after 20
	}{
		"asleep":           {func(time.Duration) share { return share{} }, 0},
		"alone":            {func(n time.Duration) share { return share{cpu: n * look} }, 0},
		"half a processor": {func(n time.Duration) share { return share{cpu: n * look / 2, runDelay: n * look / 2} }, time.Second},
		"by its own":       {func(n time.Duration) share { return share{cpu: n * look * cores, runDelay: n * look} }, 0},
		"in long turns":    {func(n time.Duration) share { return share{runDelay: n / 5 * 5 * look} }, 2 * time.Second},
		"all at once":      {func(n time.Duration) share { return share{runDelay: n / 20 * time.Hour} }, look + carried},
	} {
		start := time.Now()
		h, got := starvation{at: start}, time.Duration(0)
		for n := range time.Duration(20) {
			got += h.look(start.Add((n+1)*look), map[int]share{1: {}, 2: test.grown(n + 1)})
		}
		if got != test.want {
			t.Errorf("%s: starved %s of 2 s, want %s", name, got, test.want)
		}
	}
	// One that was missed by a look has not waited all its life since.
	h := starvation{at: time.Now()}
	if got := h.look(h.at.Add(look), map[int]share{7: {runDelay: time.Hour}}); got != look {
		t.Errorf("a process not seen before starved %s in %s", got, look)
	}
}
