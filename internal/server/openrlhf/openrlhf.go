// Package openrlhf speaks the protocol of OpenRLHF's remote reward model:
//
//	--reward.remote_url http://HOST:7400/openrlhf/get_reward --data.label_key task_id
//
//	POST /get_reward {"query": [prompt+response], "prompts": [prompt], "labels": [label]}
//	→ {"rewards": [0.7], "scores": [0.7], "extra_logs": {"infra_error": [0], …}}
//
// Lists may have any length: with several addresses, OpenRLHF sends empty ones to
// all but the first. A label is the id of a task, or JSON with task_id,
// instruction, group_id or kind; where it is neither, the prompt is what was asked.
//
// The protocol knows no null, and a status that is no success, five times, ends the
// training. So what could not be judged gets a stand-in, the mean of what the same
// prompt's other outputs got, and infra_error 1 in extra_logs. ?fallback=-1 gives
// that number instead. ?recipe=NAME chooses the recipe.
package openrlhf

import (
	"context"
	"net/http"
	"time"

	"vitrine"
	"vitrine/internal/server"
	"vitrine/internal/server/prompt"
)

// Deadline of a request: OpenRLHF waits 180 s.
const Deadline = 150 * time.Second

// A Scorer scores, and says what stands in for a reward that there is not.
type Scorer interface {
	Score(ctx context.Context, r server.Request) ([]server.Result, error)
	StandIn(r *server.Result) float64
	HasTask(id string) bool
	CheckItems(items int) error
}

type request struct {
	Query   []string       `json:"query"`
	Prompts []string       `json:"prompts"`
	Labels  []prompt.Label `json:"labels"`
}

type response struct {
	Rewards   []float64            `json:"rewards"`
	Scores    []float64            `json:"scores"`     // from 0 to 1, for dynamic filtering
	ExtraLogs map[string][]float64 `json:"extra_logs"` // numbers only: they become tensors
}

// Handler serves /get_reward.
func Handler(s Scorer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /get_reward", func(w http.ResponseWriter, r *http.Request) {
		out, err := getReward(s, r)
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Reply(w, out)
	})
	return mux
}

func getReward(s Scorer, r *http.Request) (*response, error) {
	var in request
	if err := server.Decode(r, &in); err != nil {
		return nil, err
	}
	fallback, err := prompt.ReadFallback(r.URL.Query())
	if err == nil {
		err = s.CheckItems(len(in.Query))
	}
	if err != nil {
		return nil, err
	}
	req := server.Request{
		Recipe: r.URL.Query().Get("recipe"), Client: server.Client(r, r.URL.Query().Get("client")), Deadline: Deadline, Hold: true,
	}
	for i, query := range in.Query {
		asked := at(in.Prompts, i)
		req.Items = append(req.Items, at(in.Labels, i).About(asked, s.HasTask).Item(prompt.Answered(query, asked), asked))
	}
	results, err := s.Score(r.Context(), req)
	if err != nil {
		return nil, err
	}
	out := &response{Rewards: []float64{}, Scores: []float64{}, ExtraLogs: map[string][]float64{}}
	for i := range results {
		if p := results[i].Blame(); p != nil {
			return nil, p
		}
		out.add(&results[i], standIn(s, fallback, &results[i]))
	}
	return out, nil
}

func at[T any](list []T, i int) (v T) {
	if i < len(list) {
		return list[i]
	}
	return v
}

// standIn is what stands in for a reward that there is not: the mean, unless a number
// is asked for.
func standIn(s Scorer, fallback prompt.Fallback, result *server.Result) float64 {
	if fallback.Value != nil {
		return *fallback.Value
	}
	return s.StandIn(result)
}

// add appends one result: the same keys for every one of a recipe.
func (out *response) add(r *server.Result, fallback float64) {
	value, failed := fallback, 1.0
	if r.Reward != nil {
		value, failed = *r.Reward, 0
	}
	log := func(key string, v float64) { out.ExtraLogs[key] = append(out.ExtraLogs[key], v) }
	out.Rewards, out.Scores = append(out.Rewards, value), append(out.Scores, r.Unit)
	log("infra_error", failed)
	log("rendered", map[bool]float64{true: 1}[r.Outcome == vitrine.OutcomeRendered])
	for name, v := range r.Parts {
		log("part_"+name, v)
	}
}
