package metarun

import (
	"context"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/interact/agent"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
)

// Workflow compares what an agent came to that carried out the same rubric on both sites of a
// pair (WebDevJudge B.3): by the sum of its dimensions' pass rates, or by that of one alone
// (Table 3). The traces are those of the evidence; nothing is asked.
type Workflow struct {
	Dimension string // intention, static or dynamic; empty: their sum
}

// WorkflowJudges are the names of the agentic judge and of its single dimensions.
var WorkflowJudges = []string{"workflow", "workflow.intention", "workflow.static", "workflow.dynamic"}

// WorkflowOf is the judge of one of these names.
func WorkflowOf(name string) (w Workflow, ok bool) {
	_, w.Dimension, _ = strings.Cut(name, ".")
	return w, slices.Contains(WorkflowJudges, name)
}

// Name is workflow, with the dimension.
func (w Workflow) Name(i answers.Item) (string, error) {
	if i.Kind != answers.Pair {
		return "", lacks("workflow judges pairs alone", "ask about pairs")
	}
	if w.Dimension != "" {
		return "workflow." + w.Dimension, nil
	}
	return "workflow", nil
}

// Answer compares the traces.
func (w Workflow) Answer(_ context.Context, q answers.Question) (answers.Answer, error) {
	var grades [2]float64
	for n, t := range q.Item.Shown {
		trace, err := evidence.LoadTrace(t.Evidence)
		if err != nil {
			return answers.Answer{}, unseen(t.Evidence, err)
		}
		if trace == nil || trace.Of != vitrine.OfLeaves {
			return answers.Answer{}, lacks("there is no trace of a rubric in "+t.Evidence, "make one with vitrine interact agent SITE --rubric FILE -m …")
		}
		rate, judged := agent.Rates(trace.Cases)[w.Dimension]
		if w.Dimension == "" {
			sum := agent.Sum(trace.Cases)
			if judged = sum != nil; judged {
				rate = *sum
			}
		}
		if !judged {
			return answers.Answer{}, vitrine.NewFault("judge", vitrine.FaultJudge, nil, "no leaf of some dimension could be judged in "+t.Evidence)
		}
		grades[n] = rate
	}
	return free(answers.Text(string(vlm.ByTotal(grades[0], grades[1], 0)))), nil
}
