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

// Rewrite has a model make an instruction of a length out of a seed, with a category
// (AesCoder, section 5.2 and G.6). Rows have no other fields afterwards than the id, the
// instruction, the category, the seed and the licence.
type Rewrite struct {
	Model      string     `yaml:"model" json:"model"`           // role
	Field      string     `yaml:"field" json:"field,omitempty"` // of the seed; empty, or not in the row: the instruction
	Least      int        `yaml:"least" json:"least"`           // words; default 40
	Most       int        `yaml:"most" json:"most"`             // words; default 60
	Categories []Category `yaml:"categories" json:"categories"`
	MaxTokens  int        `yaml:"max_tokens" json:"max_tokens"` // of one answer; default 1024
}

// A Rewritten row is a task made of a seed.
type Rewritten struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Category    string `json:"category"`
	Seed        string `json:"seed"`
	License     string `json:"license,omitempty"` // of the seed
}

func (s *Rewrite) asks() []string { return []string{s.Model} }

func (s *Rewrite) check(*Pipeline) error {
	s.Least, s.Most, s.MaxTokens = cmp.Or(s.Least, 40), cmp.Or(s.Most, 60), cmp.Or(s.MaxTokens, 1024)
	if s.Least < 1 || s.Most < s.Least || s.MaxTokens < 1 || len(s.Categories) == 0 {
		return errors.New("categories are needed, least is 1 or more and most at least as many, max_tokens is 1 or more")
	}
	return nil
}

func (s *Rewrite) run(w *work) error {
	return w.ask(func(ctx context.Context, r inputs.Record) (made, error) { return s.one(ctx, w, r) })
}

func (s *Rewrite) one(ctx context.Context, w *work, r inputs.Record) (m made, err error) {
	seed := r.Instruction
	if s.Field != "" {
		seed = cmp.Or(Field(r.Row, s.Field), seed)
	}
	if strings.TrimSpace(seed) == "" {
		return m, unfit("no seed")
	}
	text, err := say("rewrite", map[string]any{"seed": seed, "Categories": s.Categories, "Least": s.Least, "Most": s.Most})
	if err != nil {
		return m, err
	}
	var names []string
	for _, c := range s.Categories {
		names = append(names, c.Name)
	}
	row := Rewritten{ID: r.ID, Seed: seed, License: Field(r.Row, "license")}
	err = w.put(ctx, query{
		role: s.Model, text: text, maxTokens: s.MaxTokens,
		shape: answer.Object(answer.Field{Name: "category", Shape: answer.Choice(names...)}, answer.Field{Name: "instruction", Shape: answer.Text(4000)}),
		read: func(raw []byte) error {
			if err := json.Unmarshal(raw, &row); err != nil {
				return err
			}
			if n := len(strings.Fields(row.Instruction)); n < s.Least || n > s.Most {
				return fmt.Errorf("instruction: has %d words, want %d to %d", n, s.Least, s.Most)
			}
			return nil
		},
	})
	m.rows = []any{row}
	return m, err
}
