package answers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"vitrine/internal/stats"
)

// Cascades are what it is worth to ask a cheap judge first and a dear one where the cheap one
// is unsure: at each threshold of confidence the share of items that go on to the dear one,
// the agreement of both together with people, and what an item costs; and how often the
// cheap one alone is right on what it is sure of (abstention). The last figure is the
// threshold to use: the cheapest whose agreement is not below that of the dear judge alone
// beyond its interval; where an answer does not say what it cost, there is none. Ratings have no agreement and are left out.
func Cascades(s *Set, cheap, dear string, seed uint64) Figures {
	return s.each(seed, func(all *scope) {
		if all.q.kind == Rating {
			return
		}
		both := all.only(func(i *item) bool {
			_, askedCheap := i.first(cheap)
			_, askedDear := i.first(dear)
			return askedCheap && askedDear && i.truth() != nil
		})
		if len(both.items) == 0 {
			return
		}
		both.of = cheap + ", then " + dear
		both.cascade(cheap, dear)
	})
}

// step is a cascade at one threshold.
type step struct {
	threshold float64
	right     *stats.Estimate
	usd       float64
}

func (s *scope) cascade(cheap, dear string) {
	sure := make([]float64, len(s.items))
	for n, i := range s.items {
		sure[n] = i.confidence(cheap)
	}
	thresholds := slices.Clone(sure)
	slices.Sort(thresholds)
	thresholds = append(thinned(slices.Compact(thresholds)), 2) // above all: the dear judge alone
	var steps []step
	for _, threshold := range thresholds {
		steps = append(steps, s.step(cheap, dear, sure, threshold))
	}
	if slices.ContainsFunc(steps, func(one step) bool { return math.IsNaN(one.usd) }) {
		return // which is the cheapest is not known
	}
	alone := steps[len(steps)-1].right
	best := steps[len(steps)-1]
	for _, one := range steps {
		if one.right.Value >= alone.Low && cmp.Or(cmp.Compare(one.usd, best.usd), cmp.Compare(one.threshold, best.threshold)) < 0 {
			best = one
		}
	}
	if best.threshold > 1 {
		return // nothing is saved
	}
	s.add("threshold to use", exactly(best.threshold))
}

// mostThresholds is how many thresholds are tried.
const mostThresholds = 20

func thinned(thresholds []float64) (kept []float64) {
	n := min(len(thresholds), mostThresholds)
	for k := range n {
		kept = append(kept, thresholds[k*len(thresholds)/n])
	}
	return kept
}

// step adds the figures of one threshold.
func (s *scope) step(cheap, dear string, sure []float64, threshold float64) step {
	right, on := make([]bool, len(s.items)), make([]bool, len(s.items))
	var kept []*item
	var keptRight []bool
	usd := 0.0
	for n, i := range s.items {
		judge := cheap
		if threshold <= 1 {
			usd += i.usd(cheap)
		}
		if on[n] = sure[n] < threshold; on[n] {
			judge = dear
			usd += i.usd(dear)
		}
		right[n] = equal(i.verdict(judge), i.truth())
		if !on[n] {
			kept, keptRight = append(kept, i), append(keptRight, right[n])
		}
	}
	at := fmt.Sprintf("asks on below %.3g: ", threshold)
	if threshold > 1 {
		at = dear + " alone: "
	}
	one := step{threshold, s.tasks.Share(right), usd / float64(len(s.items))}
	s.add(at+"agreement", one.right)
	s.add(at+"asked on", s.tasks.Share(on))
	s.add(at+"USD an item", exactly(one.usd))
	if len(kept) > 0 {
		s.addOf(at+"agreement of the first alone where it is sure", len(kept), 0, tasksOf(kept).Share(keptRight))
	}
	return one
}

// confidence is what the judge says of itself, else how often its answers, in either order and in all
// repeats, are the one that counts; 0 where it could not judge.
func (i *item) confidence(judge string) float64 {
	own := i.verdict(judge)
	if own == nil {
		return 0
	}
	if first, _ := i.first(judge); first.Confidence != nil {
		return *first.Confidence
	}
	same, all := 0.0, 0.0
	for _, a := range i.answers {
		if a.Judge == judge {
			if all++; equal(a.Value, own) {
				same++
			}
		}
	}
	return same / all
}

// usd is what all answers of a judge about the item cost, NaN where one does not say.
func (i *item) usd(judge string) (sum float64) {
	for _, a := range i.answers {
		if a.Judge != judge {
			continue
		}
		if a.USD == nil {
			return math.NaN()
		}
		sum += *a.USD
	}
	return sum
}
