package ors

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"vitrine/internal/server"
)

const (
	chunkSize = 4096             // bytes of one event: clients bound a line
	linger    = time.Minute      // how long a result waits for a client that lost its connection
	keepAlive = 10 * time.Second // clients take 30 s without a sign for the end
)

// calls are those under way, and those that ended lately, by task_id.
type calls struct {
	start func(do func(context.Context)) // in the background
	mu    sync.Mutex
	by    map[string]*pending
}

// pending is one call.
type pending struct {
	session string
	done    chan struct{}
	data    string // once done is closed
}

func newCalls(ctx context.Context) *calls {
	return &calls{start: func(do func(context.Context)) { go do(ctx) }, by: map[string]*pending{}}
}

// begin starts a call, which goes on without its client, and forgets it a while after
// it has ended.
func (c *calls) begin(session string, do func(context.Context) output) (id string, p *pending) {
	id, p = rand.Text(), &pending{session: session, done: make(chan struct{})}
	c.mu.Lock()
	c.by[id] = p
	c.mu.Unlock()
	c.start(func(ctx context.Context) {
		p.data = encode(do(ctx))
		close(p.done)
		timer := time.NewTimer(linger)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.by, id)
	})
	return id, p
}

// find takes up a call of the same session.
func (c *calls) find(id, session string) (*pending, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.by[id]
	return p, ok && p.session == session
}

// encode writes JSON without spaces: clients cut those off at the beginning of a
// chunk.
func encode(o output) string {
	b, err := json.Marshal(o)
	if err != nil {
		b = []byte(`{"ok":false,"error":"the answer cannot be written"}`)
	}
	return strings.ReplaceAll(string(b), " ", `\u0020`)
}

// createSession gives a name that nobody has.
func createSession(w http.ResponseWriter, _ *http.Request) {
	begin(w)
	send(w, "task_id", strings.ToLower(rand.Text()))
	send(w, "end", "")
}

// call starts a tool, or takes up one that runs, and tells its result in chunks.
func (s *service) call(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name   string          `json:"name"`
		Input  json.RawMessage `json:"input"`
		TaskID string          `json:"task_id"`
	}
	err := environment(r)
	if err == nil {
		err = server.Decode(r, &in)
	}
	var session *server.Session
	if err == nil {
		session, err = s.session(r)
	}
	if err != nil {
		fail(w, err)
		return
	}
	begin(w)
	id, p := in.TaskID, (*pending)(nil)
	if id == "" {
		id, p = s.calls.begin(session.ID, func(ctx context.Context) output { return s.run(ctx, session.ID, in.Name, in.Input) })
	} else if found, ok := s.calls.find(id, session.ID); ok {
		p = found
	} else {
		send(w, "error", "unknown task_id")
		return
	}
	send(w, "task_id", id)
	if wait(w, r, p) {
		tell(w, p.data)
	}
}

// wait shows that the connection lives until the call has ended.
func wait(w http.ResponseWriter, r *http.Request, p *pending) bool {
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return true
		case <-r.Context().Done():
			return false
		case <-tick.C:
			fmt.Fprint(w, ": ping\n\n")
			flush(w)
		}
	}
}

// tell sends data in chunks, the last as end. No chunk ends within a character.
func tell(w http.ResponseWriter, data string) {
	for len(data) > chunkSize {
		n := chunkSize
		for !utf8.RuneStart(data[n]) {
			n--
		}
		send(w, "chunk", data[:n])
		data = data[n:]
	}
	send(w, "end", data)
}

func begin(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
}

func send(w http.ResponseWriter, event, data string) {
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
	flush(w)
}

// flush sends what is written; a writer that cannot does so by itself.
func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
