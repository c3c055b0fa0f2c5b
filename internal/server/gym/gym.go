// Package gym speaks the protocol of NeMo Gym's resource servers, which NeMo RL,
// verl's recipe nemo_gym and the verifiers' taskset nemo_gym use:
//
//	"resources_url": "http://HOST:7400/gym"
//
//	POST /seed_session       → {}
//	POST /verify {"responses_create_params", "response", …row} → the row with reward, reward_components and figures
//	POST /aggregate_metrics {"verify_responses"} → means over all and for each task
//
// The answer that is judged is the text of the response's last message; the task is
// the row's task_id or instruction, else what the user asked last.
//
// The protocol wants a number. What could not be judged has reward 0 as its
// convention is, with mask_sample true, failure_kind, failure_reason and
// _ng_failure_class, by which it is left out; infra_error is 1.
package gym

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"vitrine"
	"vitrine/internal/server"
	"vitrine/internal/server/prompt"
)

// Deadline of a request: the verifiers wait 60 s.
const Deadline = 45 * time.Second

// A Scorer scores.
type Scorer interface {
	Score(ctx context.Context, r server.Request) ([]server.Result, error)
}

// Handler serves the three addresses.
func Handler(s Scorer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /seed_session", func(w http.ResponseWriter, _ *http.Request) { server.Reply(w, struct{}{}) })
	mux.HandleFunc("POST /verify", func(w http.ResponseWriter, r *http.Request) { reply(w, func() (any, error) { return verify(s, r) }) })
	mux.HandleFunc("POST /aggregate_metrics", func(w http.ResponseWriter, r *http.Request) { reply(w, func() (any, error) { return aggregate(r) }) })
	return mux
}

func reply(w http.ResponseWriter, do func() (any, error)) {
	out, err := do()
	if err != nil {
		server.Fail(w, err)
		return
	}
	server.Reply(w, out)
}

// A row is what counts of a request; all of it is echoed.
type row struct {
	prompt.Label
	Params struct {
		Input prompt.Text `json:"input"`
	} `json:"responses_create_params"`
	Response struct {
		Output []struct {
			Type    string          `json:"type"`
			Content json.RawMessage `json:"content"`
		} `json:"output"`
	} `json:"response"`
}

// UnmarshalJSON keeps the label's own way of reading from taking the whole row.
func (r *row) UnmarshalJSON(b []byte) error {
	if err := r.Label.UnmarshalJSON(b); err != nil {
		return err
	}
	rest := struct {
		Params   any `json:"responses_create_params"`
		Response any `json:"response"`
	}{&r.Params, &r.Response}
	return json.Unmarshal(b, &rest)
}

// answer is the text of the last message.
func (r *row) answer() (text string) {
	for _, item := range r.Response.Output {
		if item.Type != "message" && item.Type != "" {
			continue
		}
		text = prompt.Content(item.Content)
	}
	return text
}

func verify(s Scorer, r *http.Request) (any, error) {
	var body json.RawMessage
	if err := server.Decode(r, &body); err != nil {
		return nil, err
	}
	var in row
	echo := map[string]any{}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, server.Invalid(err)
	}
	if err := json.Unmarshal(body, &echo); err != nil {
		return nil, server.Invalid(err)
	}
	query := r.URL.Query()
	results, err := s.Score(r.Context(), server.Request{
		Recipe: query.Get("recipe"), Client: server.Client(r, query.Get("client")), Deadline: Deadline, Hold: true,
		Items: []server.Item{in.Item(in.answer(), string(in.Params.Input))},
	})
	if err != nil {
		return nil, err
	}
	result := &results[0]
	if p := result.Blame(); p != nil {
		return nil, p
	}
	for _, key := range []string{"responses_create_params", "response"} {
		if _, there := echo[key]; !there {
			echo[key] = map[string]any{} // clients take both away again
		}
	}
	for key, v := range verdict(result) {
		echo[key] = v
	}
	return echo, nil
}

// verdict is what is added to a row: always the same keys for one recipe, but for
// those that mark a failure.
func verdict(r *server.Result) map[string]any {
	out := map[string]any{
		"reward": 0.0, "score": r.Unit, "reward_components": r.Parts, "infra_error": 0, "rendered": 0, "mask_sample": false,
	}
	if r.Outcome == vitrine.OutcomeRendered {
		out["rendered"] = 1
	}
	if r.Reward != nil {
		out["reward"] = *r.Reward
		return out
	}
	out["infra_error"], out["mask_sample"] = 1, true
	out["_ng_failure_class"], out["failure_kind"], out["failure_reason"] = "judge_failed", "vitrine:"+string(r.Error.Code), r.Error.Message
	return out
}
