package browser

// The states of a living browser and the reasons why one ended, as [Supervisor.Count]
// names them.
const (
	StateStarting = "starting" // it does not answer yet; those for one page are not seen here
	StateServing  = "serving"  // it takes pages
	StateLeaving  = "leaving"  // it ends with the pages that it has, or was started for one page alone

	EndDied     = "died"     // by itself, or from outside: a crash, or out of memory
	EndSilent   = "silent"   // it did not answer a page in time
	EndRecycled = "recycled" // after many pages, or grown big: a fresh one has its place
	EndAlone    = "alone"    // started for the second try of one page, which is over
)

// Count says how many browsers there are by state, and how many have ended since the
// start by reason, those that Close ends left out. Every state and reason is there.
func (s *Supervisor) Count() (living, ended map[string]int) {
	living = map[string]int{StateStarting: 0, StateServing: 0, StateLeaving: 0}
	ended = map[string]int{EndDied: 0, EndSilent: 0, EndRecycled: 0, EndAlone: 0}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.seats {
		if at.next != nil {
			living[StateStarting]++
		}
	}
	for l := range s.living {
		switch {
		case l.dead(): // it is counted as ended once its place is taken
		case l.retired:
			living[StateLeaving]++
		default:
			living[StateServing]++
		}
	}
	for why, n := range s.ended {
		ended[why] = n
	}
	return living, ended
}
