package answers

import (
	"vitrine/internal/stats"
)

// length adds how much more the judge likes what is long than people do, where items have
// lengths. Of pairs it is the share for the longer one, a tie being half of one, less that
// of people; of ratings the correlation of the length with the judge's grade less people's.
func (s *scope) length() {
	long := s.only(func(i *item) bool {
		return i.verdict(s.of) != nil && (len(i.Lengths) == 1 || len(i.Lengths) == 2 && i.Lengths[0] != i.Lengths[1])
	})
	if len(long.items) == 0 || s.q.kind != Pair && s.q.kind != Rating {
		return
	}
	if s.q.kind == Pair {
		differences := make([]float64, len(long.items))
		for n, i := range long.items {
			differences[n] = i.forLonger(i.verdict(s.of)) - i.forLonger(i.truth())
		}
		long.meanOf(forLonger, differences, func(v float64) float64 { return v })
		return
	}
	lengths, differences := make([]float64, len(long.items)), make([]float64, len(long.items))
	for n, i := range long.items {
		lengths[n], differences[n] = i.Lengths[0], i.verdict(s.of).Number-i.truth().Number
	}
	long.add(byLength, long.tasks.Resample(stats.NewPaired(lengths, differences).Pearson, -1, 1, s.seed))
}

// The figures of length.
const (
	forLonger = "for the longer one, judge less people"
	byLength  = "Pearson of length and judge less people"
)

// forLonger is 1 for the longer of a pair, 0 for the shorter, and a half for a tie.
func (i *item) forLonger(v *Value) float64 {
	longer := "A"
	if i.Lengths[1] > i.Lengths[0] {
		longer = "B"
	}
	switch v.Text {
	case longer:
		return 1
	case tie:
		return 0.5
	}
	return 0
}
