package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// OpenSession opens a session; an error is a *[Problem].
func (s *Server) OpenSession(_ context.Context, o OpenSession) (*Session, error) {
	recipe, err := s.recipe(o.Recipe)
	if err != nil {
		return nil, err
	}
	text := o.Instruction
	if task, known := s.settings.Tasks[string(o.TaskID)]; text == "" {
		if text = task.Instruction; !known && o.TaskID != "" {
			return nil, problem(http.StatusUnprocessableEntity, string(vitrine.FaultUnknownTask), fmt.Sprintf("no task has the id %.100q", o.TaskID), "GET /v1/tasks lists them; or send an instruction")
		}
	}
	held, err := s.sessions.create(o, recipe, text)
	if err != nil {
		return nil, problemOf(err)
	}
	return held.view()
}

// Session shows a session.
func (s *Server) Session(id string) (*Session, error) {
	held, err := s.sessions.find(id)
	if err != nil {
		return nil, err
	}
	return held.view()
}

// FinishSession ends a session with its best answer.
func (s *Server) FinishSession(id string) (*Session, error) {
	held, err := s.sessions.find(id)
	if err == nil {
		err = held.finish()
	}
	if err != nil {
		return nil, problemOf(err)
	}
	return held.view()
}

// EndSession forgets a session.
func (s *Server) EndSession(id string) error { return s.sessions.remove(id) }

// Step gives a session the policy's next answer. The same step again gets the same
// answer. One that cannot be judged does not count.
func (s *Server) Step(ctx context.Context, id string, st Step) (*Turn, error) {
	held, err := s.sessions.find(id)
	if err != nil {
		return nil, err
	}
	select {
	case held.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, problemOf(cause(ctx, noResult, ctx.Err()))
	}
	defer func() { <-held.turn }()
	before, err := held.before(&st)
	if err != nil {
		return nil, problemOf(err)
	}
	if before != nil {
		return before, nil
	}
	request, err := held.request(st)
	if err != nil {
		return nil, problemOf(err)
	}
	results, err := s.Score(ctx, request)
	if err != nil {
		return nil, err
	}
	t, err := held.take(st, &results[0])
	if err != nil {
		return nil, problemOf(err)
	}
	return t, nil
}

// before is the answer to a step that was taken before; nil if it is the next.
func (h *session) before(st *Step) (t *Turn, err error) {
	err = h.lend(func(k *keptSession) error {
		if last := len(k.State.Turns); st.Turn == 0 {
			if st.Turn = last + 1; last > 0 && k.State.Turns[last-1].Hash == blob.Hash([]byte(st.Output)) {
				st.Turn = last
			}
		}
		reply, err := k.State.Recall(st.Turn, st.Output)
		if err != nil {
			return h.conflict(err)
		}
		if reply != nil {
			t = h.answer(*reply)
		}
		return nil
	})
	return t, err
}

func (h *session) conflict(err error) *Problem {
	return problem(http.StatusConflict, codeConflict, err.Error(), "GET /v1/sessions/"+h.id+" says where the session stands")
}

func (h *session) answer(r refine.Reply) *Turn {
	return &Turn{ID: h.id, Status: vitrine.SampleScored, Reply: r}
}

// request asks for the score of an answer. What asks for feedback is no part of the
// site.
func (h *session) request(st Step) (r Request, err error) {
	err = h.lend(func(k *keptSession) error {
		output := strings.ReplaceAll(st.Output, k.State.Settings.Trigger, "")
		item := Item{ID: ID(h.id), Output: &output, TaskID: k.Open.TaskID, Instruction: k.State.Instruction}
		if st.Tokens != nil {
			item.Meta = map[string]json.RawMessage{"output_tokens": json.RawMessage(strconv.Itoa(*st.Tokens))}
		}
		r = Request{Recipe: k.Open.Recipe, Client: k.Open.Client, Hold: true, Items: []Item{item}}
		return nil
	})
	return r, err
}

// take counts a judged answer.
func (h *session) take(st Step, r *Result) (t *Turn, err error) {
	err = h.lend(func(k *keptSession) error {
		if r.Reward == nil {
			t = h.unjudged(k.State, r)
			return nil
		}
		reply, err := k.State.Step(st.Turn, refine.Answer{Text: st.Output, Tokens: st.Tokens, Asks: st.Feedback}, &refine.Assessment{
			Outcome: r.Outcome, Score: h.score(k.State.Settings.Reward, r), Feedback: r.Feedback, Why: r.Why, Frames: r.Frames, Evidence: r.Evidence,
		})
		if err != nil {
			return h.conflict(err) // it was ended meanwhile
		}
		if reply.Accepted {
			k.Best = r
		}
		t = h.answer(reply)
		return h.save(k)
	})
	return t, err
}

// score is what an answer counts in the session. ReLook's rule takes the length of the
// whole trajectory, so that of one answer is left out.
func (h *session) score(rule refine.Reward, r *Result) float64 {
	if rule == refine.RewardReLook {
		return h.recipe.WithoutLength().Again(r.Parts, r.Gate)
	}
	return *r.Reward
}

// unjudged answers a step that does not count.
func (h *session) unjudged(state *refine.Session, r *Result) *Turn {
	so := state.Result()
	reply := refine.Reply{Turn: len(state.Turns), Round: so.Accepted, BestScore: so.BestScore, Action: refine.ActionResample}
	if so.BestTurn > 0 {
		reply.BestTurn = &so.BestTurn
	}
	return &Turn{ID: h.id, Status: vitrine.SampleUnjudged, Reply: reply, Error: r.Error}
}

func (h *session) finish() error {
	return h.lend(func(k *keptSession) error {
		k.State.Finish()
		return h.save(k)
	})
}

// view is a copy.
func (h *session) view() (v *Session, err error) {
	err = h.lend(func(k *keptSession) error {
		v = h.shown(k.State)
		return nil
	})
	if err != nil {
		return nil, problemOf(err)
	}
	return v, nil
}

func (h *session) shown(state *refine.Session) *Session {
	so := state.Result()
	v := &Session{
		ID: state.ID, TaskID: state.TaskID, Instruction: state.Instruction, Recipe: h.recipe.ID(), Turn: len(state.Turns), Round: so.Accepted, BestScore: so.BestScore,
		Observation: refine.Observation{Text: state.Opening()}, Reward: so.Reward, Done: state.Done, Why: state.Why, Trajectory: state.Trajectory(),
	}
	if v.Turn > 0 {
		last := &state.Turns[v.Turn-1]
		v.BestTurn, v.Observation.Text = &so.BestTurn, last.Shown
		if last.Assessment != nil {
			v.Observation.Images = slices.Clone(last.Assessment.Frames)
		}
	}
	return v
}

// ofSession is the answer to an item that names a session: that to its best output,
// with the reward of its end. What its turns cost was said with them.
func (s *Server) ofSession(recipe *reward.Recipe, item *Item) Result {
	missing := func(message, fix string) Result {
		return unjudged(item, recipe, vitrine.NewFault("session", vitrine.FaultInvalidInput, nil, message).WithFix(fix))
	}
	held, err := s.sessions.find(item.SessionID)
	if err != nil {
		return missing("there is no session of this name, or no longer", "score a session before it is deleted")
	}
	var done bool
	var out *Result
	err = held.lend(func(k *keptSession) error {
		if done = k.State.Done; done && k.Best != nil {
			out = new(*k.Best)
			out.Reward = k.State.Result().Reward
		}
		return nil
	})
	switch {
	case err != nil:
		return unjudged(item, recipe, vitrine.AsFault("session", err))
	case !done:
		return missing("the session is not done", "step it to its end, or POST /v1/sessions/{id}/finish")
	case out == nil:
		return unjudged(item, recipe, vitrine.NewFault("session", vitrine.FaultJudge, nil, "no answer of the session could be judged"))
	}
	out.Cost, out.TimingMS, out.Cached, out.Attempt = vitrine.Free(), vitrine.Timing{}, vitrine.Cached{}, 1
	return complete(named(item, *out), held.recipe)
}

// TaskID is the id of a task by its place among all, which begin anew after the last;
// empty if there are none.
func (s *Server) TaskID(at int) string {
	tasks := s.Listed("")
	if len(tasks) == 0 {
		return ""
	}
	return tasks[(at%len(tasks)+len(tasks))%len(tasks)].ID
}

// Listed are the tasks of a category, sorted by id; of all categories, if it is empty
// or "train".
func (s *Server) Listed(split string) (tasks []vitrine.Task) {
	for _, id := range slices.Sorted(maps.Keys(s.settings.Tasks)) {
		if t := s.settings.Tasks[id]; split == "" || split == allTasks || t.Category == split {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// allTasks is the split of all tasks.
const allTasks = "train"

// Splits are train, for all tasks, and their categories.
func (s *Server) Splits() []string {
	splits := map[string]bool{}
	for _, t := range s.settings.Tasks {
		if t.Category != "" && t.Category != allTasks {
			splits[t.Category] = true
		}
	}
	return slices.Concat([]string{allTasks}, slices.Sorted(maps.Keys(splits)))
}

// Image is a screenshot by its address, as results and observations give it.
func (s *Server) Image(ctx context.Context, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, notFound("such screenshot")
	}
	return s.frame(ctx, strings.TrimSuffix(path.Base(u.Path), ".png"), u.Query().Get("of"))
}
