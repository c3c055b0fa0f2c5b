package browser

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

type subKey struct{ session, method string }

// session is one target of the browser, or the browser itself if id is empty.
// It satisfies cdp.Session.
type session struct {
	conn *connection
	id   string
}

// Call runs one command on the target.
func (s *session) Call(ctx context.Context, method string, params, result any) error {
	return s.conn.call(ctx, s.id, method, params, result)
}

// Subscribe buffers the events of a method until cancel is called.
func (s *session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	c, key := s.conn, subKey{s.id, method}
	sub := newSubscription()
	return sub.out, c.subscribe(key, sub)
}

// Count counts the events of a method until cancel is called. An event that the browser
// sent before the answer to a command is counted when that command returns.
func (s *session) Count(method string) (n *atomic.Int64, cancel func()) {
	t := &tally{}
	return &t.n, s.conn.subscribe(subKey{s.id, method}, t)
}

func (c *connection) subscribe(key subKey, to sink) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		to.end()
		return to.end
	}
	if c.subs[key] == nil {
		c.subs[key] = map[sink]struct{}{}
	}
	c.subs[key][to] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.subs != nil {
			delete(c.subs[key], to)
		}
		to.end()
	}
}

// A sink takes events, on the goroutine of the reader: it must not block.
type sink interface {
	push(jsonv2.Value)
	end()
}

// A tally only counts them.
type tally struct{ n atomic.Int64 }

func (t *tally) push(jsonv2.Value) { t.n.Add(1) }

func (t *tally) end() {}

// A subscription is a bounded queue between the reader, which must never
// block, and one consumer.
type subscription struct {
	out  chan jsonv2.Value
	mu   sync.Mutex
	wake chan struct{}
	quit chan struct{}
	fifo []jsonv2.Value
	once sync.Once
}

func newSubscription() *subscription {
	s := &subscription{out: make(chan jsonv2.Value), wake: make(chan struct{}, 1), quit: make(chan struct{})}
	go s.pump()
	return s
}

// maxQueued bounds the events that wait for their consumer. Only a page that floods
// us has as many; what is beyond is lost to that page alone.
const maxQueued = 10_000

func (s *subscription) push(v jsonv2.Value) {
	s.mu.Lock()
	if len(s.fifo) < maxQueued {
		s.fifo = append(s.fifo, v)
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *subscription) end() { s.once.Do(func() { close(s.quit) }) }

func (s *subscription) pump() {
	defer close(s.out)
	for {
		s.mu.Lock()
		batch := s.fifo
		s.fifo = nil
		s.mu.Unlock()
		for _, v := range batch {
			select {
			case s.out <- v:
			case <-s.quit:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-s.wake:
		case <-s.quit:
			return
		}
	}
}
