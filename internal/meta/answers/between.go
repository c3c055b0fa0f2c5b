package answers

import (
	"math"
	"slices"

	"vitrine/internal/stats"
)

// Between are the figures of judges against each other: all of them together, each two, and
// where people's answer is settled, whether of two one is right more often: McNemar's
// probability, corrected for as many tests (Holm), and how many items would separate them.
// Where several items are of one task, which says less than as many of their own, it is a
// permutation test that swaps whole tasks, and no number of items is given.
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

// majority adds the shares of A, tie and B among what more than half of the judges say,
// over the pairs that any of them could judge.
func (s *scope) majority(judges []string) {
	judged := s.only(func(i *item) bool {
		return slices.ContainsFunc(judges, func(judge string) bool { return i.verdict(judge) != nil })
	})
	verdicts := make([]string, len(judged.items))
	for n, i := range judged.items {
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
		s.addOf("majority for "+text, len(judged.items), len(s.items)-len(judged.items), judged.tasks.Share(hits))
	}
}

// test is one of two judges.
type test struct {
	of    string
	name  string // of the test
	items int
	p     float64
	need  float64
}

// byTask is the test of differences of two judges that swaps the signs of whole tasks.
func (s *scope) byTask(differences []float64) float64 {
	t, _ := stats.Permutation(s.tasks.Sums(differences), s.seed)
	return t.P
}

// separate adds McNemar's test of each two judges, or that of whole tasks.
func (s *scope) separate(judges []string) {
	var tests []test
	s.eachTwo(judges, func(a, b string, both *scope) {
		var onlyA, onlyB int
		differences := make([]float64, len(both.items))
		for n, i := range both.items {
			rightA, rightB := equal(i.verdict(a), i.truth()), equal(i.verdict(b), i.truth())
			if rightA && !rightB {
				onlyA++
				differences[n] = 1
			}
			if rightB && !rightA {
				onlyB++
				differences[n] = -1
			}
		}
		n := float64(len(both.items))
		one := test{a + " and " + b, "McNemar's p", len(both.items), stats.McNemar(onlyA, onlyB).P, stats.ItemsToSeparate(float64(onlyA)/n, float64(onlyB)/n)}
		if !both.tasks.Apart() {
			one.name, one.p, one.need = "permutation test's p by task", both.byTask(differences), math.NaN()
		}
		tests = append(tests, one)
	})
	s.tests(tests)
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
		tests = append(tests, test{of: a + " and " + b, name: "permutation test's p of the errors", items: len(both.items), p: both.byTask(differences)})
	})
	s.tests(tests)
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
func (s *scope) tests(tests []test) {
	var p []float64
	for _, t := range tests {
		p = append(p, t.p)
	}
	corrected := stats.Holm(p)
	for n, t := range tests {
		one := *s
		one.of = t.of
		one.addOf(t.name, t.items, 0, exactly(t.p))
		one.addOf(t.name+", corrected", t.items, 0, exactly(corrected[n]))
	}
}
