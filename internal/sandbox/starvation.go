package sandbox

import (
	"runtime"
	"time"
)

// A starvation adds up for how long the processes of a command could have run while others had
// the processors. What a process has had itself is no reason to let it have more: one that
// starves its first thread by a hundred of its own is not starved.
type starvation struct {
	at  time.Time
	all map[int]waiting
}

// waiting is what is known of one process.
type waiting struct {
	share
	others time.Duration // of processor time that other processes had, or that was idle, and that no wait was counted for
}

// carried is how long a wait may be that ends in a look and began in those before it.
const carried = time.Second

// look takes in what the processes have had and waited by now, and returns the longest
// that one of them has starved since the last look.
func (h *starvation) look(now time.Time, shares map[int]share) (longest time.Duration) {
	passed := now.Sub(h.at)
	all := make(map[int]waiting, len(shares))
	for pid, s := range shares {
		before := h.all[pid]
		own := (s.cpu - before.cpu) / time.Duration(runtime.GOMAXPROCS(0))
		others := max(0, min(before.others+passed-own, passed+carried))
		starved := max(0, min(s.runDelay-before.runDelay, others))
		all[pid] = waiting{s, others - starved}
		longest = max(longest, starved)
	}
	h.at, h.all = now, all
	return longest
}
