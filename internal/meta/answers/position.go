package answers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vitrine/internal/stats"
)

// Swaps are the figures of what the order of a pair does to each judge.
func Swaps(s *Set, judges []string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		for _, judge := range all.judges(judges) {
			answered := all.only(func(i *item) bool {
				_, asked := i.first(judge)
				return asked && i.Attacked == ""
			})
			answered.of = judge
			answered.position()
		}
	})
}

// position adds what the order of a pair does (WebDevJudge §4.3, Table 5), over the pairs
// that the judge answered in both orders; agreement over those of them that are settled.
func (s *scope) position() {
	type orders struct{ given, swapped, label string }
	var both []orders
	var settledBoth []orders
	var settled []*item
	asked := s.only(func(i *item) bool {
		a, _ := i.first(s.of)
		if s.q.kind != Pair || a.Swapped || a.Value == nil {
			return false
		}
		b := i.swapped(s.of, a.Repeat)
		if b == nil || b.Value == nil {
			return false
		}
		one := orders{given: a.Value.Text, swapped: b.Value.Text}
		if v := i.truth(); v != nil {
			one.label = v.Text
			settledBoth, settled = append(settledBoth, one), append(settled, i)
		}
		both = append(both, one)
		return true
	})
	if len(both) == 0 {
		return
	}
	share := func(name string, hit func(o orders) bool) {
		hits := make([]bool, len(both))
		for n, o := range both {
			hits[n] = hit(o)
		}
		asked.add(name, asked.tasks.Share(hits))
	}
	side := map[string]int{"A": 1, "B": -1}
	share("the same in both orders", func(o orders) bool { return o.given == o.swapped })
	share("prefers the first place", func(o orders) bool { return side[o.given] > side[o.swapped] })
	share("prefers the second place", func(o orders) bool { return side[o.given] < side[o.swapped] })
	if len(settled) == 0 {
		return
	}
	asked.items, asked.tasks, both = settled, tasksOf(settled), settledBoth
	asked.ties("people say tie where the orders differ", func(n int) bool { return both[n].given != both[n].swapped })
	asked.ties("people say tie where the orders agree", func(n int) bool { return both[n].given == both[n].swapped })
	share("agreement, A first", func(o orders) bool { return o.given == o.label })
	share("agreement, B first", func(o orders) bool { return o.swapped == o.label })
	asked.add("distance of both agreements", folded(asked.tasks.Resample(func(weights []float64) float64 {
		var given, swapped, n float64
		for k, o := range both {
			if o.given == o.label {
				given += weights[k]
			}
			if o.swapped == o.label {
				swapped += weights[k]
			}
			n += weights[k]
		}
		return (given - swapped) / n
	}, -1, 1, s.seed)))
}

// ties adds the share of ties among what people say of some of the pairs (WebDevJudge §4.3 asks
// whether there are more among those of which the order decides).
func (s *scope) ties(name string, of func(n int) bool) {
	var items []*item
	var hits []bool
	for n, i := range s.items {
		if of(n) {
			items, hits = append(items, i), append(hits, i.truth().Text == tie)
		}
	}
	if len(items) > 0 {
		s.addOf(name, len(items), 0, tasksOf(items).Share(hits))
	}
}

// folded is the distance from 0 of what has a sign.
func folded(e *stats.Estimate) *stats.Estimate {
	switch {
	case e == nil:
		return nil
	case e.Low > 0:
		return e
	case e.High < 0:
		return &stats.Estimate{Value: -e.Value, Low: -e.High, High: -e.Low}
	}
	return &stats.Estimate{Value: math.Abs(e.Value), Low: 0, High: max(-e.Low, e.High)}
}

// curvePoints is how many points a calibration curve has.
const curvePoints = 5

// curve adds people's means where the judge says little and where it says much, of as many
// items each as equal grades, which stand together, allow.
func (s *scope) curve() {
	x, y := s.grades()
	order := make([]int, len(x))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	from, points := 0, min(curvePoints, len(order))
	for k := range points {
		to := (k + 1) * len(order) / points
		for to < len(order) && x[order[to]] == x[order[to-1]] {
			to++
		}
		if to <= from {
			continue
		}
		var people []float64
		for _, n := range order[from:to] {
			people = append(people, y[n])
		}
		said := fmt.Sprintf("%.4g", x[order[from]])
		if last := x[order[to-1]]; last != x[order[from]] {
			said += fmt.Sprintf(" to %.4g", last)
		}
		s.addOf("people's mean where the judge says "+said, len(people), 0, exactly(mean(people)))
		from = to
	}
}

// calibration adds, for ratings, what people say on average where the judge says little and
// where it says much, and how far off it is before and after an isotonic fit, which is made
// on the items of the split fit and measured on those of test.
func (s *scope) calibration() {
	if s.q.kind != Rating {
		return
	}
	judged := s.only(func(i *item) bool { return i.verdict(s.of) != nil })
	judged.curve()
	fit, test := judged.splits()
	if len(fit.items) == 0 || len(test.items) == 0 {
		return
	}
	fitX, fitY := fit.grades()
	steps := stats.Isotonic(fitX, fitY)
	testX, testY := test.grades()
	before, after := make([]float64, len(testX)), make([]float64, len(testX))
	for n, v := range testX {
		before[n], after[n] = v-testY[n], stats.ReadIsotonic(steps, v)-testY[n]
	}
	test.meanOf("mean absolute error, on test", before, math.Abs)
	test.meanOf("mean absolute error, on test, after the isotonic fit", after, math.Abs)
}

// splits are the items to fit on and those to measure on: by their split, and without any,
// every second task.
func (s *scope) splits() (fit, test *scope) {
	if !slices.ContainsFunc(s.items, func(i *item) bool { return i.Split != "" }) {
		task := map[string]int{}
		for n, i := range s.items {
			task[i.Task] = s.tasks[n]
		}
		return s.only(func(i *item) bool { return task[i.Task]%2 == 0 }), s.only(func(i *item) bool { return task[i.Task]%2 == 1 })
	}
	return s.only(func(i *item) bool { return i.Split == "fit" }), s.only(func(i *item) bool { return i.Split == "test" })
}
