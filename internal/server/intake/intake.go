// Package intake bounds the memory of what clients send: the bodies of requests and the
// messages of sockets, from their first byte until their answer is written.
//
// What arrives is charged as it comes, at what it costs once it is read and parsed, so
// that an announced length costs nothing and an unfinished body no more than a complete
// one. Where the memory of all, or the share of one client, is used up, senders that have
// fallen below the slowest rate lose theirs first. Then small bodies wait a moment for
// room, and large ones are refused.
package intake

import (
	"errors"
	"sync"
	"time"

	"vitrine/internal/memory"
)

// Cost is what a byte of a body takes in memory: the buffer that grew with it, the copies
// that are parsed and checked, the parsed texts, and what of these waits to be collected. It
// was measured: the resident memory of vitrine serve grows by 16 to 22.4 bytes for each byte
// of a request of 30 MB, as the collector is early or late.
const Cost = 24

// Settings of a budget.
type Settings struct {
	// Limit is the memory of all bodies in bytes; default the smaller of 1 GiB
	// and a sixteenth of what this process may use.
	Limit int64
	// ClientLimit is that of one client; default three quarters of Limit.
	ClientLimit int64
	// SlowAfter is how long a sender may stay below [SlowRate] before it may be dropped
	// for others; default 1 s.
	SlowAfter time.Duration
	// Wait is how long a small body waits for room; default 1.5 s.
	Wait time.Duration
}

// SlowRate is the slowest rate of a sender that is not dropped where memory is short, in
// bytes for each SlowAfter.
const SlowRate = 64 << 10

// small is how many bytes a body may have that waits for room. Those that wait hold so
// little that larger ones, which do not, can always complete or be refused.
const small = 1 << 20

// Why a body is refused.
var (
	// ErrFull says that the memory of all bodies is in use.
	ErrFull = errors.New("the memory for requests is used up")
	// ErrClientFull says that the share of this client is in use.
	ErrClientFull = errors.New("this client's share of the memory for requests is used up")
)

// A Budget is shared by all bodies of a server. It is safe for concurrent use.
type Budget struct {
	settings Settings

	mu      sync.Mutex
	total   int64            // bytes of memory that are charged
	clients map[string]int64 // of them, by client
	coming  map[*Body]struct{}
	freed   chan struct{} // closed when something was given back
	dropped map[error]int64
	vain    map[string]time.Time // when the search for a slow sender last found none, by client; of all under ""
}

// New makes a budget.
func New(s Settings) *Budget {
	if s.Limit <= 0 {
		s.Limit = defaultLimit(memory.Limit())
	}
	if s.ClientLimit <= 0 {
		s.ClientLimit = s.Limit / 4 * 3
	}
	if s.SlowAfter <= 0 {
		s.SlowAfter = time.Second
	}
	if s.Wait <= 0 {
		s.Wait = 1500 * time.Millisecond
	}
	s.ClientLimit = min(s.ClientLimit, s.Limit)
	return &Budget{settings: s, clients: map[string]int64{}, coming: map[*Body]struct{}{}, freed: make(chan struct{}), dropped: map[error]int64{}, vain: map[string]time.Time{}}
}

// Largest is the size of the largest body that can ever be taken, in bytes.
func (b *Budget) Largest() int64 { return b.settings.ClientLimit / Cost }

// State is what the budget holds now and has refused since it was made.
type State struct {
	Limit, Held               int64 // bytes of memory
	Arriving                  int   // bodies that are not complete
	RefusedAll, RefusedClient int64 // bodies that found no memory, or lost theirs to others
}

// State of the budget, for metrics.
func (b *Budget) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return State{b.settings.Limit, b.total, len(b.coming), b.dropped[ErrFull], b.dropped[ErrClientFull]}
}

// Open begins a body of a client. Where it is dropped for others, interrupt is called,
// once, to end a read that is under way; it must not block. Close the body.
func (b *Budget) Open(client string, interrupt func()) *Body {
	body := &Body{budget: b, client: client, interrupt: interrupt, paced: time.Now()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coming[body] = struct{}{}
	return body
}

// full is the limit that stands in the way of more bytes of a client; nil if none does.
func (b *Budget) full(client string, more int64) error {
	switch {
	case b.clients[client]+more > b.settings.ClientLimit:
		return ErrClientFull
	case b.total+more > b.settings.Limit:
		return ErrFull
	}
	return nil
}

// makeRoom drops senders that are too slow, the slowest first, until more bytes fit or
// none is left that would help.
func (b *Budget) makeRoom(of *Body, more int64, now time.Time) error {
	for {
		err := b.full(of.client, more)
		if err == nil {
			return nil
		}
		slowest := b.slowest(of, err, now)
		if slowest == nil {
			return err
		}
		slowest.drop(err)
	}
}

// slowest is the sender that fell below the slowest rate first, among those whose end
// would help against a limit. A search that found none is not made again at once: there
// may be thousands of senders.
func (b *Budget) slowest(of *Body, limit error, now time.Time) (found *Body) {
	client := ""
	if limit == ErrClientFull {
		client = of.client
	}
	if now.Sub(b.vain[client]) < b.settings.SlowAfter/8 {
		return nil
	}
	for other := range b.coming {
		if other == of || other.waiting || other.charged == 0 || client != "" && other.client != client {
			continue
		}
		if now.Sub(other.paced) >= b.settings.SlowAfter && (found == nil || other.paced.Before(found.paced)) {
			found = other
		}
	}
	if found == nil {
		b.vain[client] = now
	}
	return found
}

// giveBack takes the charge of a body off.
func (b *Budget) giveBack(body *Body) {
	delete(b.coming, body)
	if body.charged == 0 {
		return
	}
	b.total -= body.charged
	if b.clients[body.client] -= body.charged; b.clients[body.client] == 0 {
		delete(b.clients, body.client)
		delete(b.vain, body.client)
	}
	body.charged = 0
	close(b.freed)
	b.freed = make(chan struct{})
}

func defaultLimit(memory int64) int64 { return min(1<<30, memory/16) }
