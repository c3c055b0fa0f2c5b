package queue

import "slices"

// A line holds the flights that wait to be published. Clients take turns, and each
// client's flights keep their order.
type line struct {
	clients []string // who has something waiting, next first
	waiting map[string][]*flight
	held    map[string]int // admitted and not answered, by client, waiting or published
	total   int            // of held
}

func newLine() line { return line{waiting: map[string][]*flight{}, held: map[string]int{}} }

// admit takes a flight in unless the client holds as many as are still free of
// limit. So whoever comes finds room, however much one client asks for (dynamic
// thresholds: Choudhury and Hahne, 1998).
func (l *line) admit(f *flight, limit int) bool {
	if l.held[f.client] >= limit-l.total {
		return false
	}
	l.held[f.client]++
	l.total++
	f.admitted = true
	l.push(f, false)
	return true
}

// push puts a flight at the end, or at the front, of its client's part.
func (l *line) push(f *flight, first bool) {
	mine := l.waiting[f.client]
	if len(mine) == 0 {
		l.clients = append(l.clients, f.client)
	}
	if first {
		l.waiting[f.client] = slices.Insert(mine, 0, f)
	} else {
		l.waiting[f.client] = append(mine, f)
	}
}

// pop takes the next flight out of the line; nil if there is none.
func (l *line) pop() *flight {
	if len(l.clients) == 0 {
		return nil
	}
	client := l.clients[0]
	mine := l.waiting[client]
	l.clients = l.clients[1:]
	if len(mine) == 1 {
		delete(l.waiting, client)
	} else {
		l.waiting[client] = mine[1:]
		l.clients = append(l.clients, client)
	}
	return mine[0]
}

// forget lets go of a flight, wherever it is.
func (l *line) forget(f *flight) {
	if i := slices.Index(l.waiting[f.client], f); i >= 0 {
		l.waiting[f.client] = slices.Delete(l.waiting[f.client], i, i+1)
		if len(l.waiting[f.client]) == 0 {
			delete(l.waiting, f.client)
			l.clients = slices.Delete(l.clients, slices.Index(l.clients, f.client), slices.Index(l.clients, f.client)+1)
		}
	}
	if !f.admitted {
		return
	}
	f.admitted = false
	l.total--
	if l.held[f.client]--; l.held[f.client] == 0 {
		delete(l.held, f.client)
	}
}

// length is how many flights wait.
func (l *line) length() (n int) {
	for _, mine := range l.waiting {
		n += len(mine)
	}
	return n
}
