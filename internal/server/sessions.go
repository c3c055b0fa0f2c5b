package server

import (
	"context"
	"encoding/json"
	"errors"
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
	"vitrine/internal/queue"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// OpenSession opens a session; an error is a *[Problem].
func (s *Server) OpenSession(ctx context.Context, o OpenSession) (*Session, error) {
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
	return shown(s.sessions.create(ctx, o, recipe, text))
}

// Session shows a session.
func (s *Server) Session(ctx context.Context, id string) (*Session, error) {
	return shown(s.sessions.find(ctx, id))
}

// FinishSession ends a session with its best answer.
func (s *Server) FinishSession(ctx context.Context, id string) (*Session, error) {
	for {
		held, err := s.sessions.find(ctx, id)
		if err == nil {
			held.State.Finish()
			err = s.sessions.save(ctx, held)
		}
		if !errors.Is(err, queue.ErrConflict) {
			return shown(held, err)
		}
	}
}

// EndSession forgets a session.
func (s *Server) EndSession(ctx context.Context, id string) error {
	if _, err := s.sessions.heads.bucket.Get(ctx, stateKey(id)); errors.Is(err, queue.ErrNoEntry) {
		return noSession()
	}
	if err := s.sessions.remove(ctx, id); err != nil {
		return problemOf(err)
	}
	return nil
}

// Step gives a session the policy's next answer. The same step again gets the same
// answer. One that cannot be judged does not count.
func (s *Server) Step(ctx context.Context, id string, st Step) (*Turn, error) {
	for {
		t, err := s.step(ctx, id, st)
		if errors.Is(err, queue.ErrConflict) {
			continue // a request came first, here or elsewhere: what it took is there now
		}
		if err != nil {
			return nil, sessionProblem(err)
		}
		return t, nil
	}
}

// step takes one step of a session as it is.
func (s *Server) step(ctx context.Context, id string, st Step) (*Turn, error) {
	held, err := s.sessions.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if before, err := held.before(&st); before != nil || err != nil {
		return before, err
	}
	results, err := s.Score(ctx, held.request(st))
	if err != nil {
		return nil, err
	}
	t, err := held.take(st, &results[0])
	if err == nil && t.Status == vitrine.SampleScored {
		err = s.sessions.save(ctx, held)
	}
	return t, err
}

// before is the answer to a step that was taken before; nil if it is the next.
func (h *session) before(st *Step) (*Turn, error) {
	if last := len(h.State.Turns); st.Turn == 0 {
		if st.Turn = last + 1; last > 0 && h.State.Turns[last-1].Hash == blob.Hash([]byte(st.Output)) {
			st.Turn = last
		}
	}
	reply, err := h.State.Recall(st.Turn, st.Output)
	if err != nil {
		return nil, h.conflict(err)
	}
	if reply == nil {
		return nil, nil
	}
	return h.answer(*reply), nil
}

func (h *session) conflict(err error) *Problem {
	return problem(http.StatusConflict, codeConflict, err.Error(), "GET /v1/sessions/"+h.id+" says where the session stands")
}

func (h *session) answer(r refine.Reply) *Turn {
	return &Turn{ID: h.id, Status: vitrine.SampleScored, Reply: r}
}

// request asks for the score of an answer. What asks for feedback is no part of the
// site.
func (h *session) request(st Step) Request {
	output := strings.ReplaceAll(st.Output, h.State.Settings.Trigger, "")
	item := Item{ID: ID(h.id), Output: &output, TaskID: h.Open.TaskID, Instruction: h.State.Instruction}
	if st.Tokens != nil {
		item.Meta = map[string]json.RawMessage{"output_tokens": json.RawMessage(strconv.Itoa(*st.Tokens))}
	}
	return Request{Recipe: h.Open.Recipe, Client: h.Open.Client, Hold: true, Items: []Item{item}}
}

// take counts a judged answer.
func (h *session) take(st Step, r *Result) (*Turn, error) {
	if r.Reward == nil {
		return h.unjudged(r), nil
	}
	reply, err := h.State.Step(st.Turn, refine.Answer{Text: st.Output, Tokens: st.Tokens, Asks: st.Feedback}, &refine.Assessment{
		Outcome: r.Outcome, Score: h.score(h.State.Settings.Reward, r), Feedback: r.Feedback, Why: r.Why, Frames: r.Frames, Evidence: r.Evidence,
	})
	if err != nil {
		return nil, h.conflict(err)
	}
	if reply.Accepted && reply.BestTurn != nil && *reply.BestTurn == st.Turn { // by accept any a worse one is accepted, too
		h.Best = r
	}
	return h.answer(reply), nil
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
func (h *session) unjudged(r *Result) *Turn {
	so := h.State.Result()
	reply := refine.Reply{Turn: len(h.State.Turns), Round: so.Accepted, BestScore: so.BestScore, Action: refine.ActionResample}
	if so.BestTurn > 0 {
		reply.BestTurn = &so.BestTurn
	}
	return &Turn{ID: h.id, Status: vitrine.SampleUnjudged, Reply: reply, Error: r.Error}
}

// sessionProblem is the answer where a session is not to be had.
func sessionProblem(err error) *Problem {
	if errors.Is(err, queue.ErrNoEntry) {
		return noSession()
	}
	return problemOf(err)
}

// shown is what a client sees of a session.
func shown(h *session, err error) (*Session, error) {
	if err != nil {
		return nil, sessionProblem(err)
	}
	so := h.State.Result()
	v := &Session{
		ID: h.State.ID, TaskID: h.State.TaskID, Instruction: h.State.Instruction, Recipe: h.recipe.ID(), Turn: len(h.State.Turns), Round: so.Accepted, BestScore: so.BestScore,
		Observation: refine.Observation{Text: h.State.Opening()}, Reward: so.Reward, Done: h.State.Done, Why: h.State.Why, Trajectory: h.State.Trajectory(),
	}
	if v.Turn > 0 {
		last := &h.State.Turns[v.Turn-1]
		v.BestTurn, v.Observation.Text = &so.BestTurn, last.Shown
		if last.Assessment != nil {
			v.Observation.Images = slices.Clone(last.Assessment.Frames)
		}
	}
	return v, nil
}

// ofSession is the answer to an item that names a session: that to its best output,
// with the reward of its end. What its turns cost was said with them.
func (s *Server) ofSession(ctx context.Context, recipe *reward.Recipe, item *Item, again *backoff) Result {
	missing := func(message, fix string) Result {
		return unjudged(item, recipe, vitrine.NewFault("session", vitrine.FaultInvalidInput, nil, message).WithFix(fix))
	}
	held, err := s.sessions.find(ctx, item.SessionID)
	for err != nil && !errors.Is(err, queue.ErrNoEntry) && again.wait(ctx, vitrine.AsFault("session", err)) {
		held, err = s.sessions.find(ctx, item.SessionID)
	}
	switch {
	case errors.Is(err, queue.ErrNoEntry):
		return missing("there is no session of this name, or no longer", "score a session before it is deleted")
	case err != nil:
		return unjudged(item, recipe, vitrine.AsFault("session", err))
	case !held.State.Done:
		return missing("the session is not done", "step it to its end, or POST /v1/sessions/{id}/finish")
	case held.Best == nil:
		return unjudged(item, recipe, vitrine.NewFault("session", vitrine.FaultJudge, nil, "no answer of the session could be judged"))
	}
	out := *held.Best
	out.Reward = held.State.Result().Reward
	out.Cost, out.TimingMS, out.Cached, out.Attempt = vitrine.Free(), vitrine.Timing{}, vitrine.Cached{}, 1
	return complete(named(item, out), held.recipe)
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
