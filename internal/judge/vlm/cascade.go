package vlm

import (
	"context"
	"fmt"
	"math"

	"vitrine"
	"vitrine/internal/model/dialog"
)

// A Cascade asks a cheap panel first and a strong one only where the cheap one is
// unsure or has no answer. The result is of one of them, never a mixture; calls and
// cost are of both.
type Cascade struct {
	Cheap, Strong Panel
	Unsure        Unsure
}

// Unsure says when a cheap judge is not sure enough. A rule of 0 is off. Pairs are
// also unsure where verdicts of members or orders differ, and where a protocol
// without scores sees a tie.
type Unsure struct {
	// Spread: the standard deviation of the main score over the cheap members is
	// above this.
	Spread float64
	// Margin: the main score is within this of Threshold; or, of pairs, the main
	// scores of A and B differ by at most this.
	Margin    float64
	Threshold float64
}

// Judge judges one site.
func (c *Cascade) Judge(ctx context.Context, s Subject) (vitrine.Judgement, error) {
	protocol, err := c.Cheap.check(false)
	if err != nil {
		return vitrine.Judgement{Cost: vitrine.Free()}, err
	}
	cheap, err := c.Cheap.Judge(ctx, s)
	why := ""
	switch {
	case err != nil && !onlyOne(err):
		return cheap, err
	case err != nil:
		why = "it could not judge"
	default:
		why = c.Unsure.single(protocol.main, cheap)
	}
	if why == "" {
		cheap.Panel.Decided = "the first judge is sure"
		return cheap, nil
	}
	strong, err := c.Strong.Judge(ctx, s)
	strong.Calls = append(cheap.Calls, strong.Calls...)
	strong.Cost = dialog.Cost(strong.Calls)
	if strong.Panel != nil {
		strong.Panel.Decided = "asked after " + cheap.Judge + ": " + why
	}
	return strong, err
}

// single says why a judgement is unsure, or nothing.
func (u Unsure) single(main string, j vitrine.Judgement) string {
	s := j.Panel.Spread[main]
	switch {
	case u.Spread > 0 && s.SD > u.Spread:
		return fmt.Sprintf("the standard deviation of its %d answers is %.3g, above %.3g", s.N, s.SD, u.Spread)
	case u.Margin > 0 && math.Abs(s.Mean-u.Threshold) <= u.Margin:
		return fmt.Sprintf("its score %.3g is within %.3g of %.3g", s.Mean, u.Margin, u.Threshold)
	}
	return ""
}

// Compare judges a pair.
func (c *Cascade) Compare(ctx context.Context, a, b Subject) (vitrine.Comparison, error) {
	protocol, err := c.Cheap.check(c.Cheap.pairs())
	if err != nil {
		return vitrine.Comparison{Cost: vitrine.Free()}, err
	}
	cheap, err := c.Cheap.Compare(ctx, a, b)
	why := ""
	switch {
	case err != nil && !onlyOne(err):
		return cheap, err
	case err != nil:
		why = "it could not judge"
	default:
		why = c.Unsure.pair(protocol.main, cheap)
	}
	if why == "" {
		cheap.Panel.Decided = "the first judge is sure"
		return cheap, nil
	}
	strong, err := c.Strong.Compare(ctx, a, b)
	strong.Calls = append(cheap.Calls, strong.Calls...)
	strong.Cost = dialog.Cost(strong.Calls)
	if strong.Panel != nil {
		strong.Panel.Decided = "asked after " + cheap.Judge + ": " + why
	}
	return strong, err
}

// pair says why a comparison is unsure, or nothing. One that was decided without a
// question is sure.
func (u Unsure) pair(main string, c vitrine.Comparison) string {
	a, scoredA := c.A[main]
	b, scoredB := c.B[main]
	switch {
	case len(c.Calls) == 0:
		return ""
	case !(scoredA && scoredB) && c.Verdict == vitrine.VerdictTie:
		return "it sees a tie"
	case verdictsDiffer(c):
		return "its verdicts differ"
	case scoredA && scoredB && u.Margin > 0 && math.Abs(a-b) <= u.Margin:
		return fmt.Sprintf("its scores %.3g and %.3g are within %.3g", a, b, u.Margin)
	}
	return ""
}

// verdictsDiffer reports whether passes, of any member and order, disagree, or members
// that grade each site alone.
func verdictsDiffer(c vitrine.Comparison) bool {
	for _, o := range c.Orders {
		if o.Verdict != c.Orders[0].Verdict {
			return true
		}
	}
	return c.Panel.Agreement != nil && *c.Panel.Agreement < 1
}
