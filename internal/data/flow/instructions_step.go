package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"vitrine/internal/inputs"
	"vitrine/internal/model/answer"
)

// Instructions has a model write instructions for websites to each keyword (AesCoder,
// App. B.1).
type Instructions struct {
	Model     string `yaml:"model" json:"model"`           // role
	Per       int    `yaml:"per" json:"per"`               // instructions to a keyword; default 20
	MaxTokens int    `yaml:"max_tokens" json:"max_tokens"` // of one answer; default 8192
}

// An Instruction is a row of a task.
type Instruction struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Category    string `json:"category"`
	Keyword     string `json:"keyword"`
}

func (s *Instructions) asks() []string { return []string{s.Model} }
func (s *Instructions) first() bool    { return false }

func (s *Instructions) check(*Pipeline) error {
	s.Per, s.MaxTokens = cmp.Or(s.Per, 20), cmp.Or(s.MaxTokens, 8192)
	if s.Per < 1 || s.MaxTokens < 1 {
		return errors.New("per and max_tokens are 1 or more")
	}
	return nil
}

func (s *Instructions) run(w *work) error {
	per := s.Per
	if w.limit > 0 {
		per = max(1, min(per, w.limit/max(1, w.rows)))
	}
	return w.ask(func(ctx context.Context, r inputs.Record) (made, error) { return s.one(ctx, w, r, per) })
}

// one are the instructions to a keyword, each once.
func (s *Instructions) one(ctx context.Context, w *work, r inputs.Record, n int) (m made, err error) {
	keyword, category := Field(r.Row, "keyword"), Field(r.Row, "category")
	if keyword == "" {
		return m, unfit("no keyword")
	}
	text, err := say("instructions", map[string]any{"N": n, "category": category, "keyword": keyword})
	if err != nil {
		return m, err
	}
	var a struct{ Instructions []string }
	err = w.put(ctx, query{
		role: s.Model, text: text, maxTokens: s.MaxTokens,
		shape: answer.Object(answer.Field{Name: "instructions", Shape: answer.List(answer.Text(4000), 4*n)}),
		read: func(raw []byte) error {
			if err := json.Unmarshal(raw, &a); err != nil {
				return err
			}
			if len(a.Instructions) == 0 {
				return fmt.Errorf("instructions: is empty, want %d", n)
			}
			return nil
		},
	})
	if err != nil {
		return m, err
	}
	seen, again := map[string]bool{}, 0
	for _, text := range a.Instructions {
		if key := strings.ToLower(strings.Join(strings.Fields(text), " ")); seen[key] {
			again++
		} else if len(m.rows) < n {
			seen[key] = true
			m.rows = append(m.rows, Instruction{fmt.Sprintf("%s-%02d", r.ID, len(m.rows)+1), strings.TrimSpace(text), category, keyword})
		}
	}
	m.figures = map[string]float64{"repeated": float64(again), "fewer than asked for": float64(n - len(m.rows))}
	return m, nil
}
