package compare

import (
	"cmp"
	"fmt"
	"slices"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/interact/agent"
	"vitrine/internal/judge/vlm"
)

// Workflow is the protocol that compares what an agent that carried out a rubric came to
// on two sites.
const Workflow = "workflow"

// compareWorkflow compares the saved traces of one rubric on two sites by the sums of
// their dimensions' pass rates (WebDevJudge §4.1, B.3); equal ones tie. No model is asked:
// calls are in the traces, and the cost is theirs. Where a sum is missing there is no
// verdict but a fault.
func compareWorkflow(dirA, dirB string) (vitrine.Comparison, error) {
	c := vitrine.Comparison{Protocol: Workflow, Position: string(vlm.PositionAlone), Cost: vitrine.Free()}
	a, err := loadWorked(dirA)
	if err != nil {
		return c, err
	}
	b, err := loadWorked(dirB)
	if err != nil {
		return c, err
	}
	if !slices.Equal(a.plan(), b.plan()) {
		return c, vitrine.NewFault("judge", vitrine.FaultUsage, nil, fmt.Sprintf("%s and %s were exercised by different rubrics", dirA, dirB)).
			WithFix("exercise both with the same --rubric")
	}
	c.Judge = "workflow@1 " + cmp.Or(a.Model, b.Model, "no model") // a site that does not start asks none
	if a.Model != "" && b.Model != "" && a.Model != b.Model {
		c.Judge = "workflow@1 " + a.Model + " and " + b.Model
	}
	c.A, c.B, c.Cost = a.scores(), b.scores(), a.Cost.Plus(b.Cost)
	c.Verdict = vlm.ByTotal(c.A[Workflow], c.B[Workflow], 0)
	c.Findings = append(a.findings("A"), b.findings("B")...)
	return c, nil
}

// worked is a trace of a rubric that has a sum.
type worked struct {
	*vitrine.Trace
	sum float64
}

func loadWorked(dir string) (worked, error) {
	t, err := evidence.LoadTrace(dir)
	if err != nil {
		return worked{}, err
	}
	if t == nil || t.Of != vitrine.OfLeaves {
		return worked{}, vitrine.NewFault("judge", vitrine.FaultUsage, nil, dir+" has no trace of a rubric").
			WithFix("make one with vitrine interact agent SITE --rubric FILE -m …, and name the evidence folder of its run")
	}
	sum := agent.Sum(t.Cases)
	if sum == nil {
		return worked{}, vitrine.NewFault("judge", vitrine.FaultJudge, nil, "no leaf of some dimension could be judged in "+dir).WithFix("exercise the site again")
	}
	return worked{t, *sum}, nil
}

func (w worked) scores() map[string]float64 {
	scores := map[string]float64{Workflow: w.sum}
	for dimension, rate := range agent.Rates(w.Cases) {
		scores[Workflow+"."+dimension] = rate
	}
	return scores
}

// plan is what was to be carried out. Ids are left out: a site that does not start has its
// own.
func (w worked) plan() (tasks []string) {
	for _, c := range w.Cases {
		tasks = append(tasks, c.Category+"\x00"+c.Task)
	}
	slices.Sort(tasks)
	return tasks
}

func (w worked) findings(site string) (all []vitrine.Finding) {
	for _, c := range w.Cases {
		f := vitrine.Finding{Check: Workflow + "." + c.ID, Status: vitrine.StatusScored, Score: c.Score, Why: fmt.Sprintf("Site %s: %s: %s", site, c.Task, c.Why)}
		if c.Score == nil {
			f.Status = vitrine.StatusFailed
		}
		all = append(all, f)
	}
	return all
}
