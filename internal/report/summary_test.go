package report

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"vitrine"
	"vitrine/internal/store"
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
	h := store.Header{Recipe: "r@1", InputErrors: []store.InputError{{Line: 1}, {Line: 2}}}
	// Mean 3, variance (4+1+9)/2 = 7, standard error √(7/3), t(0.975, 2) = 4.3027.
	half := 4.3027 * math.Sqrt(7./3)
	want := Summary{
		Recipe: "r@1", Samples: 4, Scored: 3, Unjudged: 1,
		Outcomes: map[vitrine.Outcome]int{"rendered": 2, "invalid_render": 0, "build_failed": 1, "no_artifact": 0},
		VRR:      num(2. / 3),
		Reward:   Mean{Mean: num(3), Low: num(3 - half), High: num(3 + half), N: 3, Unjudged: 1},
		Models: []ModelMean{
			{Model: "m2", VRR: num(0), Reward: Mean{Mean: num(6), N: 1, Unjudged: 1}},
			// Mean 1.5, variance 0.5, standard error 0.5, t(0.975, 1) = 12.7062.
			{Model: "m1", VRR: num(1), Reward: Mean{Mean: num(1.5), Low: num(1.5 - 6.3531), High: num(1.5 + 6.3531), N: 2}},
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
	s := Summarize(store.Header{}, nil)
	if s.VRR != nil || s.Reward.Mean != nil || s.Reward.Low != nil || s.Samples != 0 {
		t.Errorf("got %+v, want no means at all", s)
	}
}

func TestStudentQuantileAgreesWithTheTables(t *testing.T) {
	t.Parallel()
	table := map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 9: 2.262, 19: 2.093, 29: 2.045, 99: 1.984, 999: 1.962, 1000000: 1.960}
	for df, want := range table {
		if got := studentT975(df); math.Abs(got-want) > 6e-4 {
			t.Errorf("t(0.975, %d) = %.4f, want %.3f", df, got, want)
		}
	}
}

const wantText = `r@1: 4 samples, 3 scored, 1 unjudged, 2 input errors

  VRR          66.7 %    2 of 3 scored are rendered (1 unjudged left out)
  mean reward  3.000     95 % CI -3.572 to 9.572, n 3 (1 unjudged left out)
  outcomes     rendered 2, invalid_render 0, build_failed 1, no_artifact 0
  cache hits   build 0, capture 1, judge 1
  cost         $0.7500, 15 tokens in, 3 out

  model                             VRR      mean  95 % CI                     n  unjudged
  m2                              0.0 %     6.000  no interval                 1         1
  m1                            100.0 %     1.500  -4.853 to 7.853             2         0

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
	h := store.Header{Recipe: "r@1", InputErrors: []store.InputError{{Line: 1}, {Line: 2}}}
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
