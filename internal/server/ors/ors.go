// Package ors speaks the Open Reward Standard, which TRL (OpenRewardSpec) and the
// OpenReward clients know. It wants the root of an address, hence a port of its own:
//
//	vitrine serve --listen-ors 127.0.0.1:7402
//	OpenRewardSpec("http://HOST:7402", env_name="vitrine")
//
// A session is a refine session. It has two tools: get_feedback renders a draft,
// judges it and tells what to mend, with screenshots; submit ends with the best of all
// there were, and gives the reward. Calls are answered as events, so that no
// connection is silent for long, and can be taken up again by their task_id for a
// minute.
//
// A call that could not be judged is an error of the tool ({"ok": false}) without a
// reward; it may be made again.
package ors

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/server"
)

// Deadline of a call.
const Deadline = 150 * time.Second

// name is what the environment is called.
const name = "vitrine"

// Env is what the protocol needs of the server.
type Env interface {
	OpenSession(ctx context.Context, o server.OpenSession) (*server.Session, error)
	Session(ctx context.Context, id string) (*server.Session, error)
	Step(ctx context.Context, id string, s server.Step) (*server.Turn, error)
	FinishSession(ctx context.Context, id string) (*server.Session, error)
	EndSession(ctx context.Context, id string) error
	Image(ctx context.Context, address string) ([]byte, error)
	// Listed are the tasks of a split, sorted by id, and the names of the splits.
	Listed(split string) []vitrine.Task
	Splits() []string
}

type service struct {
	env   Env
	calls *calls
}

// Handler serves the standard. Its calls end with ctx.
func Handler(ctx context.Context, env Env) http.Handler {
	s := &service{env, newCalls(ctx)}
	mux := http.NewServeMux()
	plain := map[string]func(*http.Request) (any, error){
		"GET /health":            func(*http.Request) (any, error) { return map[string]string{"status": "ok"}, nil },
		"GET /list_environments": func(*http.Request) (any, error) { return []string{name}, nil },
		"GET /{env}/tools":       s.tools,
		"GET /{env}/task_tools":  s.tools,
		"GET /{env}/splits":      s.splits,
		"POST /{env}/tasks":      s.tasks,
		"POST /{env}/num_tasks":  s.numTasks,
		"POST /{env}/task":       s.task,
		"POST /{env}/task_range": s.taskRange,
		"GET /{env}/prompt":      s.prompt,
		"POST /create":           s.create,
		"POST /ping":             s.ping,
		"POST /delete":           s.delete,
		"POST /delete_session":   s.delete,
	}
	for pattern, do := range plain {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			out, err := do(r)
			if err != nil {
				fail(w, err)
				return
			}
			server.Reply(w, out)
		})
	}
	mux.HandleFunc("POST /create_session", createSession)
	mux.HandleFunc("POST /{env}/call", s.call)
	return mux
}

// fail answers as clients of the standard expect: the reason under detail, which is
// where a problem has it, too.
func fail(w http.ResponseWriter, err error) { server.Fail(w, err) }

// environment refuses the names of others.
func environment(r *http.Request) error {
	if env := r.PathValue("env"); !strings.EqualFold(env, name) {
		return server.Missing("environment of this name; there is " + name)
	}
	return nil
}

// splitTasks are the tasks of the split that a request names.
func (s *service) splitTasks(r *http.Request, in any, split *string) ([]vitrine.Task, error) {
	if err := environment(r); err != nil {
		return nil, err
	}
	if err := server.Decode(r, in); err != nil {
		return nil, err
	}
	if !slices.Contains(s.env.Splits(), *split) {
		return nil, server.Invalid(errors.New("there is no such split"))
	}
	return s.env.Listed(*split), nil
}

// A spec is a task as clients carry it about.
type spec struct {
	ID          server.ID   `json:"id"`
	Instruction string      `json:"instruction"`
	Category    string      `json:"category,omitempty"`
	Recipe      string      `json:"recipe,omitempty"`
	Loop        server.Loop `json:"loop,omitzero"`
}

func specOf(t vitrine.Task) spec {
	return spec{ID: server.ID(t.ID), Instruction: t.Instruction, Category: t.Category}
}

func specs(tasks []vitrine.Task) []spec {
	out := []spec{}
	for _, t := range tasks {
		out = append(out, specOf(t))
	}
	return out
}

func (s *service) splits(r *http.Request) (any, error) {
	out := []map[string]string{}
	for _, split := range s.env.Splits() {
		kind := "validation"
		if split == "train" || split == "test" {
			kind = split
		}
		out = append(out, map[string]string{"name": split, "type": kind})
	}
	return out, environment(r)
}

func (s *service) tasks(r *http.Request) (any, error) {
	var in struct{ Split string }
	tasks, err := s.splitTasks(r, &in, &in.Split)
	return map[string]any{"tasks": specs(tasks), "env_name": name}, err
}

func (s *service) numTasks(r *http.Request) (any, error) {
	var in struct{ Split string }
	tasks, err := s.splitTasks(r, &in, &in.Split)
	return map[string]int{"num_tasks": len(tasks)}, err
}

func (s *service) task(r *http.Request) (any, error) {
	var in struct {
		Split string
		Index int
	}
	tasks, err := s.splitTasks(r, &in, &in.Split)
	if err == nil && (in.Index < 0 || in.Index >= len(tasks)) {
		err = server.Invalid(errors.New("there is no task at this index"))
	}
	if err != nil {
		return nil, err
	}
	return map[string]spec{"task": specOf(tasks[in.Index])}, nil
}

// taskRange counts as Python's slices do: from the end where negative, and to the end
// where left out.
func (s *service) taskRange(r *http.Request) (any, error) {
	var in struct {
		Split       string
		Start, Stop *int
	}
	tasks, err := s.splitTasks(r, &in, &in.Split)
	if err != nil {
		return nil, err
	}
	from, to := place(in.Start, 0, len(tasks)), place(in.Stop, len(tasks), len(tasks))
	return map[string][]spec{"tasks": specs(tasks[from:max(from, to)])}, nil
}

func place(i *int, otherwise, n int) int {
	if i == nil {
		return otherwise
	}
	if *i < 0 {
		return max(0, n+*i)
	}
	return min(*i, n)
}

// answer is what both tools take: the whole answer of the model, or the page alone.
var answer = json.RawMessage(`{"type":"object","properties":{"html":{"type":"string","description":"the whole website, as you would give it as an answer"}},"required":["html"]}`)

func (s *service) tools(r *http.Request) (any, error) {
	return map[string]any{"tools": []map[string]any{
		{"name": "get_feedback", "description": "Renders a draft of the website, shows what it looks like, and says what to mend.", "input_schema": answer},
		{"name": "submit", "description": "Hands in the website. The best of all there were counts. Nothing can follow.", "input_schema": answer},
	}}, environment(r)
}
