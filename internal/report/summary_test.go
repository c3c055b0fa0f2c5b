package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/runs"
)

// four are small enough to count by hand: rewards 1, 2 and 6 and one unjudged.
func four() []vitrine.Sample {
	finding := func(check string, score float64) vitrine.Finding {
		return vitrine.Finding{Check: check, Status: vitrine.StatusScored, Score: num(score)}
	}
	fallback := []vitrine.Fallback{{Part: "looks", Wanted: "vision.total", Used: "measured.total", Why: "no model"}}
	return []vitrine.Sample{
		{
			ID: "a", Model: "m1", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: num(1), Fallbacks: fallback,
			Findings: []vitrine.Finding{finding("contrast", 0.2), {Check: "axe", Status: vitrine.StatusNotApplicable}, {Check: "grid", Status: vitrine.StatusNotApplicable}},
			TimingMS: vitrine.Timing{Parse: 1, Build: 10, Capture: 100}, Cost: vitrine.Cost{USD: num(0.5), TokensIn: 10, TokensOut: 3},
		},
		{
			ID: "b", Model: "m1", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: num(2), Fallbacks: fallback,
			Findings: []vitrine.Finding{finding("contrast", 0.6), finding("axe", 0.1)},
			TimingMS: vitrine.Timing{Parse: 3, Build: 30, Capture: 5, Judge: 1}, Cached: vitrine.Cached{Capture: true, Judge: true}, Cost: vitrine.Cost{USD: num(0.25), TokensIn: 5},
		},
		{
			ID: "c", Model: "m2", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeBuildFailed, Reward: num(6), Gate: "build.ok is 0",
			Findings: []vitrine.Finding{{Check: "axe", Status: vitrine.StatusFailed}},
			TimingMS: vitrine.Timing{Parse: 2}, Cost: vitrine.Free(),
		},
		{
			ID: "d", Model: "m2", Status: vitrine.SampleUnjudged, Outcome: vitrine.OutcomeRendered,
			Findings: []vitrine.Finding{finding("contrast", 0)}, // does not count
			Error:    vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "it died").WithFix("again"),
			TimingMS: vitrine.Timing{Parse: 4}, Cost: vitrine.Free(),
		},
	}
}

func TestSummarizeCountsExactly(t *testing.T) {
	t.Parallel()
	h := runs.Header{Recipe: "r@1", InputErrors: []runs.InputError{{Line: 1}, {Line: 2}}}
	// Of the 27 draws of three from 1, 2 and 6, one has the mean 1 and one the mean 6:
	// each is more than 2.5 % of all.
	want := Summary{
		Recipe: "r@1", Samples: 4, Scored: 3, Unjudged: 1,
		Outcomes: map[vitrine.Outcome]int{"rendered": 2, "invalid_render": 0, "build_failed": 1, "no_artifact": 0},
		VRR:      num(2. / 3),
		Reward:   Mean{Mean: num(3), Low: num(1), High: num(6), Interval: interval, N: 3, Unjudged: 1},
		Models: []ModelMean{
			{Model: "m2", VRR: num(0), Reward: Mean{Mean: num(6), N: 1, Unjudged: 1}},
			{Model: "m1", VRR: num(1), Reward: Mean{Mean: num(1.5), Low: num(1), High: num(2), Interval: interval, N: 2}},
		},
		Checks: []CheckMean{
			{Check: "axe", Mean: num(0.1), N: 1, NotApplicable: 1, Failed: 1},
			{Check: "contrast", Mean: num(0.4), N: 2},
			{Check: "grid", NotApplicable: 1},
		},
		Stages: []StageTime{
			{Stage: "parse", N: 4, MeanMS: 2.5, P50MS: 2, P95MS: 4},
			{Stage: "build", N: 2, MeanMS: 20, P50MS: 10, P95MS: 30},
			{Stage: "capture", N: 1, Cached: 1, MeanMS: 100, P50MS: 100, P95MS: 100},
			{Stage: "interact"},
			{Stage: "judge", Cached: 1},
		},
		CacheHits:   CacheHits{Capture: 1, Judge: 1},
		Gates:       []GateCount{{"build.ok is 0", 1}},
		Fallbacks:   []FallbackUse{{vitrine.Fallback{Part: "looks", Wanted: "vision.total", Used: "measured.total", Why: "no model"}, 2}},
		InputErrors: 2,
		Errors:      []ErrorCount{{Stage: "capture", Code: "browser_crashed", N: 1, Message: "it died", Fix: "again"}},
		Cost:        vitrine.Cost{USD: num(0.75), TokensIn: 15, TokensOut: 3},
	}
	if diff := cmp.Diff(want, Summarize(h, four()), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestSummarizeOfNothing(t *testing.T) {
	t.Parallel()
	s := Summarize(runs.Header{}, nil)
	if s.VRR != nil || s.Reward.Mean != nil || s.Reward.Low != nil || s.Samples != 0 {
		t.Errorf("got %+v, want no means at all", s)
	}
}

func TestIntervalsStayInsideTheScale(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 0))
	for range 300 {
		scale := span{-1 - 4*random.Float64(), 1 + 4*random.Float64()}
		values := make([]float64, random.IntN(12))
		for i := range values {
			values[i] = scale.Low + (scale.High-scale.Low)*random.Float64()
			if random.IntN(3) == 0 { // rewards often lie at an end of the scale
				values[i] = []float64{scale.Low, scale.High}[random.IntN(2)]
			}
		}
		m := meanOf(values, 0)
		if diff := cmp.Diff(m, meanOf(slices.Clone(values), 0)); diff != "" {
			t.Fatalf("the same rewards have two intervals:\n%s", diff)
		}
		if len(values) < 2 {
			if m.Low != nil || m.High != nil || m.Interval != "" || (m.Mean != nil) != (len(values) == 1) {
				t.Fatalf("%v: %+v, want no interval", values, m)
			}
			continue
		}
		least, most := slices.Min(values), slices.Max(values)
		if !(least <= *m.Low && *m.Low <= *m.Mean && *m.Mean <= *m.High && *m.High <= most) || m.Interval == "" {
			t.Fatalf("%v: the mean %v lies in %v to %v", values, *m.Mean, *m.Low, *m.High)
		}
	}
}

// On many rewards the bootstrap is as wide as the normal interval, 2 · 1.96 · s/√n.
func TestIntervalIsAsWideAsItShouldBe(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 0))
	values := make([]float64, 400)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	m := meanOf(values, 0)
	if width := *m.High - *m.Low; math.Abs(width-2*1.96/20) > 0.02 {
		t.Errorf("the interval is %.3f wide, want about 0.196", width)
	}
}

const wantText = `r@1: 4 samples, 3 scored, 1 unjudged, 2 input errors

  VRR          66.7 %    2 of 3 scored are rendered (1 unjudged left out)
  mean reward  3.000     95 % CI 1.000 to 6.000 (bootstrap), n 3 (1 unjudged left out)
  outcomes     rendered 2, invalid_render 0, build_failed 1, no_artifact 0
  cache hits   build 0, capture 1, judge 1
  cost         $0.7500, 15 tokens in, 3 out

  model                             VRR      mean  95 % bootstrap CI           n  unjudged
  m2                              0.0 %     6.000  no interval                 1         1
  m1                            100.0 %     1.500  1.000 to 2.000              2         0

  lowest checks                    mean         n  (1 unjudged left out)
  axe                             0.100         1
  contrast                        0.400         2

  stage, milliseconds              mean       p50       p95         n    cached
  parse                             2.5       2.0       4.0         4         0
  build                            20.0      10.0      30.0         2         0
  capture                         100.0     100.0     100.0         1         1
  judge                               -         -         -         0         1

  unjudged, because of
       1  capture browser_crashed: it died

  fallbacks used
       2  looks: measured.total in place of vision.total
`

func TestText(t *testing.T) {
	t.Parallel()
	h := runs.Header{Recipe: "r@1", InputErrors: []runs.InputError{{Line: 1}, {Line: 2}}}
	var out strings.Builder
	Text(&out, Summarize(h, four()))
	if diff := cmp.Diff(wantText, out.String()); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestTextOfMuchIsShortAndASCII(t *testing.T) {
	t.Parallel()
	var samples []vitrine.Sample
	for i := range 40 {
		s := sample(i)
		s.Model = strings.Repeat("\x1b[31m漢\n", 1+i%20)
		s.Cost.USD = num(1)
		for c := range 9 {
			s.Findings = append(s.Findings, vitrine.Finding{Check: "check" + strings.Repeat("x", c*9), Status: vitrine.StatusScored, Score: num(0)})
			s.Fallbacks = append(s.Fallbacks, vitrine.Fallback{Part: strings.Repeat("p", c+1), Used: "\x00"})
		}
		s.TimingMS.Interact = 1
		if s.Error != nil {
			s.Error.Stage = strings.Repeat("s", i+1)
		}
		samples = append(samples, s)
	}
	var out strings.Builder
	Text(&out, Summarize(header(), samples))
	if lines := strings.Count(out.String(), "\n"); lines > 40 {
		t.Errorf("%d lines, want at most 40:\n%s", lines, out.String())
	}
	for _, c := range out.String() {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("%q is not plain:\n%s", c, out.String())
		}
	}
}
