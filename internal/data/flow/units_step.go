package flow

import (
	"context"
	"fmt"
	"path/filepath"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
)

// Units makes a row of each task that a site was tried out by in the step score, with
// whether it can be carried out (WebDevJudge, C.1). What could not be settled has a null,
// and is for a person to look at.
type Units struct{}

// A Unit is a task on a page.
type Unit struct {
	ID             string              `json:"id"`
	TaskID         string              `json:"task_id"`
	Instruction    string              `json:"instruction"`
	Output         string              `json:"output"`
	Model          string              `json:"model,omitempty"`
	Task           string              `json:"task"`
	ExpectedResult string              `json:"expected_result"`
	Feasible       *bool               `json:"feasible"` // null: nobody can say yet
	Verdict        vitrine.CaseVerdict `json:"verdict"`
	Why            string              `json:"why"`
	Evidence       string              `json:"evidence"`
}

func (s *Units) check(*Pipeline) error { return nil }

func (s *Units) run(w *work) error {
	w.asking.AtOnce = 1 // nothing is asked
	return w.ask(func(_ context.Context, r inputs.Record) (m made, err error) {
		at := Field(r.Row, "evidence")
		if at == "" || !filepath.IsLocal(at) {
			return m, unfit("not seen")
		}
		trace, err := evidence.LoadTrace(filepath.Join(w.out, filepath.FromSlash(at)))
		if err != nil || trace == nil || trace.Of != "" || len(trace.Cases) == 0 {
			return m, unfit("not tried out")
		}
		for i, c := range trace.Cases {
			u := Unit{
				ID: fmt.Sprintf("%s.%d", r.ID, i+1), TaskID: r.ID, Instruction: r.Instruction, Output: r.Text, Model: Field(r.Row, "model"),
				Task: c.Task, ExpectedResult: c.Expected, Feasible: feasible(c.Verdict), Verdict: c.Verdict, Why: c.Why, Evidence: at,
			}
			if u.Feasible == nil {
				m.review = append(m.review, Unsure{u.ID, "not settled: " + string(c.Verdict), c.Task})
			}
			m.rows = append(m.rows, u)
		}
		return m, nil
	})
}

// feasible is what a verdict says; nil where it leaves it open.
func feasible(v vitrine.CaseVerdict) *bool {
	yes, no := true, false
	switch v {
	case vitrine.VerdictPass:
		return &yes
	case vitrine.VerdictFail, vitrine.VerdictAbsent:
		return &no
	}
	return nil
}
