package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/model/answer"
)

// Cases has a model write tasks that a finished site is to be tried out by, each with what
// is to come of it (WebDevJudge, C.1). Rows get them as test_cases.
type Cases struct {
	Model string `yaml:"model" json:"model"` // role
	Most  int    `yaml:"most" json:"most"`   // tasks a row; default 5
}

func (s *Cases) asks() []string { return []string{s.Model} }

func (s *Cases) check(*Pipeline) error {
	if s.Most = cmp.Or(s.Most, 5); s.Most < 1 {
		return errors.New("most is 1 or more")
	}
	return nil
}

func (s *Cases) run(w *work) error {
	return w.ask(func(ctx context.Context, r inputs.Record) (m made, err error) {
		if r.Instruction == "" {
			return m, unfit(noText)
		}
		text, err := say("cases", map[string]any{"request": r.Instruction, "Most": s.Most})
		if err != nil {
			return m, err
		}
		var a struct {
			Tasks []struct {
				Task           string `json:"task"`
				ExpectedResult string `json:"expected_result"`
			}
		}
		one := answer.Object(answer.Field{Name: "task", Shape: answer.Text(1000)}, answer.Field{Name: "expected_result", Shape: answer.Text(1000)})
		err = w.put(ctx, query{
			role: s.Model, text: text, maxTokens: 4096,
			shape: answer.Object(answer.Field{Name: "tasks", Shape: answer.List(one, s.Most)}),
			read: func(raw []byte) error {
				a.Tasks = nil
				if err := json.Unmarshal(raw, &a); err != nil {
					return err
				}
				if len(a.Tasks) == 0 {
					return errors.New("tasks: is empty, want at least one")
				}
				return nil
			},
		})
		if err != nil {
			return m, err
		}
		var cases []vitrine.TestCase
		for _, t := range a.Tasks {
			cases = append(cases, vitrine.TestCase{Task: t.Task, ExpectedResult: t.ExpectedResult})
		}
		row, err := setAll(r.Row, map[string]any{"test_cases": cases})
		m.rows, m.figures = []any{row}, map[string]float64{"tasks": float64(len(cases))}
		return m, err
	})
}
