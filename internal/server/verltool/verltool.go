// Package verltool speaks the protocol of verl-tool's tool servers:
//
//	POST /get_observation {"trajectory_ids": […], "actions": […], "extra_fields": [{}], "finish": […], "is_last_step": […]}
//	→ {"observations": [text or {"obs", "reward"}], "dones": […], "valids": […]}
//
// A trajectory is a refine session; its first extra_fields may have task_id or
// instruction, recipe and loop. An action is the model's whole answer. The reward
// comes with the last observation. A trajectory that ends early, by finish or
// is_last_step, gets the reward of its best answer.
//
// The protocol knows no null. A step that could not be judged has no reward, is not
// valid and done, and its observation begins with "[vitrine: not judged".
package verltool

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/server"
)

// Deadline of a request.
const Deadline = 100 * time.Second

// atOnce is how many trajectories of one request are stepped side by side.
const atOnce = 512

// Sessions are those of the server.
type Sessions interface {
	OpenSession(ctx context.Context, o server.OpenSession) (*server.Session, error)
	Step(ctx context.Context, id string, s server.Step) (*server.Turn, error)
	FinishSession(ctx context.Context, id string) (*server.Session, error)
	CheckItems(items int) error
}

type request struct {
	Trajectories []string `json:"trajectory_ids"`
	Actions      []string `json:"actions"`
	Extra        []extra  `json:"extra_fields"`
	Finish       []bool   `json:"finish"`
	LastStep     []bool   `json:"is_last_step"`
}

// extra is what may come with the first action of a trajectory.
type extra struct {
	TaskID      server.ID   `json:"task_id"`
	Instruction string      `json:"instruction"`
	Recipe      string      `json:"recipe"`
	Loop        server.Loop `json:"loop"`
	Finish      bool        `json:"finish"`
}

type response struct {
	Observations []any  `json:"observations"`
	Dones        []bool `json:"dones"`
	Valids       []bool `json:"valids"`
}

// rewarded is an observation with the reward.
type rewarded struct {
	Text   string  `json:"obs"`
	Reward float64 `json:"reward"`
}

// Handler serves /get_observation.
func Handler(s Sessions) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /get_observation", func(w http.ResponseWriter, r *http.Request) {
		var in request
		err := server.Decode(r, &in)
		if err == nil && len(in.Actions) != len(in.Trajectories) {
			err = server.Invalid(errors.New("there are not as many actions as trajectory_ids"))
		}
		if err == nil {
			err = s.CheckItems(len(in.Actions))
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), Deadline)
		defer cancel()
		server.Reply(w, observe(ctx, s, server.Client(r, ""), &in))
	})
	return mux
}

// observe takes all trajectories on by one step, many side by side.
func observe(ctx context.Context, s Sessions, client string, in *request) *response {
	n := len(in.Actions)
	out := &response{make([]any, n), make([]bool, n), make([]bool, n)}
	var steps errgroup.Group
	steps.SetLimit(atOnce)
	for i := range n {
		steps.Go(func() error {
			x := at(in.Extra, i)
			st := step{s, client, in.Trajectories[i], in.Actions[i], x, x.Finish || at(in.Finish, i), at(in.LastStep, i)}
			out.Observations[i], out.Dones[i], out.Valids[i] = st.take(ctx)
			return nil
		})
	}
	_ = steps.Wait() // what went wrong is in the observations
	return out
}

func at[T any](list []T, i int) (v T) {
	if i < len(list) {
		return list[i]
	}
	return v
}

// step is one action of one trajectory.
type step struct {
	sessions           Sessions
	client, trajectory string
	action             string
	extra              extra
	finish, last       bool
}

func (s step) take(ctx context.Context) (observation any, done, valid bool) {
	session, err := s.sessions.OpenSession(ctx, server.OpenSession{
		Key: "verltool " + s.trajectory, TaskID: s.extra.TaskID, Instruction: s.extra.Instruction, Recipe: s.extra.Recipe, Loop: s.extra.Loop, Client: s.client,
	})
	if err != nil {
		return refused(err), true, false
	}
	if s.finish {
		return s.end(ctx, session.ID)
	}
	turn, err := s.sessions.Step(ctx, session.ID, server.Step{Output: s.action})
	switch {
	case err != nil:
		return refused(err), true, false
	case turn.Status != vitrine.SampleScored:
		return refused(turn.Error), true, false
	case turn.Done && turn.Reward != nil:
		return rewarded{turn.Observation.Text, *turn.Reward}, true, true
	case s.last:
		return s.end(ctx, session.ID)
	}
	return turn.Observation.Text, turn.Done, true
}

// end finishes a trajectory with its best answer.
func (s step) end(ctx context.Context, id string) (observation any, done, valid bool) {
	session, err := s.sessions.FinishSession(ctx, id)
	if err != nil {
		return refused(err), true, false
	}
	if session.Reward == nil {
		return "", true, false // nothing was ever judged
	}
	return rewarded{"", *session.Reward}, true, true
}

func refused(err error) string {
	return "[vitrine: not judged: " + err.Error() + "]"
}
