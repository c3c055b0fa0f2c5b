package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"vitrine"
)

func checkMeans(scored []vitrine.Sample) []CheckMean {
	by := map[string]*CheckMean{}
	sums := map[string]float64{}
	for _, s := range scored {
		for _, f := range s.Findings {
			c := by[f.Check]
			if c == nil {
				c = &CheckMean{Check: f.Check}
				by[f.Check] = c
			}
			switch {
			case f.Status == vitrine.StatusScored && f.Score != nil:
				c.N++
				sums[f.Check] += *f.Score
			case f.Status == vitrine.StatusNotApplicable:
				c.NotApplicable++
			default:
				c.Failed++
			}
		}
	}
	out := make([]CheckMean, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		c := by[name]
		if c.N > 0 {
			mean := sums[name] / float64(c.N)
			c.Mean = &mean
		}
		out = append(out, *c)
	}
	slices.SortStableFunc(out, func(a, b CheckMean) int {
		if (a.N == 0) != (b.N == 0) {
			return cmp.Compare(b.N, a.N) // no score at all comes last
		}
		return comparePtr(a.Mean, b.Mean)
	})
	return out
}

func stageTimes(samples []vitrine.Sample) []StageTime {
	stages := []struct {
		name   string
		time   func(*vitrine.Sample) float64
		cached func(*vitrine.Sample) bool
	}{
		{"parse", func(s *vitrine.Sample) float64 { return s.TimingMS.Parse }, func(*vitrine.Sample) bool { return false }},
		{"build", func(s *vitrine.Sample) float64 { return s.TimingMS.Build }, func(s *vitrine.Sample) bool { return s.Cached.Build }},
		{"capture", func(s *vitrine.Sample) float64 { return s.TimingMS.Capture }, func(s *vitrine.Sample) bool { return s.Cached.Capture }},
		{"interact", func(s *vitrine.Sample) float64 { return s.TimingMS.Interact }, func(*vitrine.Sample) bool { return false }},
		{"judge", func(s *vitrine.Sample) float64 { return s.TimingMS.Judge }, func(s *vitrine.Sample) bool { return s.Cached.Judge }},
	}
	out := make([]StageTime, 0, len(stages))
	for _, stage := range stages {
		var times []float64
		cached := 0
		for i := range samples {
			s := &samples[i]
			switch t := stage.time(s); {
			case stage.cached(s):
				cached++
			case t > 0:
				times = append(times, t)
			}
		}
		out = append(out, stageTime(stage.name, times, cached))
	}
	return out
}

func countErrors(samples []vitrine.Sample) []ErrorCount {
	type cause struct {
		stage string
		code  vitrine.FaultCode
	}
	t := tally[cause, ErrorCount]{}
	for i := range samples {
		s := &samples[i]
		if judged(s) {
			continue
		}
		e := s.Error
		if e == nil {
			e = vitrine.NewFault("", vitrine.FaultInternal, nil, "no cause was given")
		}
		t.add(cause{e.Stage, e.Code}, ErrorCount{Stage: e.Stage, Code: e.Code, Message: e.Message, Fix: e.Fix})
	}
	return ranked(t, func(c ErrorCount, n int) ErrorCount { c.N = n; return c })
}

func countGates(scored []vitrine.Sample) []GateCount {
	t := tally[string, GateCount]{}
	for _, s := range scored {
		if s.Gate != "" {
			t.add(s.Gate, GateCount{Gate: s.Gate})
		}
	}
	return ranked(t, func(c GateCount, n int) GateCount { c.N = n; return c })
}

func countFallbacks(scored []vitrine.Sample) []FallbackUse {
	t := tally[string, FallbackUse]{}
	for _, s := range scored {
		for _, f := range s.Fallbacks {
			t.add(strings.Join([]string{f.Part, f.Wanted, f.Used}, "\x00"), FallbackUse{Fallback: f})
		}
	}
	return ranked(t, func(c FallbackUse, n int) FallbackUse { c.N = n; return c })
}

// A tally counts things that are alike and keeps the first of each.
type tally[K comparable, V any] struct {
	order []K
	first map[K]V
	n     map[K]int
}

func (t *tally[K, V]) add(key K, v V) {
	if t.n == nil {
		t.first, t.n = map[K]V{}, map[K]int{}
	}
	if t.n[key] == 0 {
		t.order, t.first[key] = append(t.order, key), v
	}
	t.n[key]++
}

// ranked lists what was counted, most frequent first, else as it came.
func ranked[K comparable, V any](t tally[K, V], with func(V, int) V) []V {
	slices.SortStableFunc(t.order, func(a, b K) int { return t.n[b] - t.n[a] })
	var out []V
	for _, k := range t.order {
		out = append(out, with(t.first[k], t.n[k]))
	}
	return out
}
