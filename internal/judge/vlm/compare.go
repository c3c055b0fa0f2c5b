package vlm

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"strings"

	"vitrine"
	"vitrine/internal/model/dialog"
)

// Compare asks which of two sites is better. The instruction and the rubric are
// those of a. In both orders the second question is asked when the first has its
// answer; the verdict stands only where both agree, else it is a tie, and scores are
// means. Swapping a and b then asks the same two questions and mirrors the result.
//
// A site that does not render loses against one that does, without a question; two
// that do not render tie.
func (j *Judge) Compare(ctx context.Context, a, b Subject) (vitrine.Comparison, error) {
	b.Instruction, b.Topic, b.Tree = a.instruction(), a.Topic, a.Tree
	if !j.Settings.pairs() {
		return j.compareAlone(ctx, a, b)
	}
	q, err := newQuestion(j.Settings, true, a, b)
	if err != nil {
		return vitrine.Comparison{Cost: vitrine.Free()}, err
	}
	c := vitrine.Comparison{
		Judge: judgeName(q.protocol, q.prompt, q.Model), Protocol: q.name, Position: string(q.Position), Cost: vitrine.Free(),
	}
	if q.unseenPair(&c) {
		return c, nil
	}
	for _, swapped := range q.orders() {
		if err := q.pass(ctx, j.Asker, swapped, &c); err != nil {
			c.A, c.B, c.Orders, c.Verdict = nil, nil, nil, ""
			return c, err
		}
	}
	settle(&c)
	c.Findings = append(named("A", Injection(a.Evidence, a.Files)), named("B", Injection(b.Evidence, b.Files))...)
	return c, nil
}

// orders are the passes of a position: whether B comes first.
func (q *question) orders() []bool {
	switch q.Position {
	case PositionBoth:
		return []bool{false, true}
	case PositionRandom:
		return []bool{q.coin()}
	}
	return []bool{false}
}

// coin is tossed by the seed and the pair, whichever of the two is called A: the
// same site comes first when a caller swaps them.
func (q *question) coin() bool {
	marks := [2]string{siteMark(&q.sites[0]), siteMark(&q.sites[1])}
	swapped := marks[0] > marks[1]
	if swapped {
		marks[0], marks[1] = marks[1], marks[0]
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s", q.Seed, q.sites[0].instruction(), marks[0], marks[1]))
	return swapped != (binary.BigEndian.Uint64(sum[:8])%2 == 1)
}

// siteMark tells two sites apart by what a judge would see of them.
func siteMark(s *Subject) string {
	var b strings.Builder
	if s.Evidence != nil {
		b.WriteString(s.Evidence.SiteHash)
		for _, v := range s.Evidence.Views {
			for _, f := range v.Frames {
				b.WriteString(f.SHA256)
			}
		}
	}
	for _, f := range s.Files {
		b.WriteString(f.Path + "\x00" + f.Content + "\x00")
	}
	sum := sha256.Sum256([]byte(b.String()))
	return string(sum[:])
}

// pass asks in one order and adds what came back, as of the caller's A and B.
func (q *question) pass(ctx context.Context, asker dialog.Asker, swapped bool, c *vitrine.Comparison) error {
	shown := q
	if swapped {
		shown = q.reversed()
	}
	got, err := shown.ask(ctx, asker)
	c.Calls = append(c.Calls, got.calls...)
	c.Cost = dialog.Cost(c.Calls)
	if len(c.LeftOut) == 0 && !swapped {
		c.LeftOut = got.leftOut
	}
	if err != nil {
		return err
	}
	r := got.result
	if swapped {
		r = r.swapped()
	}
	c.Orders = append(c.Orders, vitrine.Order{Swapped: swapped, Verdict: r.verdict, Far: r.far, A: r.a, B: r.b, Leaves: r.leaves, Feedback: r.feedback})
	return nil
}

// settle makes one result of the orders.
func settle(c *vitrine.Comparison) {
	first := c.Orders[0]
	c.Verdict, c.Far, c.A, c.B = first.Verdict, first.Far, maps.Clone(first.A), maps.Clone(first.B)
	for _, o := range c.Orders[1:] {
		c.Far = c.Far && o.Far && o.Verdict == c.Verdict
		if o.Verdict != c.Verdict {
			c.Verdict = vitrine.VerdictTie
		}
		for key := range c.A {
			c.A[key] = (c.A[key] + o.A[key]) / 2
		}
		for key := range c.B {
			c.B[key] = (c.B[key] + o.B[key]) / 2
		}
	}
}

// unseenPair decides pairs in which a site does not render.
func (q *question) unseenPair(c *vitrine.Comparison) bool {
	a, b := q.unseen(&q.sites[0]), q.unseen(&q.sites[1])
	switch {
	case a == "" && b == "":
		return false
	case a != "" && b != "":
		c.Verdict, c.A, c.B = vitrine.VerdictTie, q.worst(q), q.worst(q)
	case a != "":
		c.Verdict, c.A = vitrine.VerdictB, q.worst(q)
	default:
		c.Verdict, c.B = vitrine.VerdictA, q.worst(q)
	}
	for i, why := range []string{a, b} {
		if why != "" {
			c.Findings = append(c.Findings, vitrine.Finding{
				Check: q.name, Status: vitrine.StatusNotApplicable,
				Why: fmt.Sprintf("No model was asked, since the render of %c is invalid: %s.", 'A'+i, why),
			})
		}
	}
	return true
}

// named says in the labels which site a finding is about.
func named(site string, findings []vitrine.Finding) []vitrine.Finding {
	for i := range findings {
		findings[i].Why = "Site " + site + ": " + findings[i].Why
		for k := range findings[i].Where {
			findings[i].Where[k].Label = site + ": " + findings[i].Where[k].Label
		}
	}
	return findings
}
