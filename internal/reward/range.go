package reward

import "math"

// Range is the lowest and the highest value the recipe can give; nil where there
// is no bound. It is as wide as the parts allow, each taken by itself.
func (r *Recipe) Range() (lo, hi *float64) {
	low, high := 0.0, 0.0
	if r.Combine == CombineProduct {
		low, high = 1, 1
	}
	for _, name := range r.PartNames() {
		a, b := r.Parts[name].bounds()
		for _, g := range r.Gates {
			if v, set := g.Set[name]; set {
				a, b = min(a, v), max(b, v)
			}
		}
		if r.Combine == CombineProduct {
			low, high = span(low*a, low*b, high*a, high*b)
		} else {
			a, b = span(r.Parts[name].Weight*a, r.Parts[name].Weight*b)
			low, high = low+a, high+b
		}
	}
	for _, g := range r.Gates {
		if g.Reward != nil {
			low, high = min(low, *g.Reward), max(high, *g.Reward)
		}
	}
	return bounded(low), bounded(high)
}

// bounds are the lowest and the highest value of a part. A fallback is on the scale
// of the signal.
func (p Part) bounds() (lo, hi float64) {
	if p.Constant != nil {
		return *p.Constant, *p.Constant
	}
	if len(p.Map) > 0 {
		lo, hi = p.Map[0][1], p.Map[0][1]
		for _, point := range p.Map {
			lo, hi = min(lo, point[1]), max(hi, point[1])
		}
		return lo, hi
	}
	sig, _ := lookup(p.From)
	lo, hi = 0, sig.hi
	if f := p.Fallback; f != nil && f.Signal != "" {
		other, _ := lookup(f.Signal)
		hi = max(hi, other.hi)
	} else if f != nil {
		lo, hi = min(lo, f.Number), max(hi, f.Number)
	}
	return lo, hi
}

// span is the range of some numbers. No part is unbounded and 0 at once, so there
// is no NaN to mind but that of a weight of 0.
func span(numbers ...float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, n := range numbers {
		if !math.IsNaN(n) {
			lo, hi = min(lo, n), max(hi, n)
		}
	}
	return lo, hi
}

// bounded is nil for what stands for no bound at all.
func bounded(v float64) *float64 {
	if math.IsInf(v, 0) || math.Abs(v) >= math.MaxFloat64/1e6 {
		return nil
	}
	return &v
}
