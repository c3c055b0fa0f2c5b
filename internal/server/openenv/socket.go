package openenv

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/coder/websocket"

	"vitrine"
	"vitrine/internal/server"
)

const (
	maxMessage = 64 << 20 // bytes
	maxAhead   = 8        // messages that may wait while a step is under way
)

// A message of either side.
type message struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

type request struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// serveSocket is one environment for as long as the connection.
func serveSocket(env Env, w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the server has checked the origin
	if err != nil {
		return // it has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxMessage)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	messages := make(chan []byte, maxAhead)
	go read(ctx, cancel, conn, messages)
	e := &episode{env: env, client: server.Client(r.RemoteAddr)}
	defer e.end()
	for raw := range messages {
		answer, last := e.answer(ctx, raw)
		if last {
			_ = conn.Close(websocket.StatusNormalClosure, "")
			return
		}
		if err := write(ctx, conn, answer); err != nil {
			return
		}
	}
}

// read takes messages for as long as there are any, and so answers pings. Its end is
// that of the connection, also of a step under way.
func read(ctx context.Context, cancel func(), conn *websocket.Conn, to chan<- []byte) {
	defer close(to)
	defer cancel()
	for {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return
		}
		select {
		case to <- raw:
		default:
			_ = conn.Close(websocket.StatusPolicyViolation, "answers come one at a time: wait for them")
			return
		}
	}
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
	case p.Code == string(vitrine.FaultBusy):
		return "CAPACITY_REACHED"
	case p.Status == http.StatusNotFound, p.Status == http.StatusConflict:
		return "SESSION_ERROR"
	case p.Status < http.StatusInternalServerError:
		return "VALIDATION_ERROR"
	}
	return "EXECUTION_ERROR"
}
