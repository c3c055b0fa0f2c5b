package openenv

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"vitrine"
	"vitrine/internal/server"
)

const (
	maxMessage = 16 << 20 // bytes
	maxAhead   = 8        // messages that may wait while a step is under way
	maxSockets = 8192     // connections; one client may have as many as are free: half of them if it is alone
)

// refuseFor is how long a client may take to hear that its message is refused.
const refuseFor = 200 * time.Millisecond

// A message of either side.
type message struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

type request struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// sockets are all connections.
type sockets struct {
	env Env

	mu   sync.Mutex
	open map[string]int // by owner
	all  int
}

// enter counts a connection, unless its owner has as many as are free.
func (s *sockets) enter(owner string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[owner] >= maxSockets-s.all {
		return false
	}
	s.open[owner]++
	s.all++
	return true
}

func (s *sockets) leave(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.open[owner]--; s.open[owner] == 0 {
		delete(s.open, owner)
	}
}

// An arrival is a message that waits for its answer, and what gives its memory back.
type arrival struct {
	raw  []byte
	done func()
}

// serve is one environment for as long as the connection.
func (s *sockets) serve(w http.ResponseWriter, r *http.Request) {
	owner := server.Owner(r)
	if !s.enter(owner) {
		server.Fail(w, vitrine.NewFault("openenv", vitrine.FaultBusy, nil, "there are too many connections").WithFix("close some, or wait"))
		return
	}
	defer s.leave(owner)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the server has checked the origin
	if err != nil {
		return // it has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxMessage)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	messages := make(chan arrival, maxAhead)
	go s.read(ctx, cancel, conn, owner, messages)
	e := &episode{env: s.env, client: server.Client(r, "")}
	defer e.end(r.Context())
	for m := range messages {
		if ctx.Err() == nil && !e.reply(ctx, conn, m.raw) {
			cancel() // what still waits is not answered
		}
		m.done()
	}
}

// reply answers a message, and reports whether another may follow. The server does
// not end before the answer is written.
func (e *episode) reply(ctx context.Context, conn *websocket.Conn, raw []byte) (more bool) {
	done, err := e.env.Begin()
	if err != nil {
		return write(ctx, conn, failure(code(err), err.Error())) == nil
	}
	defer done()
	answer, last := e.answer(ctx, raw)
	if last {
		_ = conn.Close(websocket.StatusNormalClosure, "")
		return false
	}
	return write(ctx, conn, answer) == nil
}

// read takes messages for as long as there are any, and so answers pings. Its end is
// that of the connection, also of a step under way.
func (s *sockets) read(ctx context.Context, cancel func(), conn *websocket.Conn, owner string, to chan<- arrival) {
	defer close(to)
	defer cancel()
	for {
		_, r, err := conn.Reader(ctx)
		if err != nil {
			return
		}
		raw, done, err := s.env.ReceiveMessage(owner, r, cancel)
		if err != nil {
			refuse(ctx, conn, err)
			return
		}
		select {
		case to <- arrival{raw, done}:
		default:
			done()
			_ = conn.Close(websocket.StatusPolicyViolation, "answers come one at a time: wait for them")
			return
		}
	}
}

// refuse says to a client that there is no memory for its message. The connection ends at
// once: to wait for the other end would be to read all that it still sends.
func refuse(ctx context.Context, conn *websocket.Conn, err error) {
	ctx, cancel := context.WithTimeout(ctx, refuseFor)
	defer cancel()
	_ = write(ctx, conn, failure(code(err), err.Error()))
	_ = conn.CloseNow()
}

func write(ctx context.Context, conn *websocket.Conn, m message) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return conn.Write(ctx, websocket.MessageText, b)
}

// answer is what a message is answered with; nothing after the last.
func (e *episode) answer(ctx context.Context, raw []byte) (m message, last bool) {
	var in request
	if err := json.Unmarshal(raw, &in); err != nil {
		return failure("INVALID_JSON", err.Error()), false
	}
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	switch in.Type {
	case "reset":
		return observation(e.begin(ctx, in.Data)), false
	case "step":
		return observation(e.step(ctx, in.Data)), false
	case "state":
		return message{"state", e.state()}, false
	case "mcp":
		return message{"mcp", mcp(in.Data)}, false
	case "close":
		return message{}, true
	}
	return failure("UNKNOWN_TYPE", "there is no message of the type "+in.Type), false
}

func observation(v any, err error) message {
	if err != nil {
		return failure(code(err), err.Error())
	}
	return message{"observation", v}
}

func failure(code, text string) message {
	return message{"error", map[string]string{"message": text, "code": code}}
}

// code is the protocol's word for an error.
func code(err error) string {
	var p *server.Problem
	if !errors.As(err, &p) {
		return "EXECUTION_ERROR"
	}
	switch {
	case p.Code == string(vitrine.FaultBusy), p.Code == server.CodeMemory:
		return "CAPACITY_REACHED"
	case p.Status == http.StatusNotFound, p.Status == http.StatusConflict:
		return "SESSION_ERROR"
	case p.Status < http.StatusInternalServerError:
		return "VALIDATION_ERROR"
	}
	return "EXECUTION_ERROR"
}
