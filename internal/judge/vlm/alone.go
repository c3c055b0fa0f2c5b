package vlm

import (
	"context"
	"fmt"

	"vitrine"
)

// aloneTies are the protocols about one site out of which a preference of two is made,
// each with the largest difference of main scores that is a tie. Those of likert and
// rubric are WebDevJudge's (B.2). It defines direct for pairs only: a grade for each page
// and the tie of equal grades are ours.
var aloneTies = map[string]float64{direct.name: 0, likert.name: likertTie, rubricSingle.name: 0}

// pairs reports whether two sites are shown together.
func (s Settings) pairs() bool { return s.Position != PositionAlone }

// compareAlone grades each site by itself and compares the main scores, WebDevJudge's
// single answer grading (§4.1, Table 3). The comparison has the scores of both and no
// orders; its findings are those of both judgements. Invalid renders
// are decided as in [Judge.Compare]. With an error there are calls but no scores.
func (j *Judge) compareAlone(ctx context.Context, a, b Subject) (vitrine.Comparison, error) {
	c := vitrine.Comparison{Protocol: j.Settings.Protocol, Position: string(PositionAlone), Cost: vitrine.Free()}
	tie, ok := aloneTies[j.Settings.Protocol]
	if !ok {
		return c, usage(fmt.Sprintf("sites are not compared by %s alone", j.Settings.Protocol), "Say direct, likert or rubric, or another position.")
	}
	q, err := newQuestion(j.Settings, false, a, b)
	if err != nil {
		return c, err
	}
	c.Judge = judgeName(q.protocol, q.prompt, q.Model)
	if q.unseenPair(&c) {
		return c, nil
	}
	x, errA := j.grade(ctx, "A", a, &c)
	if errA != nil {
		return c, errA
	}
	y, errB := j.grade(ctx, "B", b, &c)
	if errB != nil {
		c.Findings = nil
		return c, errB
	}
	c.A, c.B, c.Verdict = x.Scores, y.Scores, ByTotal(x.Scores[q.main], y.Scores[q.main], tie)
	return c, nil
}

// grade judges one of two sites and adds what it took, and what was found.
func (j *Judge) grade(ctx context.Context, name string, s Subject, c *vitrine.Comparison) (vitrine.Judgement, error) {
	r, err := j.Judge(ctx, s)
	c.Calls, c.Cost = append(c.Calls, r.Calls...), c.Cost.Plus(r.Cost)
	for _, file := range r.LeftOut {
		c.LeftOut = append(c.LeftOut, "site "+name+": "+file)
	}
	c.Findings = append(c.Findings, named(name, r.Findings)...)
	return r, err
}
