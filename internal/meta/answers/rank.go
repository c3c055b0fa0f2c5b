package answers

import (
	"slices"

	"vitrine/internal/stats"
)

// Rank is how the order of models by each judge goes with that by people, where items say
// which model made them: each model has the mean of its ratings, or the share of its units
// that are true; versions of other items are left out. The figure is of models, of which
// intervals draw tasks.
func Rank(s *Set, judges []string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		if all.q.kind != Rating && all.q.kind != Unit {
			return
		}
		for _, judge := range all.judges(judges) {
			settled := all.only(func(i *item) bool {
				return i.Model != "" && i.original == nil && i.truth() != nil && i.verdict(judge) != nil
			})
			settled.of = judge
			settled.ranks(func(i *item) float64 { return amount(i.verdict(judge)) }, func(i *item) float64 { return amount(i.truth()) })
		}
		names := all.judges(judges)
		for n, a := range names {
			for _, b := range names[n+1:] {
				both := all.only(func(i *item) bool {
					return i.Model != "" && i.original == nil && i.verdict(a) != nil && i.verdict(b) != nil
				})
				both.of = a + " and " + b
				both.ranks(func(i *item) float64 { return amount(i.verdict(a)) }, func(i *item) float64 { return amount(i.verdict(b)) })
			}
		}
	})
}

// ranks adds how two orders of models go together, each by means of what it says of items.
func (s *scope) ranks(one, other func(i *item) float64) {
	var models []string
	model := make([]int, len(s.items))
	x, y := make([]float64, len(s.items)), make([]float64, len(s.items))
	for n, i := range s.items {
		if model[n] = slices.Index(models, i.Model); model[n] < 0 {
			model[n], models = len(models), append(models, i.Model)
		}
		x[n], y[n] = one(i), other(i)
	}
	if len(models) == 0 {
		return
	}
	order := func(statistic func(x, y []float64) float64) *stats.Estimate {
		return s.tasks.Resample(func(weights []float64) float64 {
			sums, counts := [2][]float64{make([]float64, len(models)), make([]float64, len(models))}, make([]float64, len(models))
			for n, w := range weights {
				sums[0][model[n]] += w * x[n]
				sums[1][model[n]] += w * y[n]
				counts[model[n]] += w
			}
			var byJudge, byPeople []float64
			for m, count := range counts {
				if count > 0 {
					byJudge, byPeople = append(byJudge, sums[0][m]/count), append(byPeople, sums[1][m]/count)
				}
			}
			return statistic(byJudge, byPeople)
		}, -1, 1, s.seed)
	}
	s.addOf("order of models, Spearman", len(models), 0, order(stats.Spearman))
	s.addOf("order of models, Kendall's tau-b", len(models), 0, order(stats.KendallTauB))
}

// amount is a rating, or 1 for true and 0 for false.
func amount(v *Value) float64 {
	switch v.Text {
	case "true":
		return 1
	case "false":
		return 0
	}
	return v.Number
}

// Scored are the models of a question by what a judge, or people, say of what they made.
type Scored struct {
	Question string
	By       string             // the judge; people, for the settled answers
	Models   map[string]float64 // the mean of the ratings, or the share of units that are true
}

// Scores are those of the models by people, where answers are settled, and by each judge, of
// each question of ratings and units whose items say which model made them.
func Scores(s *Set, judges []string) (scored []Scored) {
	s.each(0, func(all *scope) {
		if all.q.kind != Rating && all.q.kind != Unit {
			return
		}
		add := func(by string, of func(*item) *Value) {
			sums, counts := map[string]float64{}, map[string]float64{}
			for _, i := range all.items {
				if v := of(i); v != nil && i.Model != "" && i.original == nil {
					sums[i.Model] += amount(v)
					counts[i.Model]++
				}
			}
			for model, count := range counts {
				sums[model] /= count
			}
			if len(sums) > 0 {
				scored = append(scored, Scored{all.q.name, by, sums})
			}
		}
		if len(judges) == 0 {
			add("people", (*item).truth)
		}
		for _, judge := range all.judges(judges) {
			add(judge, func(i *item) *Value { return i.verdict(judge) })
		}
	})
	return scored
}
