// Package openenv speaks the protocol of OpenEnv environments: refine sessions over a
// WebSocket, and what belongs to them over HTTP. OpenEnv's own clients, TRL and the
// verifiers' taskset openenv, and with it prime-rl, need nothing but the address
// http://HOST:7400/openenv.
//
// A reset may name task_id or instruction, recipe and loop; without a task the seed
// chooses one of the server's. An action has one field, message: the model's whole
// answer. The reward comes with the last observation alone, since some clients add up
// what they get. A step that could not be judged is answered as an error with the code
// EXECUTION_ERROR and does not count: it may be sent again.
//
// Each step is answered within Deadline: clients give up after 60 s and would take a
// late answer for that to their next message. Messages are read while a step is
// under way, so that pings are answered.
package openenv

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"vitrine"
	"vitrine/internal/refine"
	"vitrine/internal/server"
)

// Deadline of a step.
const Deadline = 45 * time.Second

// Sessions are those of the server.
type Sessions interface {
	OpenSession(ctx context.Context, o server.OpenSession) (*server.Session, error)
	Step(ctx context.Context, id string, s server.Step) (*server.Turn, error)
	EndSession(ctx context.Context, id string) error
}

// Tasks choose what a reset without a task is about.
type Tasks interface {
	// TaskID is a task's by its place; places beyond the last begin anew. Empty:
	// there are no tasks.
	TaskID(place int) string
}

// A Gate lets in what the server is to wait for before it ends.
type Gate interface {
	Begin() (done func(), err error)
}

// An Intake reads messages within the memory that the server has for them.
type Intake interface {
	ReceiveMessage(owner string, r io.Reader, cancel func()) (data []byte, done func(), err error)
}

// Env is what the protocol needs.
type Env interface {
	Sessions
	Tasks
	Gate
	Intake
}

// Handler serves the environment.
func Handler(env Env) http.Handler {
	mux := http.NewServeMux()
	all := &sockets{env: env, open: map[string]int{}}
	mux.HandleFunc("GET /ws", all.serve)
	mux.HandleFunc("POST /reset", func(w http.ResponseWriter, r *http.Request) { once(env, w, r, (*episode).httpReset) })
	mux.HandleFunc("POST /step", func(w http.ResponseWriter, r *http.Request) { once(env, w, r, (*episode).httpStep) })
	for path, document := range documents() {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { server.Reply(w, document) })
	}
	mux.HandleFunc("POST /mcp", func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		if err := server.Decode(r, &body); err != nil {
			server.Fail(w, err)
			return
		}
		server.Reply(w, mcp(body))
	})
	return mux
}

// once answers a request over HTTP, each of which has an environment of its own.
func once(env Env, w http.ResponseWriter, r *http.Request, do func(*episode, context.Context, json.RawMessage) (any, error)) {
	var body json.RawMessage
	err := server.Decode(r, &body)
	e := &episode{env: env, client: server.Client(r, "")}
	defer e.end(r.Context())
	var out any
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), Deadline)
		defer cancel()
		out, err = do(e, ctx, body)
	}
	if err != nil {
		server.Fail(w, err)
		return
	}
	server.Reply(w, out)
}

// An episode is one environment of one client.
type episode struct {
	env    Env
	client string
	id     string // of the session; empty before the first reset
	name   string // episode_id
	task   string
	turn   int
	done   bool
	reward *float64
}

// A reset is what a client may say to begin.
type reset struct {
	Seed        *int        `json:"seed"`
	EpisodeID   string      `json:"episode_id"`
	TaskID      server.ID   `json:"task_id"`
	Instruction string      `json:"instruction"`
	Recipe      string      `json:"recipe"`
	Loop        server.Loop `json:"loop"`
}

// An observed answer, as it travels.
type observed struct {
	Observation refine.Observation `json:"observation"`
	Reward      *float64           `json:"reward"`
	Done        bool               `json:"done"`
}

// begin ends the episode before and starts a new one.
func (e *episode) begin(ctx context.Context, data json.RawMessage) (any, error) {
	var in reset
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if in.TaskID == "" && in.Instruction == "" {
		place := 0
		if in.Seed != nil {
			place = *in.Seed
		}
		in.TaskID = server.ID(e.env.TaskID(place))
	}
	e.end(ctx)
	s, err := e.env.OpenSession(ctx, server.OpenSession{TaskID: in.TaskID, Instruction: in.Instruction, Recipe: in.Recipe, Loop: in.Loop, Client: e.client})
	if err != nil {
		return nil, err
	}
	e.id, e.name, e.task = s.ID, in.EpisodeID, s.TaskID
	if e.name == "" {
		e.name = s.ID
	}
	return observed{Observation: s.Observation}, nil
}

// step gives the policy's answer to the session.
func (e *episode) step(ctx context.Context, data json.RawMessage) (any, error) {
	var in struct {
		Message *string `json:"message"`
	}
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if in.Message == nil {
		return nil, server.Invalid(errors.New("an action needs the field message"))
	}
	if e.id == "" {
		return nil, server.Invalid(errors.New("reset comes before the first step"))
	}
	turn, err := e.env.Step(ctx, e.id, server.Step{Turn: e.turn + 1, Output: *in.Message})
	if err != nil {
		return nil, err
	}
	if turn.Status != vitrine.SampleScored {
		return nil, turn.Error
	}
	e.turn, e.done, e.reward = turn.Turn, turn.Done, turn.Reward
	return observed{Observation: turn.Observation, Reward: turn.Reward, Done: turn.Done}, nil
}

// A state is what a client may ask for at any time.
type state struct {
	EpisodeID string `json:"episode_id"`
	StepCount int    `json:"step_count"`
	TaskID    string `json:"task_id"`
	Done      bool   `json:"done"`
}

func (e *episode) state() state { return state{e.name, e.turn, e.task, e.done} }

// end lets go of the session.
func (e *episode) end(ctx context.Context) {
	if e.id != "" {
		_ = e.env.EndSession(context.WithoutCancel(ctx), e.id) // it may have had its time
	}
	*e = episode{env: e.env, client: e.client}
}

func (e *episode) httpReset(ctx context.Context, body json.RawMessage) (any, error) {
	return e.begin(ctx, body)
}

// httpStep has no reset before it: the task, if there is one, comes along.
func (e *episode) httpStep(ctx context.Context, body json.RawMessage) (any, error) {
	var in struct {
		Action json.RawMessage `json:"action"`
	}
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	if _, err := e.begin(ctx, body); err != nil {
		return nil, err
	}
	return e.step(ctx, in.Action)
}

// decode reads an object; nothing at all is an empty one.
func decode(data json.RawMessage, v any) error {
	if len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, v); err != nil {
		return server.Invalid(err)
	}
	return nil
}
