package answers

import (
	"math"
	"slices"

	"vitrine/internal/stats"
)

// Judges are the figures of each judge against what people say, of the questions of these
// kinds (all, if none is named), over the items of which that is settled: of all of them,
// then of each category. The seed is that of the intervals.
func Judges(s *Set, kinds []Kind, judges []string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		if len(kinds) > 0 && !slices.Contains(kinds, all.q.kind) {
			return
		}
		for _, judge := range all.judges(judges) {
			asked := all.only(func(i *item) bool {
				_, ok := i.first(judge)
				return ok && i.Attacked == "" // attacks are figures of their own
			})
			if len(asked.items) == 0 {
				continue
			}
			asked.of = judge
			asked.price()
			settled := asked.only(func(i *item) bool { return i.truth() != nil })
			if len(settled.items) == 0 {
				asked.position()
				continue
			}
			settled.against()
			settled.position()
			settled.length()
			settled.calibration()
			for _, category := range settled.categories() {
				one := settled.only(func(i *item) bool { return i.Category == category })
				one.category = category
				one.against()
			}
		}
	})
}

func (s *scope) categories() (names []string) {
	for _, i := range s.items {
		if i.Category != "" && !slices.Contains(names, i.Category) {
			names = append(names, i.Category)
		}
	}
	slices.Sort(names)
	return names
}

// verdict is what a judge says of an item: of a pair that it was asked in both orders, the
// verdict on which both agree, else tie (WebDevJudge D.1). Nil where it could not say.
func (i *item) verdict(judge string) *Value {
	a, _ := i.first(judge)
	if i.Kind != Pair || a.Swapped {
		return a.Value
	}
	swapped := i.swapped(judge, a.Repeat)
	switch {
	case swapped == nil || a.Value == nil:
		return a.Value
	case swapped.Value == nil:
		return nil
	case equal(a.Value, swapped.Value):
		return a.Value
	}
	return Text(tie)
}

// swapped is the judge's answer with B first; nil where it was not asked.
func (i *item) swapped(judge string, repeat int) *Answer {
	at := slices.IndexFunc(i.answers, func(a Answer) bool { return a.Judge == judge && a.Swapped && a.Repeat == repeat })
	if at < 0 {
		return nil
	}
	return &i.answers[at]
}

// price adds what an answer costs, over all answers that say so, and how many there are not.
func (s *scope) price() {
	var seconds, usd []float64
	given := make([]bool, len(s.items))
	unjudged := 0
	for n, i := range s.items {
		if given[n] = i.verdict(s.of) != nil; !given[n] {
			unjudged++
		}
		for _, a := range i.answers {
			if a.Judge == s.of && a.Seconds != nil {
				seconds = append(seconds, *a.Seconds)
			}
			if a.Judge == s.of && a.USD != nil {
				usd = append(usd, *a.USD)
			}
		}
	}
	s.addOf("answered", len(s.items), unjudged, s.tasks.Share(given))
	if s.q.kind == Rating {
		sum := 0.0
		for _, i := range s.items {
			if v := i.verdict(s.of); v != nil {
				sum += v.Number
			}
		}
		s.addOf("mean", len(s.items)-unjudged, 0, exactly(sum/float64(len(s.items)-unjudged)))
	}
	if len(seconds) > 0 {
		s.addOf("seconds an answer", len(seconds), 0, exactly(mean(seconds)))
	}
	if len(usd) > 0 {
		s.addOf("USD an answer", len(usd), 0, exactly(mean(usd)))
	}
}

// against adds the figures of the judge against people.
func (s *scope) against() {
	unjudged := 0
	right := make([]bool, len(s.items))
	for n, i := range s.items {
		v := i.verdict(s.of)
		if v == nil {
			unjudged++
		}
		right[n] = v != nil && v.Text == i.truth().Text
	}
	switch s.q.kind {
	case Rating:
		s.ratings(unjudged)
		return
	case Unit:
		s.addOf("accuracy", len(s.items), unjudged, s.tasks.Share(right))
		s.units(unjudged)
	default:
		s.addOf("agreement", len(s.items), unjudged, s.tasks.Share(right))
	}
	if s.q.kind == Pair {
		var decided []*item
		var hits []bool
		unjudged := 0
		for n, i := range s.items {
			if i.truth().Text != tie {
				decided, hits = append(decided, i), append(hits, right[n])
				if i.verdict(s.of) == nil {
					unjudged++
				}
			}
		}
		s.addOf("agreement without ties", len(decided), unjudged, tasksOf(decided).Share(hits))
	}
	s.addOf("kappa with people", len(s.items)-unjudged, 0, s.kappa())
	s.add("always the commonest label", exactly(s.commonest()))
}

// kappa is Cohen's, of the judge and people, over what it could judge.
func (s *scope) kappa() *stats.Estimate {
	judged := s.only(func(i *item) bool { return i.verdict(s.of) != nil })
	h := listen(judged, func(i *item) map[string]*Value {
		return map[string]*Value{"judge": i.verdict(s.of), "people": i.truth()}
	})
	items := make(stats.Crossed, len(h.by))
	for n, places := range h.by {
		items[n] = [2]int{places["judge"], places["people"]}
	}
	return judged.tasks.Resample(func(w []float64) float64 { return stats.CohenKappa(items, 0, w) }, -1, 1, s.seed)
}

// commonest is how often one would be right without looking.
func (s *scope) commonest() float64 {
	counts := map[string]int{}
	most := 0
	for _, i := range s.items {
		text := i.truth().Text
		counts[text]++
		most = max(most, counts[text])
	}
	return float64(most) / float64(len(s.items))
}

// units adds precision, recall and F1 (WebDevJudge §4.3, Table 6); what could not be judged
// is a right answer nowhere.
func (s *scope) units(unjudged int) {
	said, labelled := make([]bool, len(s.items)), make([]bool, len(s.items))
	var ofSaid, ofLabelled []*item
	var hitsSaid, hitsLabelled []bool
	for n, i := range s.items {
		v := i.verdict(s.of)
		said[n], labelled[n] = v != nil && v.Text == "true", i.truth().Text == "true"
		if said[n] {
			ofSaid, hitsSaid = append(ofSaid, i), append(hitsSaid, labelled[n])
		}
		if labelled[n] {
			ofLabelled, hitsLabelled = append(ofLabelled, i), append(hitsLabelled, said[n])
		}
	}
	s.addOf("precision", len(ofSaid), 0, tasksOf(ofSaid).Share(hitsSaid))
	s.addOf("recall", len(ofLabelled), 0, tasksOf(ofLabelled).Share(hitsLabelled))
	s.addOf("F1", len(s.items), unjudged, s.tasks.Resample(func(weights []float64) float64 {
		var hits, both float64
		for n, w := range weights {
			if said[n] {
				both += w
			}
			if labelled[n] {
				both += w
			}
			if said[n] && labelled[n] {
				hits += w
			}
		}
		return 2 * hits / both
	}, 0, 1, s.seed))
}

// ratings adds how far the judge's grades go with people's, over what it could grade.
func (s *scope) ratings(unjudged int) {
	judged := s.only(func(i *item) bool { return i.verdict(s.of) != nil })
	x, y := judged.grades()
	agreed := judged.tasks.Agree(x, y, s.seed)
	for _, one := range []struct {
		name  string
		value *stats.Estimate
	}{{"Pearson", agreed.Pearson}, {"Spearman", agreed.Spearman}, {"Kendall's tau-b", agreed.Kendall}} {
		judged.addOf(one.name, len(judged.items), unjudged, one.value)
	}
	differences := make([]float64, len(x))
	for n := range x {
		differences[n] = x[n] - y[n]
	}
	judged.meanOf("mean absolute error", differences, math.Abs)
	judged.meanOf("bias, judge less people", differences, func(v float64) float64 { return v })
}

// grades are the judge's and people's.
func (s *scope) grades() (x, y []float64) {
	for _, i := range s.items {
		x, y = append(x, i.verdict(s.of).Number), append(y, i.truth().Number)
	}
	return x, y
}

// meanOf adds a mean, whose interval is none where there are too few tasks.
func (s *scope) meanOf(name string, values []float64, of func(v float64) float64) {
	e := s.tasks.Resample(func(weights []float64) float64 {
		var sum, n float64
		for i, w := range weights {
			sum, n = sum+w*of(values[i]), n+w
		}
		return sum / n
	}, math.Inf(-1), math.Inf(1), s.seed)
	if e != nil && math.IsInf(e.Low, 0) {
		e = exactly(e.Value)
	}
	s.add(name, e)
}
