package openenv_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/polltest"
	"vitrine/internal/refine"
	"vitrine/internal/server"
	"vitrine/internal/server/openenv"
	"vitrine/internal/server/servertest"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func start(t *testing.T, change func(*server.Settings)) *servertest.Service {
	return servertest.Start(t, servertest.Options{
		Server: func(s *server.Settings) {
			s.Tasks = map[string]vitrine.Task{"t1": {ID: "t1", Instruction: "A tea shop"}, "t2": {ID: "t2", Instruction: "A game"}}
			if change != nil {
				change(s)
			}
		},
		Mount: func(s *server.Server) { s.Mount("/openenv/", openenv.Handler(s)) },
	})
}

// A client speaks the protocol as OpenEnv's own does: one message, one answer.
type client struct {
	*testing.T
	conn *websocket.Conn
}

type reply struct {
	Type string `json:"type"`
	Data struct {
		Observation refine.Observation `json:"observation"`
		Reward      *float64           `json:"reward"`
		Done        bool               `json:"done"`
		Code        string             `json:"code"`
		Message     string             `json:"message"`
		StepCount   int                `json:"step_count"`
		EpisodeID   string             `json:"episode_id"`
		JSONRPC     string             `json:"jsonrpc"`
	} `json:"data"`
}

func dial(t *testing.T, s *servertest.Service) client {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(s.URL, "http", "ws", 1)+"/openenv/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return client{t, conn}
}

func (c client) send(text string) {
	c.Helper()
	if err := c.conn.Write(c.Context(), websocket.MessageText, []byte(text)); err != nil {
		c.Fatal(err)
	}
}

func (c client) receive() (r reply) {
	c.Helper()
	_, raw, err := c.conn.Read(c.Context())
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		c.Fatalf("%v: %s", err, raw)
	}
	return r
}

func (c client) ask(text string) reply {
	c.Helper()
	c.send(text)
	return c.receive()
}

func TestEpisode(t *testing.T) {
	c := dial(t, start(t, nil))
	if r := c.ask(`{"type":"reset","data":{"seed":1,"episode_id":"e7"}}`); r.Type != "observation" || !strings.HasSuffix(r.Data.Observation.Text, "A game") || r.Data.Reward != nil || r.Data.Done {
		t.Errorf("reset: %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"reward 0.5 <get_feedback>"}}`); r.Data.Reward != nil || r.Data.Done || !strings.Contains(r.Data.Observation.Text, "grey on grey") {
		t.Errorf("a draft: %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"fault judge_error"}}`); r.Type != "error" || r.Data.Code != "EXECUTION_ERROR" || r.Data.Reward != nil {
		t.Errorf("what cannot be judged: %+v", r)
	}
	if r := c.ask(`{"type":"state"}`); r.Type != "state" || r.Data.StepCount != 1 || r.Data.EpisodeID != "e7" {
		t.Errorf("state: %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"reward 0.75"}}`); r.Data.Reward == nil || *r.Data.Reward != 0.75 || !r.Data.Done {
		t.Errorf("the last: %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"reward 1"}}`); r.Type != "error" || r.Data.Code != "SESSION_ERROR" {
		t.Errorf("after the end: %+v", r)
	}
	if r := c.ask(`{"type":"reset","data":{"instruction":"A clock","loop":{"max_rounds":1}}}`); !strings.HasSuffix(r.Data.Observation.Text, "A clock") {
		t.Errorf("another episode: %+v", r)
	}
	if r := c.ask(`{"type":"step","data":{"message":"reward 0.5 <get_feedback>"}}`); !r.Data.Done || *r.Data.Reward != 0.5 {
		t.Errorf("its only round: %+v", r)
	}
	c.send(`{"type":"close"}`)
	if _, _, err := c.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("close: %v", err)
	}
}

func TestMessagesThatAreWrong(t *testing.T) {
	c := dial(t, start(t, nil))
	for text, code := range map[string]string{
		`{`: "INVALID_JSON", `{"type":"dance"}`: "UNKNOWN_TYPE", `{"type":"step","data":{}}`: "VALIDATION_ERROR", `{"type":"step","data":{"message":"before any reset"}}`: "VALIDATION_ERROR",
		`{"type":"reset","data":{"task_id":"t9"}}`: "VALIDATION_ERROR", `{"type":"reset","data":{"recipe":"best","task_id":"t1"}}`: "VALIDATION_ERROR", `{"type":"reset","data":[]}`: "VALIDATION_ERROR",
	} {
		if r := c.ask(text); r.Type != "error" || r.Data.Code != code || r.Data.Message == "" {
			t.Errorf("%s: %+v", text, r)
		}
	}
	if r := c.ask(`{"type":"mcp","data":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}`); r.Type != "mcp" || r.Data.JSONRPC != "2.0" {
		t.Errorf("mcp: %+v", r)
	}
}

// Clients ping every 20 s and take a connection that does not answer for dead, while a
// step may take 45 s.
func TestPingsAreAnsweredDuringAStep(t *testing.T) {
	s := start(t, nil)
	c := dial(t, s)
	c.ask(`{"type":"reset","data":{}}`)
	c.send(`{"type":"step","data":{"message":"hold"}}`)
	polltest.Until(t, "the step is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	answered := make(chan reply)
	go func() { answered <- c.receive() }()
	c.pings(3)
	select {
	case r := <-answered:
		t.Errorf("the step was answered while it was held: %+v", r)
	default:
	}
	s.Scorer.Release()
	if r := <-answered; r.Data.Reward == nil || *r.Data.Reward != 1 {
		t.Errorf("%+v", r)
	}
}

// pings sends pings and wants a pong for each, while somebody reads.
func (c client) pings(n int) {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), 20*time.Second)
	defer cancel()
	for range n {
		if err := c.conn.Ping(ctx); err != nil {
			c.Fatalf("no pong: %v", err)
		}
	}
}

// A slow server lets the time of its first step run out when late is closed.
type slow struct {
	*server.Server
	late  chan struct{}
	steps atomic.Int64
	left  time.Duration // that the first step had
}

func (s *slow) Step(ctx context.Context, id string, st server.Step) (*server.Turn, error) {
	if s.steps.Add(1) == 1 {
		if deadline, ok := ctx.Deadline(); ok {
			s.left = time.Until(deadline)
		}
		ctx = expiring{ctx, s.late}
	}
	return s.Server.Step(ctx, id, st)
}

// What is under way when the end is asked for is answered, and nothing after it.
func TestDrain(t *testing.T) {
	s := start(t, nil)
	c := dial(t, s)
	c.ask(`{"type":"reset","data":{}}`)
	c.send(`{"type":"step","data":{"message":"hold"}}`)
	polltest.Until(t, "the step is under way", func() bool { return s.Scorer.Calls.Load() == 1 })
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop() }()
	polltest.Until(t, "the end was asked for", func() bool { status, _ := s.Ask(t, "GET", "/readyz", nil); return status == 503 })
	s.Scorer.Release()
	if r := c.receive(); r.Data.Reward == nil || *r.Data.Reward != 1 {
		t.Errorf("what was under way: %+v", r)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestResetOfNothing(t *testing.T) {
	s := start(t, func(s *server.Settings) { s.Tasks = nil })
	if r := dial(t, s).ask(`{"type":"reset","data":{}}`); r.Type != "error" || r.Data.Code != "VALIDATION_ERROR" {
		t.Errorf("there is no task, and yet %+v", r)
	}
}

// The six things that openenv validate asks of a running environment.
func TestValidator(t *testing.T) {
	s := start(t, nil)
	get := func(method, path string, body any) (v map[string]any) {
		t.Helper()
		status, text := s.Ask(t, method, "/openenv"+path, body)
		if err := json.Unmarshal([]byte(text), &v); status != 200 || err != nil {
			t.Errorf("%s: %d %s", path, status, text)
		}
		return v
	}
	openapi := get("GET", "/openapi.json", nil)
	if version, ok := openapi["info"].(map[string]any)["version"].(string); !ok || !strings.HasPrefix(version, "1.") {
		t.Error("info.version is missing")
	}
	for _, path := range []string{"/reset", "/step", "/state"} {
		if openapi["paths"].(map[string]any)[path] == nil {
			t.Errorf("openapi.json lacks %s", path)
		}
	}
	if get("GET", "/health", nil)["status"] != "healthy" {
		t.Error("health")
	}
	if m := get("GET", "/metadata", nil); m["name"] == "" || m["description"] == "" {
		t.Errorf("metadata: %v", m)
	}
	schema := get("GET", "/schema", nil)
	for _, part := range []string{"action", "observation", "state"} {
		if schema[part] == nil {
			t.Errorf("schema lacks %s", part)
		}
	}
	if required := schema["action"].(map[string]any)["required"].([]any); len(required) != 1 || required[0] != "message" {
		t.Errorf("an action requires %v; clients give a plain answer only to the one required field", required)
	}
	if get("POST", "/mcp", "{}")["jsonrpc"] != "2.0" {
		t.Error("mcp")
	}
	if r := get("POST", "/reset", `{"task_id":"t1"}`); !strings.HasSuffix(r["observation"].(map[string]any)["text"].(string), "A tea shop") {
		t.Errorf("reset: %v", r)
	}
	if r := get("POST", "/step", `{"action":{"message":"reward 0.5"}}`); r["reward"] != 0.5 || r["done"] != true {
		t.Errorf("step: %v", r)
	}
	get("GET", "/state", nil)
}
