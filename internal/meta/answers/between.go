package answers

import "vitrine/internal/stats"

// Between are the figures of judges against each other: all of them together, each two, and
// where people's answer is settled, whether of two one is right more often: McNemar's
// probability, corrected for as many tests (Holm), and how many items would separate them.
// Of pairs it also says how often the majority of the judges is for A, tie and B.
func Between(s *Set, judges []string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		names := all.judges(judges)
		if len(names) < 2 {
			return
		}
		all.of = "judges"
		h := listen(all, func(i *item) map[string]*Value {
			by := map[string]*Value{}
			for _, judge := range names {
				if v := i.verdict(judge); v != nil {
					by[judge] = v
				}
			}
			return by
		})
		h.together()
		h.twoByTwo(1)
		if all.q.kind == Pair {
			all.majority(names)
		}
		if all.q.kind != Rating {
			all.separate(names)
		} else {
			all.closer(names)
		}
	})
}

// majority adds the shares of A, tie and B among what more than half of the judges say.
func (s *scope) majority(judges []string) {
	verdicts := make([]string, len(s.items))
	for n, i := range s.items {
		counts := map[string]int{}
		for _, judge := range judges {
			if v := i.verdict(judge); v != nil {
				counts[v.Text]++
			}
		}
		verdicts[n] = tie
		for text, count := range counts {
			if 2*count > len(judges) {
				verdicts[n] = text
			}
		}
	}
	for _, text := range []string{"A", tie, "B"} {
		hits := make([]bool, len(verdicts))
		for n, v := range verdicts {
			hits[n] = v == text
		}
		s.add("majority for "+text, s.tasks.Share(hits))
	}
}

// test is one of two judges.
type test struct {
	of    string
	items int
	p     float64
	need  float64
}

// separate adds McNemar's test of each two judges.
func (s *scope) separate(judges []string) {
	var tests []test
	s.eachTwo(judges, func(a, b string, both *scope) {
		var onlyA, onlyB int
		for _, i := range both.items {
			rightA, rightB := equal(i.verdict(a), i.truth()), equal(i.verdict(b), i.truth())
			if rightA && !rightB {
				onlyA++
			}
			if rightB && !rightA {
				onlyB++
			}
		}
		n := float64(len(both.items))
		tests = append(tests, test{a + " and " + b, len(both.items), stats.McNemar(onlyA, onlyB).P, stats.ItemsToSeparate(float64(onlyA)/n, float64(onlyB)/n)})
	})
	s.tests("McNemar's p", tests)
	for _, t := range tests {
		one := *s
		one.of = t.of
		one.addOf("items that would separate them", t.items, 0, exactly(t.need))
	}
}

// closer adds a permutation test of each two judges' distances to people's ratings.
func (s *scope) closer(judges []string) {
	var tests []test
	s.eachTwo(judges, func(a, b string, both *scope) {
		differences := make([]float64, len(both.items))
		for n, i := range both.items {
			truth := i.truth().Number
			differences[n] = distance(i.verdict(a).Number, truth) - distance(i.verdict(b).Number, truth)
		}
		t, _ := stats.Permutation(differences, s.seed)
		tests = append(tests, test{of: a + " and " + b, items: len(both.items), p: t.P})
	})
	s.tests("permutation test's p of the errors", tests)
}

func distance(a, b float64) float64 { return max(a-b, b-a) }

// eachTwo calls what is given with the settled items that each two judges both judged.
func (s *scope) eachTwo(judges []string, do func(a, b string, both *scope)) {
	for n, a := range judges {
		for _, b := range judges[n+1:] {
			both := s.only(func(i *item) bool { return i.truth() != nil && i.verdict(a) != nil && i.verdict(b) != nil })
			if len(both.items) > 0 {
				do(a, b, both)
			}
		}
	}
}

// tests adds probabilities as they are and corrected.
func (s *scope) tests(name string, tests []test) {
	var p []float64
	for _, t := range tests {
		p = append(p, t.p)
	}
	corrected := stats.Holm(p)
	for n, t := range tests {
		one := *s
		one.of = t.of
		one.addOf(name, t.items, 0, exactly(t.p))
		one.addOf(name+", corrected", t.items, 0, exactly(corrected[n]))
	}
}
