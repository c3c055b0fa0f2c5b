package server

import (
	"encoding/json"

	"vitrine"
	"vitrine/internal/queue"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
)

// A Result is the answer to one item: a line of samples.jsonl, with addresses in
// place of folders.
type Result struct {
	ID        string                     `json:"id"`
	TaskID    string                     `json:"task_id"`
	Model     string                     `json:"model"`
	GroupID   string                     `json:"group_id"`
	Kind      vitrine.Kind               `json:"kind,omitempty"`
	Status    vitrine.SampleStatus       `json:"status" enum:"scored,unjudged"`
	Outcome   vitrine.Outcome            `json:"outcome" doc:"what became of the site; empty if unjudged"`
	Reward    *float64                   `json:"reward" doc:"null if, and only if, it could not be judged; then error says why"`
	Recipe    string                     `json:"recipe" doc:"name@hash"`
	Profile   vitrine.Profile            `json:"profile,omitempty" doc:"reading of the papers by which models judged, published or vitrine; left out if no worker took the item"`
	Parts     map[string]float64         `json:"parts" doc:"always the same keys for one recipe"`
	Gate      string                     `json:"gate,omitempty"`
	Fallbacks []vitrine.Fallback         `json:"fallbacks,omitempty"`
	Scores    map[string]float64         `json:"scores,omitempty"`
	Findings  []vitrine.Finding          `json:"findings,omitempty" doc:"only if they are asked for"`
	Why       string                     `json:"why,omitempty"`
	Error     *vitrine.Fault             `json:"error"`
	Evidence  string                     `json:"evidence" doc:"address of the evidence, empty if there is none"`
	Frames    []string                   `json:"frames" doc:"addresses of the screenshots"`
	Feedback  string                     `json:"feedback,omitempty" doc:"what to mend, in words"`
	TimingMS  vitrine.Timing             `json:"timing_ms"`
	Cost      vitrine.Cost               `json:"cost"`
	Cached    vitrine.Cached             `json:"cached"`
	Attempt   int                        `json:"attempt"`
	Meta      map[string]json.RawMessage `json:"meta,omitempty"`

	// Unit is the reward on a scale from 0 to 1, by the range of the recipe; cut off
	// where it has no bound. For trainers that want it so.
	Unit float64 `json:"-"`
}

// resultOf is the answer to an item from that to its job.
func resultOf(item *Item, recipe *reward.Recipe, r queue.Result, findings bool) Result {
	s := r.Sample
	out := named(item, Result{
		Kind: s.Kind, Status: s.Status, Outcome: s.Outcome, Reward: s.Reward, Recipe: recipe.ID(), Profile: s.Profile, Parts: s.Parts, Gate: s.Gate, Fallbacks: s.Fallbacks,
		Scores: s.Scores, Why: s.Why, Error: s.Error, Frames: []string{}, Feedback: refine.Said(&s),
		TimingMS: s.TimingMS, Cost: s.Cost, Cached: s.Cached, Attempt: max(r.Tries, 1),
	})
	if findings {
		out.Findings = s.Findings
	}
	if r.Evidence != "" {
		out.Evidence = "/v1/evidence/" + r.Evidence + "/"
		for _, f := range r.Frames {
			out.Frames = append(out.Frames, "/v1/frames/"+f.SHA256+".png?of="+r.Evidence)
		}
	}
	return complete(out, recipe)
}

// unjudged is the answer to an item that nobody judged.
func unjudged(item *Item, recipe *reward.Recipe, fault *vitrine.Fault) Result {
	return complete(named(item, Result{
		Status: vitrine.SampleUnjudged, Recipe: recipe.ID(), Error: fault, Frames: []string{}, Cost: vitrine.Free(), Attempt: 1,
	}), recipe)
}

func named(item *Item, r Result) Result {
	r.ID, r.TaskID, r.Model, r.GroupID, r.Meta = string(item.ID), string(item.TaskID), item.Model, string(item.GroupID), item.Meta
	return r
}

// complete gives a result all parts of its recipe: trainers make columns of them.
// A reward and a fault exclude each other, whatever a worker sent.
func complete(r Result, recipe *reward.Recipe) Result {
	parts := map[string]float64{}
	for _, name := range recipe.PartNames() {
		parts[name] = r.Parts[name]
	}
	r.Parts = parts
	if r.Status == vitrine.SampleScored && r.Reward != nil {
		r.Error, r.Unit = nil, unit(recipe, *r.Reward)
		return r
	}
	r.Status, r.Reward, r.Outcome = vitrine.SampleUnjudged, nil, ""
	if r.Error == nil {
		r.Error = vitrine.NewFault("server", vitrine.FaultInternal, nil, "a worker answered without a reward and without a cause")
	}
	return r
}

// unit brings a reward to the scale from 0 to 1.
func unit(recipe *reward.Recipe, v float64) float64 {
	lo, hi := recipe.Range()
	if lo != nil && hi != nil && *hi > *lo {
		v = (v - *lo) / (*hi - *lo)
	}
	return min(max(v, 0), 1)
}

// Blame is the problem of a result that could not be judged because of what was
// asked; nil for any other. Protocols that cannot say null refuse such a request,
// so that a trainer that is set up wrongly stops.
func (r *Result) Blame() *Problem {
	if r.Error == nil || r.Error.Code != vitrine.FaultUnknownTask && r.Error.Code != vitrine.FaultInvalidInput && r.Error.Code != vitrine.FaultUsage {
		return nil
	}
	return problemOf(r.Error)
}
