package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/go-json-experiment/json/jsontext"

	"vitrine/internal/sandbox"
)

// ErrClosed is returned by every call on a browser that has ended.
var ErrClosed = errors.New("the browser has ended")

// ErrDeadline is returned by a command that Chromium did not answer in time.
var ErrDeadline = errors.New("no answer from the browser in time")

// A connection speaks the DevTools protocol over a pipe: JSON messages, each
// ended by a NUL byte.
//
//	browser process ── pipe ── connection ── session (one a page)
//	                                      ├─ pending calls, by id
//	                                      └─ subscribers, by session and method
type connection struct {
	w        io.WriteCloser
	deadline time.Duration                         // of a single command
	allow    func(time.Duration) sandbox.Allowance // of the browser

	writing sync.Mutex // one message at a time on the pipe

	mu      sync.Mutex // guards what follows
	nextID  int64
	pending map[int64]chan message
	subs    map[subKey]map[sink]struct{}
	closed  bool
	done    chan struct{} // closed when the pipe ends
}

// message is one frame on the wire, in either direction.
type message struct {
	ID        int64           `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *ProtocolError  `json:"error,omitempty"`
}

// A ProtocolError is Chromium's own answer that a command failed.
type ProtocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *ProtocolError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

func newConnection(r io.Reader, w io.WriteCloser, deadline time.Duration, allow func(time.Duration) sandbox.Allowance) *connection {
	c := &connection{
		w: w, deadline: deadline, allow: allow,
		pending: map[int64]chan message{},
		subs:    map[subKey]map[sink]struct{}{},
		done:    make(chan struct{}),
	}
	go c.read(r)
	return c
}

// read hands every message to the call or the subscribers it is for, until the
// pipe ends.
func (c *connection) read(r io.Reader) {
	defer c.shut()
	br := bufio.NewReaderSize(r, 1<<16)
	for {
		frame, err := readFrame(br)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(frame, &m) != nil {
			continue // not ours to mend; the call it answered runs into its deadline
		}
		m.Params, m.Result = wholeText(m.Params), wholeText(m.Result)
		c.deliver(m)
	}
}

// wholeText puts U+FFFD in the place of halves of characters, which scripts can make of
// any text, and which decoders refuse.
func wholeText(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`\ud`)) && !bytes.Contains(raw, []byte(`\uD`)) {
		return raw
	}
	if whole, err := jsontext.AppendFormat(nil, raw, jsontext.AllowInvalidUTF8(true)); err == nil {
		return whole
	}
	return raw
}

// maxFrame bounds a message from the browser, in bytes. A page decides how long the
// texts are that it prints; a screenshot of the largest size stays below.
const maxFrame = 256 << 20

// readFrame reads up to the next NUL. A message that is too long is read to its end
// and forgotten.
func readFrame(br *bufio.Reader) (frame []byte, err error) {
	for {
		part, err := br.ReadSlice(0)
		if len(frame)+len(part) <= maxFrame {
			frame = append(frame, part...)
		} else {
			frame = frame[:0]
		}
		switch err {
		case bufio.ErrBufferFull:
		case nil:
			return bytes.TrimSuffix(frame, []byte{0}), nil
		default:
			return nil, err
		}
	}
}

func (c *connection) deliver(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.ID != 0 {
		if answer, ok := c.pending[m.ID]; ok {
			delete(c.pending, m.ID)
			answer <- m // buffered: never blocks
		}
		return
	}
	for s := range c.subs[subKey{m.SessionID, m.Method}] {
		s.push(jsonv2.Value(m.Params))
	}
}

// shut fails everything that waits.
func (c *connection) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	close(c.done)
	for _, subs := range c.subs {
		for s := range subs {
			s.end()
		}
	}
	c.subs = nil
	_ = c.w.Close()
}

// call sends a command and waits for its answer, at most the deadline, which is an
// allowance.
func (c *connection) call(ctx context.Context, session, method string, params, result any) error {
	raw, err := jsonv2.Marshal(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan message, 1)
	id, err := c.register(answer)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	defer c.forget(id)
	if err := c.send(message{ID: id, SessionID: session, Method: method, Params: json.RawMessage(raw)}); err != nil {
		return fmt.Errorf("%s: %w", method, ErrClosed)
	}
	allowed := c.allow(c.deadline)
	timer := time.NewTimer(c.deadline)
	defer timer.Stop()
	for {
		select {
		case m := <-answer:
			if m.Error != nil {
				return fmt.Errorf("%s: %w", method, m.Error)
			}
			if err := jsonv2.Unmarshal(m.Result, result); err != nil {
				return fmt.Errorf("%s: %w", method, err)
			}
			return nil
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", method, context.Cause(ctx))
		case <-timer.C:
			left := allowed.Left()
			if left <= 0 {
				return fmt.Errorf("%s: %w", method, ErrDeadline)
			}
			timer.Reset(left)
		case <-c.done:
			return fmt.Errorf("%s: %w", method, ErrClosed)
		}
	}
}

func (c *connection) register(answer chan message) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, ErrClosed
	}
	c.nextID++
	c.pending[c.nextID] = answer
	return c.nextID, nil
}

func (c *connection) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

func (c *connection) send(m message) error {
	frame := fmt.Appendf(nil, `{"id":%d,"method":%q,"params":%s`, m.ID, m.Method, m.Params)
	if m.SessionID != "" {
		frame = fmt.Appendf(frame, `,"sessionId":%q`, m.SessionID)
	}
	frame = append(frame, "}\x00"...)
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.w.Write(frame)
	return err
}
