package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"vitrine"
	"vitrine/internal/server/intake"
)

// minRate is how fast a body must come on average, in bytes a second, after the time that
// headers have.
const minRate = 64 << 10

// receive reads the whole body of a request, into the memory that there is for bodies.
// Close what it returns when the request is answered.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) (*intake.Body, *Problem) {
	control := http.NewResponseController(w)
	var dropped atomic.Bool
	body := s.intake.Open(Owner(r), func() {
		dropped.Store(true)
		_ = control.SetReadDeadline(time.Unix(1, 0))
	})
	sender := &paced{reader: r.Body, deadline: s.deadlines(), set: control.SetReadDeadline}
	data, err := body.Read(sender, r.ContentLength)
	if err == nil {
		r.Body = &held{bytes.NewReader(data)}
		return body, nil
	}
	body.Close()
	if full(err) && !dropped.Load() {
		_, _ = io.Copy(io.Discard, sender) // many clients listen only when they have said all
	}
	return nil, unreceived(err, s.settings.MaxBody)
}

func full(err error) bool {
	return errors.Is(err, intake.ErrClientFull) || errors.Is(err, intake.ErrFull)
}

// unreceived is why a body did not come whole.
func unreceived(err error, most int64) *Problem {
	var large *http.MaxBytesError
	var slow net.Error
	switch {
	case errors.Is(err, intake.ErrClientFull):
		return problem(http.StatusTooManyRequests, CodeMemory, err.Error(), "ask again in a moment, or send less at once").after(1)
	case errors.Is(err, intake.ErrFull):
		return problem(http.StatusServiceUnavailable, CodeMemory, err.Error(), "ask again in a moment").after(1)
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, codeTooLarge, fmt.Sprintf("the request is larger than %d MB", most>>20), "send less at once")
	case errors.As(err, &slow) && slow.Timeout():
		return problem(http.StatusRequestTimeout, codeTimeout, "the request took too long to come", "")
	}
	return problem(http.StatusBadRequest, string(vitrine.FaultInvalidInput), "the request broke off", "")
}

// deadlines says by when a sender that began now must have sent more than so many bytes.
func (s *Server) deadlines() func(received int64) time.Time {
	began, whole := time.Now(), s.settings.ReadTimeout
	return func(received int64) time.Time {
		return began.Add(min(whole, whole/6+time.Duration(received)*time.Second/minRate))
	}
}

// paced reads from a sender that must keep up.
type paced struct {
	reader   io.Reader
	deadline func(received int64) time.Time
	set      func(time.Time) error
	received int64
}

// Read reads until the deadline of what has come so far.
func (p *paced) Read(b []byte) (int, error) {
	_ = p.set(p.deadline(p.received)) // a recorder of a test has no deadlines
	n, err := p.reader.Read(b)
	p.received += int64(n)
	return n, err
}

// held is a body that has come. Once it was read it is let go of: the answer may take
// long.
type held struct{ data *bytes.Reader }

// Read reads.
func (h *held) Read(b []byte) (int, error) {
	if h.data == nil {
		return 0, io.EOF
	}
	n, err := h.data.Read(b)
	if err == io.EOF {
		h.data = nil
	}
	return n, err
}

// WriteTo spares a copy.
func (h *held) WriteTo(w io.Writer) (int64, error) {
	if h.data == nil {
		return 0, nil
	}
	defer func() { h.data = nil }()
	return h.data.WriteTo(w)
}

// Close lets go.
func (h *held) Close() error {
	h.data = nil
	return nil
}

// ReceiveMessage reads a message of a socket as the body of a request is read: within the
// memory and the time for bodies. cancel ends the read from outside. Call done when the
// message is answered. An error is a *[Problem].
func (s *Server) ReceiveMessage(owner string, r io.Reader, cancel func()) (data []byte, done func(), err error) {
	body := s.intake.Open(owner, cancel)
	deadline := s.deadlines()
	late := time.AfterFunc(time.Until(deadline(0)), cancel)
	defer late.Stop()
	data, err = body.Read(&paced{reader: r, deadline: deadline, set: func(t time.Time) error {
		late.Reset(time.Until(t))
		return nil
	}}, -1)
	if err != nil {
		body.Close()
		return nil, nil, unreceived(err, s.settings.MaxBody)
	}
	return data, body.Close, nil
}

// Decode reads the JSON body of a request, bounded in size and depth. An error is
// a *[Problem].
func Decode(r *http.Request, v any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return problem(http.StatusBadRequest, string(vitrine.FaultInvalidInput), "the request broke off", "")
	}
	if err := unmarshal(body, v); err != nil {
		return problem(http.StatusUnprocessableEntity, string(vitrine.FaultInvalidInput), err.Error(), "")
	}
	return nil
}
