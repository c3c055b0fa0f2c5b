package queue

import (
	"slices"
	"strings"
)

// A fairQueue holds the flights that wait to be published. It is fair in two levels: round
// robin over owners, then over an owner's clients; each client's flights keep their order. A
// client is "owner name", or an owner alone: the server says who owns a request, the client
// what it calls itself.
type fairQueue struct {
	owners roundRobin
	names  map[string]*roundRobin // by owner
	queued map[string][]*flight   // by client
	held   map[string]int         // admitted and not answered, by client, waiting or published
	owned  map[string]int         // of them, by owner
	total  int
}

// roundRobin are those who have something waiting, next first.
type roundRobin []string

func (t *roundRobin) add(who string) {
	if !slices.Contains(*t, who) {
		*t = append(*t, who)
	}
}

func (t *roundRobin) remove(who string) {
	if i := slices.Index(*t, who); i >= 0 {
		*t = slices.Delete(*t, i, i+1)
	}
}

func newFairQueue() fairQueue {
	return fairQueue{names: map[string]*roundRobin{}, queued: map[string][]*flight{}, held: map[string]int{}, owned: map[string]int{}}
}

func owner(client string) string {
	name, _, _ := strings.Cut(client, " ")
	return name
}

// ownerShare bounds what an owner holds over all its clients, as a multiple of the free
// places: an owner alone gets three quarters of the limit.
const ownerShare = 3

// admit takes a flight in if its client holds fewer than the free places and its owner fewer
// than ownerShare times as many, so that a newcomer always finds room (dynamic thresholds:
// Choudhury and Hahne, 1998).
func (l *fairQueue) admit(f *flight, limit int) bool {
	free, by := limit-l.total, owner(f.client)
	if l.held[f.client] >= free || l.owned[by] >= ownerShare*free {
		return false
	}
	l.count(f, 1)
	f.admitted = true
	l.push(f, false)
	return true
}

// count changes how many flights of a client, and of its owner, are held.
func (l *fairQueue) count(f *flight, by int) {
	l.total += by
	if l.held[f.client] += by; l.held[f.client] == 0 {
		delete(l.held, f.client)
	}
	who := owner(f.client)
	if l.owned[who] += by; l.owned[who] == 0 {
		delete(l.owned, who)
	}
}

// push puts a flight at the end, or at the front, of its client's part.
func (l *fairQueue) push(f *flight, first bool) {
	by := owner(f.client)
	l.owners.add(by)
	if l.names[by] == nil {
		l.names[by] = &roundRobin{}
	}
	l.names[by].add(f.client)
	at := len(l.queued[f.client])
	if first {
		at = 0
	}
	l.queued[f.client] = slices.Insert(l.queued[f.client], at, f)
}

// pop takes the next flight out of the line; nil if there is none.
func (l *fairQueue) pop() *flight {
	if len(l.owners) == 0 {
		return nil
	}
	by := l.owners[0]
	client := (*l.names[by])[0]
	f := l.queued[client][0]
	l.owners.remove(by)
	l.names[by].remove(client)
	if l.drop(f); len(l.queued[client]) > 0 { // the next turn is after the others'
		l.names[by].add(client)
	}
	if len(*l.names[by]) > 0 {
		l.owners.add(by)
	} else {
		delete(l.names, by)
	}
	return f
}

// drop takes a flight out of its client's part, and reports whether that is empty now.
func (l *fairQueue) drop(f *flight) (empty bool) {
	mine := l.queued[f.client]
	if i := slices.Index(mine, f); i == 0 {
		l.queued[f.client] = mine[1:]
	} else if i > 0 {
		l.queued[f.client] = slices.Delete(mine, i, i+1)
	}
	if len(l.queued[f.client]) > 0 {
		return false
	}
	delete(l.queued, f.client)
	return true
}

// forget lets go of a flight, wherever it is.
func (l *fairQueue) forget(f *flight) {
	by := owner(f.client)
	if names := l.names[by]; l.drop(f) && names != nil {
		if names.remove(f.client); len(*names) == 0 {
			delete(l.names, by)
			l.owners.remove(by)
		}
	}
	if f.admitted {
		f.admitted = false
		l.count(f, -1)
	}
}

// length is how many flights wait.
func (l *fairQueue) length() (n int) {
	for _, mine := range l.queued {
		n += len(mine)
	}
	return n
}
