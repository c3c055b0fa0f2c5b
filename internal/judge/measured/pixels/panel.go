package pixels

import (
	"fmt"
	"image"
	"math"
	"slices"

	"vitrine"
)

// facts are what the checks look at.
type facts struct {
	*picture
	colors
	edges, symmetry, lean float64 // shadow the functions that work them out
	left, right           float64 // margins
	regions, texts        []float64
	leaves                float64
}

func newFacts(img image.Image) *facts {
	p := newPicture(img)
	if p == nil {
		return nil
	}
	f := &facts{picture: p, colors: p.colors(), edges: p.edges(), symmetry: p.symmetry(), lean: p.lean()}
	f.left, f.right = p.margins()
	f.regions = p.regions(func(b *block) bool { return b.kind == photo || b.kind == smooth })
	f.texts = p.regions(func(b *block) bool { return b.kind == text })
	f.leaves = float64(p.leaves())
	return f
}

// A check gives a score that rises with what is better, by hand-set ramps.
type check struct {
	id     string
	weight float64 // hand-set share in the roll-up
	// say is a sentence with a place for the number that was measured.
	say     string
	measure func(*facts) (number, score float64)
}

func (c check) find(f *facts) vitrine.Finding {
	number, score := c.measure(f)
	if math.IsNaN(number) {
		return vitrine.Finding{Check: c.id, Status: vitrine.StatusNotApplicable, Why: "The picture gives no occasion for it."}
	}
	score = math.Round(score*1e4) / 1e4
	return vitrine.Finding{Check: c.id, Status: vitrine.StatusScored, Score: &score, Why: fmt.Sprintf(c.say, number)}
}

// ramp is 0 at from, 1 at to and straight in between; from may lie above to.
func ramp(x, from, to float64) float64 { return max(0, min(1, (x-from)/(to-from))) }

// rising makes a measure of a number that is the better the nearer it is to good.
func rising(number func(*facts) float64, bad, good float64) func(*facts) (float64, float64) {
	return func(f *facts) (float64, float64) {
		n := number(f)
		return n, ramp(n, bad, good)
	}
}

var panel = []check{
	{"color", 2, "Its colourfulness is %.0f.", rising(func(f *facts) float64 { return f.fulness }, 0, 50)},
	{"garish", 1, "Its colourfulness is %.0f.", rising(func(f *facts) float64 { return f.fulness }, 110, 60)},
	{"saturated", 1, "Its mean saturation is %.2f.", rising(func(f *facts) float64 { return f.saturation }, 0, 0.35)},
	{"muted", 1, "Its mean saturation is %.2f.", rising(func(f *facts) float64 { return f.saturation }, 0.6, 0.2)},
	{"pure-colors", 1, "Unmixed colours cover %.3f of it.", rising(func(f *facts) float64 { return f.pure }, 0.05, 0)},
	{"link-blue", 1, "The blue of unstyled links covers %.4f of it.", rising(func(f *facts) float64 { return f.link }, 0.02, 0)},
	{"ground", 1, "Its most frequent colour covers %.2f of it.", rising(func(f *facts) float64 { return f.ground }, 0.95, 0.3)},
	{"white", 1, "White covers %.2f of it.", rising(func(f *facts) float64 { return f.white }, 0.9, 0.2)},
	{"few-colors", 1, "%.0f colours cover half a percent each.", rising(func(f *facts) float64 { return float64(f.main) }, 40, 6)},
	{"many-colors", 1, "%.0f colours cover half a percent each.", rising(func(f *facts) float64 { return float64(f.main) }, 2, 20)},
	{"tones", 1, "It has 2 to the %.1f tones.", rising(func(f *facts) float64 { return f.tones }, 5, 12)},
	{"hues", 1, "It has %.0f families of hues.", rising(func(f *facts) float64 { return float64(f.hues) }, 7, 1)},
	{"entropy", 1, "Its brightness has %.1f bits.", rising(func(f *facts) float64 { return f.entropy }, 0.5, 5)},
	{"spread", 1, "Its brightness deviates by %.0f.", rising(func(f *facts) float64 { return f.spread }, 20, 80)},
	{"calm", 2, "%.3f of it is edges.", rising(func(f *facts) float64 { return f.edges }, 0.2, 0.04)},
	{"bare", 1, "%.3f of it is edges.", rising(func(f *facts) float64 { return f.edges }, 0.005, 0.05)},
	{"simple", 2, "It falls into %.0f parts.", rising(func(f *facts) float64 { return f.leaves }, 1000, 100)},
	{"rich", 1, "It falls into %.0f parts.", rising(func(f *facts) float64 { return f.leaves }, 30, 400)},
	{"photo", 2, "Photographs cover %.2f of it.", rising(func(f *facts) float64 { return f.share(photo, smooth) }, 0, 0.5)},
	{"large-picture", 2, "The largest picture covers %.2f of it.", rising(func(f *facts) float64 { return slices.Max(append(slices.Clone(f.regions), 0)) }, 0, 0.3)},
	{"smooth", 1, "Soft surfaces cover %.2f of it.", rising(func(f *facts) float64 { return f.share(smooth) }, 0, 0.3)},
	{"little-text", 2, "Text covers %.2f of it.", rising(func(f *facts) float64 { return f.share(text) }, 0.6, 0.1)},
	{"some-text", 1, "Text covers %.2f of it.", rising(func(f *facts) float64 { return f.share(text) }, 0, 0.1)},
	{"few-texts", 1, "Text stands in %.0f places.", rising(func(f *facts) float64 { return float64(len(f.texts)) }, 150, 15)},
	{"drawing", 1, "Lines and signs cover %.2f of it.", rising(func(f *facts) float64 { return f.share(drawing) }, 0.4, 0.05)},
	{"plain", 1, "Nothing is on %.2f of it.", rising(func(f *facts) float64 { return f.share(plain) }, 0.05, 0.5)},
	{"used", 1, "Nothing is on %.2f of it.", rising(func(f *facts) float64 { return f.share(plain) }, 0.95, 0.4)},
	{"symmetry", 1, "Left and right agree by %.2f.", rising(func(f *facts) float64 { return f.symmetry }, -0.2, 0.6)},
	{"balance", 1, "%.2f more is drawn on one side.", rising(func(f *facts) float64 { return f.lean }, 0.6, 0.05)},
	{"centred", 1, "The margins differ by %.2f of the width.", rising(func(f *facts) float64 { return math.Abs(f.left - f.right) }, 0.35, 0.03)},
	{"margins", 1, "The margins take %.2f of the width.", rising(func(f *facts) float64 { return f.left + f.right }, 0, 0.3)},
	{"fill", 1, "%.2f of its fields are used.", rising((*facts).fields, 0.2, 0.9)},
	{"lines", 1, "%.2f of its long edges share a line.", rising((*facts).lines, 0.1, 0.6)},
	{"relief", 2, "Its large shapes deviate by %.0f.", rising((*facts).relief, 5, 60)},
	{"contrast", 1, "Its text stands out by %.0f of 255.", rising(func(f *facts) float64 {
		c, ok := f.contrast()
		if !ok {
			return math.NaN()
		}
		return c
	}, 60, 200)},
}
