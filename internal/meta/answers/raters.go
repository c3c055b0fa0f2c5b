package answers

import (
	"math"
	"slices"

	"vitrine/internal/stats"
)

// mostRaters is up to how many raters each two of them are compared.
const mostRaters = 6

// Raters are the figures of people against people: all of them together, each two where
// there are few, and each one. The seed is that of the intervals.
func Raters(s *Set, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		labelled := all.only(func(i *item) bool { return len(i.labels) > 0 })
		if len(labelled.items) == 0 {
			return
		}
		h := listen(labelled, labels)
		h.together()
		labelled.add("Cohen's kappa, mean of two by two", exactly(h.meanKappa()))
		raters := h.voices()
		if len(raters) <= mostRaters {
			h.twoByTwo(2)
		}
		labelled.meanWithOthers(raters)
		labelled.answered()
		for _, category := range labelled.categories() {
			one := labelled.only(func(i *item) bool { return i.Category == category })
			one.category = category
			one.answered()
		}
		for _, r := range raters {
			one := labelled.only(func(i *item) bool { return slices.ContainsFunc(i.labels, func(l Label) bool { return l.Rater == r }) })
			one.of = r
			one.rater()
		}
	})
}

// answered adds how often people's settled answer is which: of pairs A, tie and B, of units
// true; of ratings it is the mean.
func (s *scope) answered() {
	settled := s.only(func(i *item) bool { return i.truth() != nil })
	if len(settled.items) == 0 {
		return
	}
	if s.q.kind == Rating {
		var values []float64
		for _, i := range settled.items {
			values = append(values, i.truth().Number)
		}
		settled.meanOf("mean", values, func(v float64) float64 { return v })
		return
	}
	for _, text := range map[Kind][]string{Pair: {"A", tie, "B"}, Unit: {"true"}}[s.q.kind] {
		hits := make([]bool, len(settled.items))
		for n, i := range settled.items {
			hits[n] = i.truth().Text == text
		}
		settled.add("the answer is "+text, settled.tasks.Share(hits))
	}
}

const withOthers = "Pearson with the mean of the others"

// meanWithOthers adds the mean over raters of how far each goes with the mean of the others.
func (s *scope) meanWithOthers(raters []string) {
	if s.q.kind != Rating {
		return
	}
	own, others := map[string][]float64{}, map[string][]float64{}
	for _, i := range s.items {
		for _, l := range i.labels {
			if n := float64(len(i.labels)); n > 1 {
				own[l.Rater] = append(own[l.Rater], l.Value.Number)
				others[l.Rater] = append(others[l.Rater], (i.sum()-l.Value.Number)/(n-1))
			}
		}
	}
	var all []float64
	for _, r := range raters {
		if v := stats.Pearson(own[r], others[r]); !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	s.add(withOthers+", mean of raters", exactly(mean(all)))
}

func labels(i *item) map[string]*Value {
	by := map[string]*Value{}
	for _, l := range i.labels {
		by[l.Rater] = l.Value
	}
	return by
}

// rater adds the figures of one rater, over the items that they labelled.
func (s *scope) rater() {
	var seconds, own, others []float64
	var rest []*item
	var right, first []bool
	var gold, shown []*item
	for _, i := range s.items {
		l := i.labels[slices.IndexFunc(i.labels, func(l Label) bool { return l.Rater == s.of })]
		if l.Seconds != nil {
			seconds = append(seconds, *l.Seconds)
		}
		if s.q.kind == Rating && len(i.labels) > 1 {
			n := float64(len(i.labels))
			own = append(own, l.Value.Number)
			others = append(others, (i.sum()-l.Value.Number)/(n-1))
			rest = append(rest, i)
		}
		if i.Truth != nil {
			right, gold = append(right, l.Value.Text == i.Truth.Text), append(gold, i)
		}
		if l.First != "" && l.Value.Text != tie {
			first, shown = append(first, l.Value.Text == l.First), append(shown, i)
		}
	}
	s.addOf("items", len(s.items), 0, exactly(float64(len(s.items))))
	if len(seconds) > 0 {
		slices.Sort(seconds)
		s.addOf("seconds, median", len(seconds), 0, exactly((seconds[(len(seconds)-1)/2]+seconds[len(seconds)/2])/2))
	}
	if len(rest) > 0 {
		s.addOf(withOthers, len(rest), 0, tasksOf(rest).Resample(stats.NewPaired(own, others).Pearson, -1, 1, s.seed))
	}
	if len(gold) > 0 {
		s.addOf("right on settled items", len(gold), 0, tasksOf(gold).Share(right))
	}
	if len(shown) > 0 {
		s.addOf("prefers what stands first", len(shown), 0, tasksOf(shown).Share(first))
	}
}

// sum is that of the ratings.
func (i *item) sum() (sum float64) {
	for _, l := range i.labels {
		sum += l.Value.Number
	}
	return sum
}

// Repeats are the figures of each judge against itself, over its repeats of the same
// question: whether it says the same, and whether it drifts.
func Repeats(s *Set, judges []string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		for _, judge := range all.judges(judges) {
			asked := *all
			asked.of = judge
			h := listen(&asked, func(i *item) map[string]*Value { return repeats(i, judge) })
			if len(h.voices()) < 2 {
				continue
			}
			h.together()
			h.twoByTwo(1)
			asked.drift()
		}
	})
}

func repeats(i *item, judge string) map[string]*Value {
	by := map[string]*Value{}
	for _, a := range i.answers {
		if a.Judge == judge && !a.Swapped && a.Value != nil {
			by[judge+" "+ordinal(a.Repeat)] = a.Value
		}
	}
	return by
}
