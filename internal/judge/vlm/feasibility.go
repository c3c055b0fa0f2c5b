package vlm

import (
	"fmt"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/model/answer"
)

// feasibility says from the code alone whether each test case can be carried out on the
// site with its expected result (WebDevJudge §4.3, App. C, Table 6). The score is the
// share of those that can. The paper asks about one task at a time, as a task with one
// test case does.
var feasibility = protocol{
	name: "feasibility", version: "1", observes: ObserveCode, fixed: true, published: webDevJudge,
	needs: needsCases, items: caseItems,
	shape: func(q *question) answer.Shape {
		var fields []answer.Field
		for i := range q.sites[0].Cases {
			fields = append(fields, answer.Field{Name: caseKey(i), Shape: answer.Bool()})
		}
		return answer.Object(analysis, answer.Field{Name: "feasible", Shape: answer.Object(fields...)})
	},
	read: func(q *question, raw []byte) (result, error) {
		a, err := decode[struct {
			Analysis string
			Feasible map[string]bool
		}](raw)
		r := result{scores: map[string]float64{"feasibility": 0}, feedback: a.Analysis}
		cases := q.sites[0].Cases
		for i, c := range cases {
			score, says := 0.0, "Cannot be carried out: "
			if a.Feasible[caseKey(i)] {
				score, says = 1, "Can be carried out: "
			}
			name := "feasibility." + strconv.Itoa(i+1)
			r.scores[name] = score
			r.scores["feasibility"] += score / float64(len(cases))
			r.findings = append(r.findings, vitrine.Finding{Check: name, Status: vitrine.StatusScored, Score: &score, Why: says + c.Task})
		}
		return r, err
	},
	main: "feasibility", scale: between(0, 1),
}

// maxCases bounds the test cases of one question.
const maxCases = 50

func needsCases(q *question) error {
	if n := len(q.sites[0].Cases); n == 0 || n > maxCases {
		return usage(fmt.Sprintf("feasibility needs test cases, and the task has %d", n), fmt.Sprintf("Give between 1 and %d with the task.", maxCases))
	}
	return nil
}

func caseKey(i int) string { return "case_" + strconv.Itoa(i+1) }

// caseItems lists the test cases, each on one line.
func caseItems(q *question) string {
	var b strings.Builder
	for i, c := range q.sites[0].Cases {
		line := fmt.Sprintf("%s: %s", caseKey(i), c.Task)
		if c.ExpectedResult != "" {
			line += " Expected result: " + c.ExpectedResult
		}
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return strings.TrimSpace(b.String())
}
