package report

import (
	"vitrine"
	"vitrine/internal/runs"
)

// An overview is what templates/report.html shows.
type overview struct {
	Title      string
	Tool       string
	Header     runs.Header
	Summary    Summary
	Recipe     recipe
	Scale      span
	Known      bool // the scale is the recipe's, not just that of the rewards
	Digits     int  // decimals of a reward
	Took       string
	Outcomes   []slice
	Rendered   int
	Histogram  *histogram
	GateHits   map[string]int // rewards that name a gate, by its condition
	InputShown []runs.InputError
	Samples    []listed
}

// A slice is one outcome of the stacked bar, in percent of all samples.
type slice struct {
	Key     string
	N       int
	X, W    float64
	Percent float64
}

// A listed sample is one line of the list for readers without scripts.
type listed struct {
	Page, ID, Outcome string
	Reward            *float64
}

// worstChecks is how many checks are shown at once.
const worstChecks = 12

// WorstChecks are the checks that are always in sight.
func (o overview) WorstChecks() []CheckMean {
	return o.Summary.Checks[:min(len(o.Summary.Checks), worstChecks)]
}

// OtherChecks are the rest.
func (o overview) OtherChecks() []CheckMean { return o.Summary.Checks[len(o.WorstChecks()):] }

// maxInputErrors bounds the lines shown; their number is always shown.
const maxInputErrors = 50

func (r *run) overview() overview {
	h := r.header
	o := overview{
		Title: r.name(), Tool: vitrine.Version, Header: h, Summary: Summarize(h, r.samples), Recipe: r.recipe, Digits: r.digits(),
		GateHits: map[string]int{}, InputShown: h.InputErrors[:min(len(h.InputErrors), maxInputErrors)],
	}
	o.Scale, o.Known = r.scale()
	if h.Finished != nil {
		o.Took = milliseconds(float64(h.Finished.Sub(h.Started).Milliseconds()))
	}
	o.Outcomes, o.Rendered = slices100(o.Summary), o.Summary.Outcomes[vitrine.OutcomeRendered]
	o.Histogram = newHistogram(r.rewards(), o.Scale)
	for _, g := range o.Summary.Gates {
		o.GateHits[g.Gate] = g.N
	}
	for i := range r.samples {
		s := &r.samples[i]
		o.Samples = append(o.Samples, listed{Page: link(reportFolder, samplesFolder, pageName(s.ID)), ID: s.ID, Outcome: outcomeOf(s), Reward: s.Reward})
	}
	return o
}

// digits is how many decimals tell two rewards apart on the recipe's scale.
func (r *run) digits() int {
	if s, _ := r.scale(); s.High-s.Low > 10 {
		return 1
	}
	return 2
}

// scale is the recipe's range, else that of the rewards.
func (r *run) scale() (span, bool) {
	if s, ok := r.recipe.scale(); ok {
		return s, true
	}
	values := r.rewards()
	if len(values) == 0 {
		return span{0, 1}, false
	}
	s := span{values[0], values[0]}
	for _, v := range values {
		s = s.with(v)
	}
	return s, false
}

func (r *run) rewards() []float64 {
	var values []float64
	for i := range r.samples {
		if judged(&r.samples[i]) {
			values = append(values, *r.samples[i].Reward)
		}
	}
	return values
}

// slices100 lays the outcomes and the unjudged side by side.
func slices100(s Summary) []slice {
	var out []slice
	x := 0.0
	add := func(key string, n int) {
		if s.Samples > 0 {
			w := float64(n) / float64(s.Samples)
			out = append(out, slice{key, n, x * 100, w * 100, w})
			x += w
		}
	}
	for _, o := range outcomes {
		add(string(o), s.Outcomes[o])
	}
	add(unjudged, s.Unjudged)
	return out
}
