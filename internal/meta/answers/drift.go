package answers

import (
	"fmt"
	"math"
	"slices"
)

// ordinal names a repeat so that names sort as repeats do.
func ordinal(repeat int) string { return fmt.Sprintf("%02d", max(1, repeat)) }

// judges are those that answer, sorted; only the wanted ones if there are any.
func (s *scope) judges(wanted []string) (names []string) {
	for _, i := range s.items {
		for _, a := range i.answers {
			if !slices.Contains(names, a.Judge) && (len(wanted) == 0 || slices.Contains(wanted, a.Judge)) {
				names = append(names, a.Judge)
			}
		}
	}
	slices.Sort(names)
	return names
}

// drift adds how much the judge's answers change with each repeat: of ratings by how much,
// of others, from the second repeat on, the share that is not the answer of the first. It is
// the slope of least squares over all items, each of which has a level of its own.
func (s *scope) drift() {
	covariance, variance := make([]float64, len(s.items)), make([]float64, len(s.items))
	for n, i := range s.items {
		var x, y []float64
		var first *Value
		for _, a := range i.answers {
			if a.Judge != s.of || a.Swapped || a.Value == nil {
				continue
			}
			value := a.Value.Number
			if s.q.kind != Rating {
				if first == nil {
					first = a.Value
					continue
				}
				value = 1
				if equal(first, a.Value) {
					value = 0
				}
			}
			x, y = append(x, float64(a.Repeat)), append(y, value)
		}
		if len(x) == 0 {
			continue
		}
		middleX, middleY := mean(x), mean(y)
		for k := range x {
			covariance[n] += (x[k] - middleX) * (y[k] - middleY)
			variance[n] += (x[k] - middleX) * (x[k] - middleX)
		}
	}
	var c, v []float64 // of the items with several repeats
	var several []*item
	for n, i := range s.items {
		if variance[n] > 0 {
			c, v, several = append(c, covariance[n]), append(v, variance[n]), append(several, i)
		}
	}
	one := *s
	one.items, one.tasks = several, tasksOf(several)
	e := one.tasks.Resample(func(weights []float64) float64 {
		var sum, all float64
		for i, w := range weights {
			sum, all = sum+w*c[i], all+w*v[i]
		}
		return sum / all
	}, math.Inf(-1), math.Inf(1), s.seed)
	if e != nil && math.IsInf(e.Low, 0) {
		e = exactly(e.Value)
	}
	one.add("drift with each repeat", e)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
