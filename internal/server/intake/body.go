package intake

import (
	"io"
	"time"
)

// A Body is one request, or message, on its way and until it is answered.
type Body struct {
	budget    *Budget
	client    string
	interrupt func()

	// What follows is guarded by the budget's mu.
	received int64
	charged  int64     // bytes of memory
	paced    time.Time // when it last had the slowest rate
	atPace   int64     // what was received by then
	waiting  bool      // for room: that it sends nothing is not its doing
	refused  error     // why it lost its memory
}

// Read takes all of r, which has size bytes, or an unknown number if that is negative.
// An error is [ErrFull], [ErrClientFull], or that of r.
func (b *Body) Read(r io.Reader, size int64) ([]byte, error) {
	data := make([]byte, 0, 512)
	for {
		if len(data) == cap(data) {
			data = extend(data, size)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if full := b.receive(int64(n)); full != nil {
			return nil, full
		}
		if err == io.EOF {
			return data, b.complete()
		}
		if err != nil {
			return nil, b.cause(err)
		}
	}
}

// cause is why a read ended: one that was interrupted failed since the memory is gone.
func (b *Body) cause(err error) error {
	b.budget.mu.Lock()
	defer b.budget.mu.Unlock()
	if b.refused != nil {
		return b.refused
	}
	return err
}

// extend makes room for more, but not for more than is to come.
func extend(data []byte, size int64) []byte {
	room := int64(2 * cap(data))
	if size >= int64(len(data)) {
		room = min(room, size+1) // one more, to see the end
	}
	more := make([]byte, len(data), max(room, int64(len(data))+1))
	copy(more, data)
	return more
}

// receive charges bytes that have come, and waits for room where the body is small.
func (b *Body) receive(n int64) error {
	q := b.budget
	q.mu.Lock()
	defer q.mu.Unlock()
	if b.refused != nil {
		return b.refused
	}
	b.received += n
	late := time.Now().Add(q.settings.Wait)
	for {
		now := time.Now()
		err := q.makeRoom(b, n*Cost, now)
		if err == nil {
			break
		}
		if b.received > small || !now.Before(late) {
			b.refuse(err)
			return err
		}
		b.await(late.Sub(now))
	}
	b.charged += n * Cost
	q.total += n * Cost
	q.clients[b.client] += n * Cost
	if b.received-b.atPace >= SlowRate {
		b.paced, b.atPace = time.Now(), b.received
	}
	return nil
}

// await lets go of the budget until something was given back, another sender may have
// become slow, or the time is over.
func (b *Body) await(longest time.Duration) {
	q := b.budget
	began, freed := time.Now(), q.freed
	b.waiting = true
	q.mu.Unlock()
	timer := time.NewTimer(min(longest, q.settings.SlowAfter/4))
	select {
	case <-freed:
	case <-timer.C:
	}
	timer.Stop()
	q.mu.Lock()
	b.waiting = false
	b.paced = b.paced.Add(time.Since(began))
}

// complete ends the arrival: the body is not dropped any more.
func (b *Body) complete() error {
	b.budget.mu.Lock()
	defer b.budget.mu.Unlock()
	delete(b.budget.coming, b)
	return b.refused
}

// drop takes the memory of a body for others.
func (b *Body) drop(why error) {
	b.refuse(why)
	if b.interrupt != nil {
		b.interrupt()
	}
}

func (b *Body) refuse(why error) {
	b.refused = why
	b.budget.dropped[why]++
	b.budget.giveBack(b)
}

// Close gives the memory back.
func (b *Body) Close() {
	b.budget.mu.Lock()
	defer b.budget.mu.Unlock()
	b.budget.giveBack(b)
}
