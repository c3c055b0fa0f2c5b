package measured

import (
	"fmt"
	"math"
	"strings"

	"vitrine"
)

// A dimension is one of the three scales of the static judge (AesCoder G.2), or the content.
type dimension string

const (
	alignment  dimension = "alignment"
	aesthetics dimension = "aesthetics"
	structure  dimension = "structure"
	// content is what the page says: a factor from 0 to 1 to which presence adds nothing.
	content dimension = "content"
)

// A check measures one property of a site.
type check struct {
	id        string
	dimension dimension
	// weight is the check's share in the mean of its dimension.
	weight float64
	// severity is the share of the whole dimension that is lost when the score is
	// 0, in [0,1]: what no number of other good scores can make up for.
	severity float64
	// onInvalid: it has something to say about an invalid render too.
	onInvalid bool
	// pictures: it reads pixels alone, and so has something to say about a plot too.
	pictures bool
	judge    func(*input) vitrine.Finding
}

// maxPlaces bounds Finding.Where.
const maxPlaces = 12

// A reading is what a check sees on one view.
type reading struct {
	score float64
	why   string
	where []vitrine.Place
}

// scored makes a finding. The score is cut to [0,1] and rounded, so that it is
// the same on every machine.
func scored(r reading) vitrine.Finding {
	s := math.Round(clamp(r.score)*1e4) / 1e4
	return vitrine.Finding{Status: vitrine.StatusScored, Score: &s, Why: r.why, Where: r.where[:min(len(r.where), maxPlaces)]}
}

func notApplicable(format string, args ...any) vitrine.Finding {
	return vitrine.Finding{Status: vitrine.StatusNotApplicable, Why: fmt.Sprintf(format, args...)}
}

// eachView is a check that reads every valid view that gives an occasion and joins the
// readings: half the mean, half the worst view, because one broken breakpoint is not made
// good by two sound ones. The sentence and the places are those of the worst view; where
// no view gives an occasion, the finding is not applicable and none is its sentence.
func eachView(none string, read func(*viewFacts) (reading, bool)) func(*input) vitrine.Finding {
	return func(in *input) vitrine.Finding {
		var sum float64
		var n, worstAt int
		var worst reading
		for i, v := range in.views {
			r, ok := read(v)
			if !ok {
				continue
			}
			r.score = clamp(r.score)
			if n == 0 || r.score < worst.score {
				worst, worstAt = r, i
			}
			sum += r.score
			n++
		}
		if n == 0 {
			return notApplicable("%s", none)
		}
		if len(in.views) > 1 {
			worst.why = fmt.Sprintf("%s: %s", in.views[worstAt].label(), worst.why)
		}
		worst.score = (sum/float64(n) + worst.score) / 2
		return scored(worst)
	}
}

// clamp cuts to [0,1]; what is not a number reads as 0.
func clamp(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return min(x, 1)
}

// ramp is 0 at from, 1 at to and straight in between; from may lie above to.
func ramp(x, from, to float64) float64 { return clamp((x - from) / (to - from)) }

// decay turns a share of bad things into a score: 1 for none, and each further
// one costs a little less than the one before. Steepness 6 makes a tenth of bad
// things cost about half of the score.
func decay(share, steepness float64) float64 { return math.Exp(-steepness * share) }

// count writes "1 text" or "3 texts".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") || strings.HasSuffix(noun, "ss") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// outOf writes "1 of 41 texts is" or "3 of 41 texts are": the verb goes with the
// first number, the noun with the second; of one thing both are singular.
func outOf(some, all int, noun, is, are string) string {
	verb := are
	if some == 1 || all == 1 {
		verb = is
	}
	return fmt.Sprintf("%d of %s %s", some, count(all, noun), verb)
}

// sentence takes the full stop off, so that a sentence can go inside another.
func sentence(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".") }

// quote shortens a text of the page to what fits in a sentence.
func quote(s string) string {
	const most = 40
	r := []rune(strings.TrimSpace(s))
	if len(r) > most {
		r = append(r[:most-1:most-1], '…')
	}
	return "“" + string(r) + "”"
}
