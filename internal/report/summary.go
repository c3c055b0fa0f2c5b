package report

import (
	"cmp"
	"maps"
	"slices"

	"vitrine"
	"vitrine/internal/runs"
)

// A Summary is what a run comes to. Every mean leaves out the samples that could
// not be judged and says how many those were.
type Summary struct {
	Recipe   string `json:"recipe"`
	Samples  int    `json:"samples"`
	Scored   int    `json:"scored"`
	Unjudged int    `json:"unjudged"`
	// Outcomes counts the scored samples by outcome; every outcome is a key.
	Outcomes map[vitrine.Outcome]int `json:"outcomes"`
	// VRR is the valid render rate (WebGen-R1 §3): the share of scored samples
	// whose outcome is rendered. It is nil if nothing was scored.
	VRR         *float64      `json:"vrr"`
	Reward      Mean          `json:"reward"`
	Models      []ModelMean   `json:"models,omitempty"` // if there is more than one
	Checks      []CheckMean   `json:"checks"`           // worst mean first
	Stages      []StageTime   `json:"stages"`
	CacheHits   CacheHits     `json:"cache_hits"`
	Gates       []GateCount   `json:"gates,omitempty"`     // most frequent first
	Fallbacks   []FallbackUse `json:"fallbacks,omitempty"` // most frequent first
	InputErrors int           `json:"input_errors"`
	Errors      []ErrorCount  `json:"errors,omitempty"` // most frequent first
	Cost        vitrine.Cost  `json:"cost"`
}

// A ModelMean is the part of a summary that is about one model.
type ModelMean struct {
	Model  string   `json:"model"`
	VRR    *float64 `json:"vrr"`
	Reward Mean     `json:"reward"`
}

// A CheckMean is the mean score of one check over N scored samples that gave an
// occasion for it.
type CheckMean struct {
	Check         string   `json:"check"`
	Mean          *float64 `json:"mean"` // in [0,1]; nil if N is 0
	N             int      `json:"n"`
	NotApplicable int      `json:"not_applicable"`
	Failed        int      `json:"failed"`
}

// CacheHits counts the samples for which a stage was answered from the cache.
type CacheHits struct {
	Build   int `json:"build"`
	Capture int `json:"capture"`
	Judge   int `json:"judge"`
}

// A GateCount is how many scored samples a gate of the recipe decided on.
type GateCount struct {
	Gate string `json:"gate"`
	N    int    `json:"n"`
}

// A FallbackUse is how many scored samples a part of the reward was read from
// something else than what the recipe asks for.
type FallbackUse struct {
	vitrine.Fallback
	N int `json:"n"`
}

// An ErrorCount is one cause of unjudged samples, with the words of the first
// sample it happened to.
type ErrorCount struct {
	Stage   string            `json:"stage"`
	Code    vitrine.FaultCode `json:"code"`
	N       int               `json:"n"`
	Message string            `json:"message"`
	Fix     string            `json:"fix,omitempty"`
}

var outcomes = []vitrine.Outcome{
	vitrine.OutcomeRendered, vitrine.OutcomeInvalidRender, vitrine.OutcomeBuildFailed, vitrine.OutcomeNoArtifact,
}

// judged reports whether a sample counts in means.
func judged(s *vitrine.Sample) bool { return s.Status == vitrine.SampleScored && s.Reward != nil }

// Summarize counts. samples holds each sample once.
func Summarize(h runs.Header, samples []vitrine.Sample) Summary {
	s := Summary{
		Recipe: h.Recipe, Samples: len(samples), Outcomes: map[vitrine.Outcome]int{},
		Stages: stageTimes(samples), InputErrors: len(h.InputErrors), Errors: countErrors(samples), Cost: vitrine.Free(),
	}
	for _, o := range outcomes {
		s.Outcomes[o] = 0
	}
	var scored []vitrine.Sample
	for _, x := range samples {
		s.countCost(&x)
		if judged(&x) {
			s.Outcomes[x.Outcome]++
			scored = append(scored, x)
		}
	}
	s.Scored, s.Unjudged = len(scored), len(samples)-len(scored)
	s.VRR, s.Reward = renderRate(samples), meanReward(samples)
	s.Models, s.Checks = modelMeans(samples), checkMeans(scored)
	s.Gates, s.Fallbacks = countGates(scored), countFallbacks(scored)
	return s
}

func (s *Summary) countCost(x *vitrine.Sample) {
	s.Cost = s.Cost.Plus(x.Cost)
	s.CacheHits.Build += one(x.Cached.Build)
	s.CacheHits.Capture += one(x.Cached.Capture)
	s.CacheHits.Judge += one(x.Cached.Judge)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func renderRate(samples []vitrine.Sample) *float64 {
	var rendered, scored int
	for i := range samples {
		if judged(&samples[i]) {
			scored++
			rendered += one(samples[i].Outcome == vitrine.OutcomeRendered)
		}
	}
	if scored == 0 {
		return nil
	}
	rate := float64(rendered) / float64(scored)
	return &rate
}

func meanReward(samples []vitrine.Sample) Mean {
	var values []float64
	for i := range samples {
		if judged(&samples[i]) {
			values = append(values, *samples[i].Reward)
		}
	}
	return meanOf(values, len(samples)-len(values))
}

// modelMeans is empty for a run of one model: its means are those of the run.
func modelMeans(samples []vitrine.Sample) []ModelMean {
	by := map[string][]vitrine.Sample{}
	for _, s := range samples {
		by[s.Model] = append(by[s.Model], s)
	}
	if len(by) < 2 {
		return nil
	}
	var out []ModelMean
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, ModelMean{name, renderRate(by[name]), meanReward(by[name])})
	}
	slices.SortStableFunc(out, func(a, b ModelMean) int { return -comparePtr(a.Reward.Mean, b.Reward.Mean) })
	return out
}

// comparePtr orders nil before every number.
func comparePtr(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}
