package behave

import (
	"math"
	"slices"
)

// maxGiven bounds the numbers of a page that are tried for the roles of a formula: with n numbers and
// r roles there are up to n^r ways, and the page decides n.
const maxGiven = 16

// holds reports whether one choice of the given numbers gives, in both trials, a number that is
// shown.
func (f formula) holds(one, two trial) bool {
	if len(one.given) != len(two.given) {
		return false
	}
	if len(f.roles) > 0 && len(one.given) > maxGiven {
		return false
	}
	if len(f.roles) == 0 {
		all := make([]int, len(one.given))
		for i := range all {
			all[i] = i
		}
		return f.gives(one, two, all)
	}
	return f.choose(one, two, nil)
}

func (f formula) choose(one, two trial, chosen []int) bool {
	if len(chosen) == len(f.roles) {
		return f.gives(one, two, chosen)
	}
	r := f.roles[len(chosen)]
	var fit, open []int
	for i, g := range one.given {
		switch {
		case slices.Contains(chosen, i) || g.path != two.given[i].path || g.born != r.date:
		case r.label.MatchString(g.label):
			fit = append(fit, i)
		default:
			open = append(open, i)
		}
	}
	if len(fit) == 0 {
		fit = open
	}
	return slices.ContainsFunc(fit, func(i int) bool { return f.choose(one, two, append(slices.Clone(chosen), i)) })
}

func (f formula) gives(one, two trial, chosen []int) bool {
	want := [2][]float64{}
	for k, t := range []trial{one, two} {
		var x []float64
		for _, i := range chosen {
			x = append(x, t.given[i].value)
		}
		want[k] = f.of(x)
	}
	for i, w := range want[0] {
		is := func(t trial, w float64) bool {
			return !math.IsNaN(w) && slices.ContainsFunc(t.shown, func(s shown) bool { return s.is(w) })
		}
		other := want[1][i]
		if !is(one, w) || !is(two, other) {
			continue
		}
		if math.Abs(w-other) <= 1 || !is(two, w) || !is(one, other) { // a list of all numbers has both each time
			return true
		}
	}
	return false
}
