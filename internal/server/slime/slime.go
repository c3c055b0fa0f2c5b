// Package slime speaks the protocol of slime's remote reward model, which miles has,
// too:
//
//	--rm-type remote_rm --rm-url http://HOST:7400/slime/rm --label-key task_id --reward-key reward
//
//	POST /rm {"prompt": text or messages, "response": text, "label": anything}
//	→ {"reward": 0.7, "score": 0.7, "rendered": 1, "part_looks": 0.7, …}   or, with ?scalar=1, 0.7
//
// A label is the id of a task, or JSON with task_id, instruction, group_id or kind;
// where it is neither, the prompt is what was asked. slime takes the answer as it is for the sample's reward, so what could not be
// judged is null; give slime a filter that drops such a group, such as
//
//	--dynamic-sampling-filter-path vitrine.slime.drop_infra
//
// or say ?fallback=mean, which gives the mean of what the same prompt's other
// outputs got, or ?fallback=-1, a number; with infra_error 1 beside it.
package slime

import (
	"context"
	"net/http"
	"time"

	"vitrine"
	"vitrine/internal/server"
	"vitrine/internal/server/prompt"
)

// Deadline of a request: slime waits 120 s, with the time until a connection is free.
const Deadline = 100 * time.Second

// A Scorer scores, and says what stands in for a reward that there is not.
type Scorer interface {
	Score(ctx context.Context, r server.Request) ([]server.Result, error)
	StandIn(r *server.Result) float64
	HasTask(id string) bool
}

type request struct {
	Prompt   prompt.Text  `json:"prompt"`
	Response string       `json:"response"`
	Label    prompt.Label `json:"label"`
}

// Handler serves /rm.
func Handler(s Scorer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /rm", func(w http.ResponseWriter, r *http.Request) {
		out, err := rm(s, r)
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Reply(w, out)
	})
	return mux
}

// rm is the answer to one request: a map, a number or nil.
func rm(s Scorer, r *http.Request) (any, error) {
	var in request
	if err := server.Decode(r, &in); err != nil {
		return nil, err
	}
	query := r.URL.Query()
	fallback, err := prompt.ReadFallback(query)
	if err != nil {
		return nil, err
	}
	item := in.Label.About(string(in.Prompt), s.HasTask).Item(in.Response, string(in.Prompt))
	results, err := s.Score(r.Context(), server.Request{
		Recipe: query.Get("recipe"), Client: server.Client(r, query.Get("client")), Deadline: Deadline, Hold: true, Items: []server.Item{item},
	})
	if err != nil {
		return nil, err
	}
	result := &results[0]
	if p := result.Blame(); p != nil {
		return nil, p
	}
	value, given := reward(s, result, fallback)
	switch {
	case !given:
		return nil, nil
	case query.Get("scalar") != "" && query.Get("scalar") != "0":
		return value, nil
	}
	return members(result, value), nil
}

// reward is that of a result, or what is to stand in for it; not given if nothing
// is.
func reward(s Scorer, r *server.Result, fallback prompt.Fallback) (value float64, given bool) {
	switch {
	case r.Reward != nil:
		return *r.Reward, true
	case fallback.Mean:
		return s.StandIn(r), true
	case fallback.Value != nil:
		return *fallback.Value, true
	}
	return 0, false
}

func members(r *server.Result, value float64) map[string]float64 {
	out := map[string]float64{"reward": value, "score": r.Unit, "infra_error": 0, "rendered": 0}
	if r.Reward == nil {
		out["infra_error"] = 1
	}
	if r.Outcome == vitrine.OutcomeRendered {
		out["rendered"] = 1
	}
	for name, v := range r.Parts {
		out["part_"+name] = v
	}
	return out
}
