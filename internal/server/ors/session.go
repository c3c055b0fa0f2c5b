package ors

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"vitrine"
	"vitrine/internal/server"
)

// sessionHeader carries the name that create_session gave.
const sessionHeader = "X-Session-ID"

// key is what the server knows a session of ours by.
func key(r *http.Request) (string, error) {
	sid := strings.TrimSpace(r.Header.Get(sessionHeader))
	if sid == "" || len(sid) > 200 {
		return "", server.Invalid(errors.New(sessionHeader + " is missing"))
	}
	return "ors " + sid, nil
}

// session finds the session of a request.
func (s *service) session(r *http.Request) (*server.Session, error) {
	k, err := key(r)
	if err != nil {
		return nil, err
	}
	return s.env.Session(r.Context(), server.SessionID(k))
}

// create begins the session of a name, with a task as it is, or by its place in a split.
func (s *service) create(r *http.Request) (any, error) {
	var in struct {
		Env   string `json:"env_name"`
		Spec  *spec  `json:"task_spec"`
		Split string `json:"split"`
		Index *int   `json:"index"`
	}
	k, err := key(r)
	if err == nil {
		err = server.Decode(r, &in)
	}
	if err != nil {
		return nil, err
	}
	if _, err := s.env.Session(r.Context(), server.SessionID(k)); err == nil {
		return nil, server.Invalid(errors.New("the session exists already"))
	}
	if in.Spec == nil {
		tasks := s.env.Listed(in.Split)
		if in.Index == nil || *in.Index < 0 || *in.Index >= len(tasks) {
			return nil, server.Invalid(errors.New("give task_spec, or split and index of a task"))
		}
		task := specOf(tasks[*in.Index])
		in.Spec = &task
	}
	o := server.OpenSession{Key: k, Instruction: in.Spec.Instruction, Recipe: in.Spec.Recipe, Loop: in.Spec.Loop, Client: server.Client(r, "")}
	if o.Instruction == "" {
		o.TaskID = in.Spec.ID
	}
	_, err = s.env.OpenSession(r.Context(), o)
	return map[string]string{"sid": r.Header.Get(sessionHeader)}, err
}

// ping keeps a session.
func (s *service) ping(r *http.Request) (any, error) {
	_, err := s.session(r)
	return map[string]string{"status": "ok"}, err
}

// delete lets go of a session; one that is not there is no error.
func (s *service) delete(r *http.Request) (any, error) {
	k, err := key(r)
	if err == nil {
		_ = s.env.EndSession(r.Context(), server.SessionID(k))
	}
	return map[string]string{"sid": r.Header.Get(sessionHeader)}, err
}

// A block is one piece of what a model is shown.
type block struct {
	Text string `json:"text,omitempty"`
	Data string `json:"data,omitempty"` // base64
	MIME string `json:"mimeType,omitempty"`
	Type string `json:"type"` // text or image
}

func textBlock(text string) block { return block{Text: text, Type: "text"} }

func (s *service) prompt(r *http.Request) (any, error) {
	if err := environment(r); err != nil {
		return nil, err
	}
	session, err := s.session(r)
	if err != nil {
		return nil, err
	}
	return []block{textBlock(session.Instruction)}, nil
}

// An output is the answer of a tool.
type output struct {
	OK     bool    `json:"ok"`
	Output *result `json:"output,omitempty"`
	Error  string  `json:"error,omitempty"`
}

type result struct {
	Blocks   []block        `json:"blocks"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Reward   *float64       `json:"reward"`
	Finished bool           `json:"finished"`
}

// run uses a tool on a session.
func (s *service) run(ctx context.Context, id, tool string, input json.RawMessage) output {
	ctx, cancel := context.WithTimeout(ctx, Deadline)
	defer cancel()
	var in struct {
		HTML *string `json:"html"`
	}
	if err := json.Unmarshal(input, &in); err != nil || in.HTML == nil {
		return output{Error: "the tool needs the text html"}
	}
	if tool != "submit" && tool != "get_feedback" {
		return output{Error: "there is no tool " + tool}
	}
	turn, err := s.env.Step(ctx, id, server.Step{Output: *in.HTML, Feedback: new(tool == "get_feedback")})
	switch {
	case err != nil:
		return output{Error: err.Error()}
	case turn.Status != vitrine.SampleScored:
		return output{Error: "this could not be judged, try again: " + turn.Error.Error()}
	case tool == "submit" && !turn.Done:
		return s.submit(ctx, id)
	}
	return output{OK: true, Output: s.shown(ctx, turn)}
}

// submit ends a session that would go on.
func (s *service) submit(ctx context.Context, id string) output {
	session, err := s.env.FinishSession(ctx, id)
	if err != nil {
		return output{Error: err.Error()}
	}
	return output{OK: true, Output: &result{Blocks: []block{textBlock("Handed in.")}, Reward: session.Reward, Finished: true}}
}

// shown is what the model sees of a turn. A screenshot that is gone is left out.
func (s *service) shown(ctx context.Context, t *server.Turn) *result {
	out := &result{Blocks: []block{}, Reward: t.Reward, Finished: t.Done, Metadata: map[string]any{"turn": t.Turn, "accepted": t.Accepted, "score": t.Score, "best_score": t.BestScore}}
	if t.Observation.Text != "" {
		out.Blocks = append(out.Blocks, textBlock(t.Observation.Text))
	}
	for _, address := range t.Observation.Images {
		if data, err := s.env.Image(ctx, address); err == nil {
			out.Blocks = append(out.Blocks, block{Data: base64.StdEncoding.EncodeToString(data), MIME: "image/png", Type: "image"})
		}
	}
	if len(out.Blocks) == 0 {
		out.Blocks = append(out.Blocks, textBlock("Done."))
	}
	return out
}
