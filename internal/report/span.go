package report

import (
	"math"
	"slices"
	"strings"
)

// A span is a closed range of numbers.
type span struct{ Low, High float64 }

func (s span) with(v float64) span { return span{min(s.Low, v), max(s.High, v)} }

// At is where v lies in the span, 0 to 1.
func (s span) At(v float64) float64 {
	if s.High <= s.Low {
		return 0.5
	}
	return max(0, min(1, (v-s.Low)/(s.High-s.Low)))
}

// Between is how much of the span lies between a and b, 0 to 1.
func (s span) Between(a, b float64) float64 { return s.At(b) - s.At(a) }

// scale is the range that a reward of this recipe can have. It is not known if a
// part reads a signal that has no end.
func (r recipe) scale() (span, bool) {
	var sum span
	product := span{1, 1}
	for _, name := range r.partNames() {
		s, ok := r.Parts[name].span()
		if !ok {
			return span{}, false
		}
		for _, g := range r.Gates {
			if v, sets := g.Set[name]; sets && g.Reward == nil {
				s = s.with(v)
			}
		}
		w := r.Parts[name].Weight
		a, b := w*s.Low, w*s.High
		sum = span{sum.Low + min(a, b), sum.High + max(a, b)}
		product = product.times(s)
	}
	all := sum
	if r.product() {
		all = product
	}
	for _, g := range r.Gates {
		if g.Reward != nil {
			all = all.with(*g.Reward)
		}
	}
	return all, len(r.Parts) > 0 && !math.IsInf(all.High-all.Low, 0)
}

func (s span) times(o span) span {
	corners := []float64{s.Low * o.Low, s.Low * o.High, s.High * o.Low, s.High * o.High}
	return span{slices.Min(corners), slices.Max(corners)}
}

func (p part) span() (span, bool) {
	if p.Constant != nil {
		return span{*p.Constant, *p.Constant}, true
	}
	if len(p.Map) > 0 {
		s := span{p.Map[0][1], p.Map[0][1]}
		for _, b := range p.Map {
			s = s.with(b[1])
		}
		return s, true
	}
	top, ok := signalTop(p.From)
	return span{0, top}, ok
}

// signalTop is the upper end of a signal that starts at 0.
func signalTop(name string) (float64, bool) {
	family, last, _ := strings.Cut(name, ".")
	switch family {
	case "format", "html", "hint", "build", "render", "check":
		return 1, true
	}
	top, ok := scoreTops[last]
	return top, ok
}

// scoreTops are the upper ends of the published scales (WebGen-R1 G.2, AesCoder
// G.2, ReLook App. D).
var scoreTops = map[string]float64{
	"appearance": 5, "alignment": 40, "aesthetics": 30, "structure": 30, "total": 100, "visual": 100, "content": 1,
}
