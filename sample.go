package vitrine

import "encoding/json"

// Outcome says what became of the site.
type Outcome string

// The outcomes of a site. Each is data: the sample is scored.
const (
	OutcomeRendered      Outcome = "rendered"
	OutcomeInvalidRender Outcome = "invalid_render"
	OutcomeBuildFailed   Outcome = "build_failed"
	OutcomeNoArtifact    Outcome = "no_artifact"
)

// SampleStatus says whether a sample has a reward.
type SampleStatus string

// The states of a sample.
const (
	SampleScored   SampleStatus = "scored"
	SampleUnjudged SampleStatus = "unjudged"
)

// A Sample is one line of samples.jsonl: a finished sample.
type Sample struct {
	ID        string                     `json:"id"`
	TaskID    string                     `json:"task_id"`
	Model     string                     `json:"model"`
	GroupID   string                     `json:"group_id,omitempty"`
	Kind      Kind                       `json:"kind,omitempty"`
	Status    SampleStatus               `json:"status"`
	Outcome   Outcome                    `json:"outcome"` // empty if unjudged
	Reward    *float64                   `json:"reward"`  // nil unless Status is SampleScored
	Recipe    string                     `json:"recipe"`
	Profile   Profile                    `json:"profile"` // by which models judge and exercise
	Parts     map[string]float64         `json:"parts"`
	Gate      string                     `json:"gate,omitempty"`
	Fallbacks []Fallback                 `json:"fallbacks,omitempty"`
	Scores    map[string]float64         `json:"scores,omitempty"`
	Findings  []Finding                  `json:"findings"`
	Feedback  string                     `json:"feedback,omitempty"` // what a model that looked says to mend
	Why       string                     `json:"why,omitempty"`      // one sentence on the outcome
	Error     *Fault                     `json:"error"`
	Evidence  string                     `json:"evidence"` // folder, relative to the run; empty if unjudged
	TimingMS  Timing                     `json:"timing_ms"`
	Cost      Cost                       `json:"cost"`
	Cached    Cached                     `json:"cached"`
	Attempt   int                        `json:"attempt"`
	Meta      map[string]json.RawMessage `json:"meta,omitempty"`
}

// Timing is how long each stage took, in milliseconds.
type Timing struct {
	Parse    float64 `json:"parse"`
	Build    float64 `json:"build"`
	Capture  float64 `json:"capture"`
	Interact float64 `json:"interact"`
	Judge    float64 `json:"judge"`
}

// Cached says which stages were answered from the cache.
type Cached struct {
	Build   bool `json:"build"`
	Capture bool `json:"capture"`
	Judge   bool `json:"judge"`
}
