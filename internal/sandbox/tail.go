package sandbox

import "fmt"

// Tail is a writer that keeps the first and the last bytes written to it, so
// that a log of any length is held in bounded memory.
type Tail struct {
	Keep    int // bytes kept at each end
	head    []byte
	tail    []byte
	dropped int
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if room := t.Keep - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head = append(t.head, p[:k]...)
		p = p[k:]
	}
	t.tail = append(t.tail, p...)
	if over := len(t.tail) - t.Keep; over > t.Keep {
		t.dropped += over
		t.tail = append(t.tail[:0], t.tail[over:]...)
	}
	return n, nil
}

// String returns what was kept, with a line that says how much was left out.
func (t *Tail) String() string {
	tail, dropped := t.tail, t.dropped
	if over := len(tail) - t.Keep; over > 0 {
		tail, dropped = tail[over:], dropped+over
	}
	if dropped == 0 {
		return string(t.head) + string(tail)
	}
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", t.head, dropped, tail)
}
