package intake

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// A sender gives what it is told to and then waits until it is interrupted, or goes on.
type sender struct {
	parts chan []byte
	cut   chan struct{}
}

func newSender() *sender { return &sender{parts: make(chan []byte), cut: make(chan struct{})} }

var errCut = errors.New("cut off")

func (s *sender) Read(b []byte) (int, error) {
	select {
	case part, more := <-s.parts:
		if !more {
			return 0, io.EOF
		}
		return copy(b, part), nil
	case <-s.cut:
		return 0, errCut
	}
}

// arriving begins a body that has sent n bytes, in parts, and says how it ends.
func arriving(t *testing.T, b *Budget, client string, n int) (s *sender, body *Body, ended chan error) {
	t.Helper()
	s, ended = newSender(), make(chan error, 1)
	body = b.Open(client, func() { close(s.cut) })
	go func() { _, err := body.Read(s, -1); ended <- err }()
	for sent := 0; sent < n; sent += 512 {
		s.parts <- make([]byte, 512)
	}
	for want := int64(n) * Cost; ; { // the last part is charged
		b.mu.Lock()
		held := body.charged
		b.mu.Unlock()
		if held >= want {
			return s, body, ended
		}
		runtime.Gosched()
	}
}

func TestABodyIsChargedAsItComes(t *testing.T) {
	b := New(Settings{Limit: 1 << 20})
	body := b.Open("a", nil)
	if n := b.State(); n.Held != 0 || n.Arriving != 1 {
		t.Errorf("before its first byte: %+v", n)
	}
	data, err := body.Read(strings.NewReader("hello"), 5)
	if n := b.State(); err != nil || string(data) != "hello" || n.Held != 5*Cost || n.Arriving != 0 {
		t.Errorf("%q, %v: %+v", data, err, n)
	}
	body.Close()
	body.Close()
	if n := b.State(); n.Held != 0 || len(b.clients) != 0 {
		t.Errorf("answered: %+v", n)
	}
}

func TestWhatIsTooMuchIsRefused(t *testing.T) {
	b := New(Settings{Limit: 8 << 20 * Cost, ClientLimit: 4 << 20 * Cost, Wait: time.Millisecond})
	if n := b.Largest(); n != 4<<20 {
		t.Errorf("the largest body is %d", n)
	}
	for _, c := range []struct {
		client string
		size   int
		want   error
	}{{"a", 3 << 20, nil}, {"a", 2 << 20, ErrClientFull}, {"a", 1 << 19, nil}, {"b", 4 << 20, nil}, {"c", 1 << 20, ErrFull}, {"c", 1000, nil}} {
		body := b.Open(c.client, nil)
		if _, err := body.Read(bytes.NewReader(make([]byte, c.size)), int64(c.size)); !errors.Is(err, c.want) {
			t.Errorf("%d bytes of %s: %v, want %v", c.size, c.client, err, c.want)
		}
		if c.want != nil {
			body.Close()
		}
	}
	if n := b.State(); n.RefusedAll != 1 || n.RefusedClient != 1 {
		t.Errorf("%+v", n)
	}
}

// A sender that is slow while others want its memory loses it; one that is complete, or
// keeps up, does not.
func TestSlowSendersLoseTheirMemoryFirst(t *testing.T) {
	b := New(Settings{Limit: 16 << 10 * Cost, ClientLimit: 8 << 10 * Cost, SlowAfter: 100 * time.Millisecond, Wait: 10 * time.Second})
	complete := b.Open("a", nil)
	if _, err := complete.Read(bytes.NewReader(make([]byte, 4<<10)), 4<<10); err != nil {
		t.Fatal(err)
	}
	_, slow, slowEnded := arriving(t, b, "a", 4<<10)
	_, other, otherEnded := arriving(t, b, "b", 8<<10)
	next := b.Open("a", nil)
	if _, err := next.Read(bytes.NewReader(make([]byte, 4<<10)), 4<<10); err != nil { // waits for the slow one of its client
		t.Fatal(err)
	}
	if err := <-slowEnded; !errors.Is(err, ErrClientFull) {
		t.Errorf("the slow one of the client ended with %v", err)
	}
	third := b.Open("c", nil)
	if _, err := third.Read(bytes.NewReader(make([]byte, 2<<10)), 2<<10); err != nil {
		t.Fatal(err)
	}
	if err := <-otherEnded; !errors.Is(err, ErrFull) {
		t.Errorf("the slow one of the others ended with %v", err)
	}
	for _, body := range []*Body{complete, slow, other, next, third} {
		body.Close()
	}
	if n := b.State(); n.Held != 0 || n.Arriving != 0 || len(b.vain) > 1 {
		t.Errorf("left behind: %+v %v", n, b.vain)
	}
}

// A small body waits for room that another gives back.
func TestSmallBodiesWaitForRoom(t *testing.T) {
	b := New(Settings{Limit: 1000 * Cost, ClientLimit: 1000 * Cost, Wait: time.Minute})
	first := b.Open("a", nil)
	if _, err := first.Read(bytes.NewReader(make([]byte, 900)), 900); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	second := b.Open("a", nil)
	go func() { _, err := second.Read(bytes.NewReader(make([]byte, 900)), 900); ended <- err }()
	for waits := false; !waits; runtime.Gosched() {
		b.mu.Lock()
		waits = second.waiting
		b.mu.Unlock()
	}
	first.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	second.Close()
}

func TestTheDefaultIsASixteenth(t *testing.T) {
	for memory, want := range map[int64]int64{math.MaxInt64: 1 << 30, 64 << 30: 1 << 30, 2 << 30: 128 << 20, 512 << 20: 32 << 20} {
		if got := defaultLimit(memory); got != want {
			t.Errorf("of %d: %d, want %d", memory, got, want)
		}
	}
}
