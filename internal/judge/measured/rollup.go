package measured

import (
	"fmt"
	"math"

	"vitrine"
)

// points is what each dimension is worth of 100 (AesCoder G.2).
var points = []struct {
	dimension dimension
	max       float64
}{{alignment, 40}, {aesthetics, 30}, {structure, 30}}

// maxAppearance is the end of the scale of WebGen-R1 G.2, so that a recipe reads the same
// range from the measured judge as from a model.
const maxAppearance = 5

// alwaysUnknown lists what no measurement of a static page can determine.
var alwaysUnknown = []string{
	"whether what the page says is true",
	"whether its controls do what they promise",
	"what it shows after a click",
	"whether its look suits the subject, pleases and stays in memory",
	"what its pictures show",
}

// rollUp computes the published scales from findings.
//
// In a dimension, with weight wᵢ, severity vᵢ and score sᵢ of its scored checks:
//
//	value = Σ wᵢ·sᵢ / Σ wᵢ · Π (1 − vᵢ·(1 − sᵢ)²)
//
// The mean rewards what is good; the product is the penalty for defects, so that
// twenty good checks cannot outweigh unreadable text. The square makes a small
// defect cost little and a large one much. Then, with alignment a,
// aesthetics b and structure c in [0,1],
//
//	a          = a · (0.4 + 0.6·min(1, 2·b))
//	total      = 40·a + 30·b + 30·c
//	appearance = 5 · b^½ · (¼·a + ½·b + ¼·c)^½
//
// The first line lowers the alignment of a page that is hard to read. The appearance
// is high only for a page that is well made and fits the instruction. It reaches 5,
// though no check can see what a 5 requires, "innovative" and "memorable": that is
// listed in unknown. A dimension in which no check was scored takes the mean of the
// others and is listed there, too. A plot, of which only pixels are measured, has its aesthetics and no other scale.
func (in *input) rollUp(findings []vitrine.Finding) (scores map[string]float64, unknown []string) {
	if !in.ev.Validity.Valid {
		return map[string]float64{"appearance": 0, "alignment": 0, "aesthetics": 0, "structure": 0, "total": 0, "content": 0}, nil
	}
	values := map[dimension]float64{}
	var sum float64
	for _, p := range points {
		if v, ok := dimensionValue(p.dimension, findings); ok {
			values[p.dimension] = v
		}
	}
	if a, ok := values[alignment]; ok {
		values[alignment] = a * legibility(values)
	}
	for _, p := range points { // in order: sums of floats depend on it
		sum += values[p.dimension]
	}
	unknown = in.unknown()
	if len(values) == 0 {
		return map[string]float64{}, append(unknown, "everything: no check had anything to measure")
	}
	mean := sum / float64(len(values))
	scores = map[string]float64{}
	total := 0.0
	for _, p := range points {
		v, ok := values[p.dimension]
		if !ok {
			v = mean
			values[p.dimension] = v
			unknown = append(unknown, fmt.Sprintf("%s: no check of it applies, so it takes the mean of the other scales", p.dimension))
		}
		scores[string(p.dimension)] = round2(v * p.max)
		total += v * p.max
	}
	if in.ev.Site.Kind == vitrine.KindPlot { // its colours say nothing of the other scales
		return map[string]float64{string(aesthetics): scores[string(aesthetics)]}, unknown
	}
	a, b, c := values[alignment], values[aesthetics], values[structure]
	scores["total"] = round2(total)
	if len(in.contents()) > 0 {
		scores["content"] = contentValue(findings)
	}
	scores["appearance"] = round2(maxAppearance * math.Sqrt(b*(0.25*a+0.5*b+0.25*c)))
	return scores, unknown
}

// legibility is the factor by which poor aesthetics lower the alignment.
func legibility(values map[dimension]float64) float64 {
	b, ok := values[aesthetics]
	if !ok {
		return 1
	}
	return 0.4 + 0.6*min(1, 2*b)
}

// dimensionValue is the value of one dimension in [0,1]; ok is false if none of its checks
// was scored.
func dimensionValue(d dimension, findings []vitrine.Finding) (value float64, ok bool) {
	var sum, weights float64
	penalty := 1.0
	for i, c := range panel {
		s := findings[i].Score
		if c.dimension != d || s == nil {
			continue
		}
		sum += c.weight * *s
		weights += c.weight
		penalty *= 1 - c.severity*(1-*s)*(1-*s)
	}
	if weights == 0 {
		return 0, false
	}
	return sum / weights * penalty, true
}

// contentValue is the factor that filler leaves of a page, in [0,1]: the product
//
//	Π (1 − vᵢ·(1 − sᵢ)²)
//
// of the scored checks of content. It has no mean, so nothing is won by having more to
// check, and what is not applicable changes nothing.
func contentValue(findings []vitrine.Finding) float64 {
	value := 1.0
	for i, c := range panel {
		if s := findings[i].Score; c.dimension == content && s != nil {
			value *= 1 - c.severity*(1-*s)*(1-*s)
		}
	}
	return math.Round(value*1e4) / 1e4
}

// unknown lists what no measurement can determine, and what this evidence lacks.
func (in *input) unknown() []string {
	out := append([]string(nil), alwaysUnknown...)
	if in.asked.text == "" {
		out = append(out, "whether the site is what was asked for: there is no instruction")
	}
	if in.ev.Site.Kind == vitrine.KindPlot {
		return append(out, "whether the plot shows its data: only colours and layout are measured")
	}
	axeRan, narrowSeen, left, outside := false, false, 0, len(in.notFetched())
	for _, v := range in.views {
		axeRan = axeRan || v.AxeRan
		narrowSeen = narrowSeen || v.Viewport.Width < narrow
		left += v.MoreElements
	}
	if !axeRan {
		out = append(out, "accessibility in depth: axe-core did not run")
	}
	if !narrowSeen {
		out = append(out, "how the site looks on a phone: no narrow viewport was captured")
	}
	if left > 0 {
		out = append(out, fmt.Sprintf("%s beyond the bound of the evidence", count(left, "element")))
	}
	if outside > 0 {
		out = append(out, fmt.Sprintf("%s from outside that the site asks for and that was not fetched", count(outside, "resource")))
	}
	return out
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }
