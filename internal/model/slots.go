package model

import (
	"context"
	"sync"
	"time"
)

// firstSlots is how many conversations an endpoint gets at once before anything
// is known of it.
const firstSlots = 4

// slots is how many conversations an endpoint gets at once. The number doubles
// with every full round of answers until the endpoint says that it is too much;
// then it is halved, and grows by one a round (additive increase, multiplicative
// decrease, as in TCP: Chiu and Jain 1989, slow start of RFC 5681).
type slots struct {
	mu      sync.Mutex
	limit   float64
	max     float64
	cut     bool      // the slow start is over
	lastCut time.Time // what began before it says nothing about the limit after it
	busy    int
	peak    int
	waiting []chan struct{} // first come, first served
}

func newSlots(limit int) *slots {
	return &slots{limit: float64(min(firstSlots, limit)), max: float64(limit)}
}

// take waits for a slot and returns the time it was given.
func (s *slots) take(ctx context.Context) (time.Time, error) {
	s.mu.Lock()
	if len(s.waiting) == 0 && s.busy < int(s.limit) {
		s.give()
		s.mu.Unlock()
		return time.Now(), nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return time.Now(), nil
	case <-ctx.Done():
		s.leave(turn)
		return time.Time{}, ctx.Err()
	}
}

// give counts a slot as taken; mu is held.
func (s *slots) give() {
	s.busy++
	s.peak = max(s.peak, s.busy)
}

// leave takes a caller out of the queue. If its turn came just now, the slot goes
// to the next.
func (s *slots) leave(turn chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, w := range s.waiting {
		if w == turn {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			return
		}
	}
	s.busy--
	s.serve()
}

// free gives a slot back.
func (s *slots) free() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.serve()
}

// serve gives free slots to those who wait; mu is held.
func (s *slots) serve() {
	for len(s.waiting) > 0 && s.busy < int(s.limit) {
		turn := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.give()
		close(turn)
	}
}

// good tells of an answer. The limit only grows while it is what holds callers
// back.
func (s *slots) good() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy < int(s.limit) && len(s.waiting) == 0 {
		return
	}
	if s.cut {
		s.limit += 1 / s.limit
	} else {
		s.limit++
	}
	s.limit = min(s.limit, s.max)
	s.serve()
}

// tooMuch tells of an attempt, begun at a time, that the endpoint had no room for.
func (s *slots) tooMuch(began time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if began.Before(s.lastCut) {
		return
	}
	s.cut, s.lastCut = true, time.Now()
	s.limit = max(1, s.limit/2)
}
