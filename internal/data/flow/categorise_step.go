package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"vitrine/internal/inputs"
	"vitrine/internal/model/answer"
)

// Categorise has a model put each row under one of several topics, by their names and
// descriptions, and leaves to a person the rows of which it is unsure or that belong to
// none (WebDevJudge, A.3).
type Categorise struct {
	Model  string   `yaml:"model" json:"model"`             // role
	Field  string   `yaml:"field" json:"field"`             // that gets the topic; default category
	Fields []string `yaml:"fields" json:"fields,omitempty"` // that are read; default: the instruction
	Only   *Filter  `yaml:"only" json:"only,omitempty"`     // of other rows nothing is asked
	Topics []Topic  `yaml:"topics" json:"topics"`
}

// A Topic is a name under which rows are put.
type Topic struct {
	Name  string `yaml:"name" json:"name"`
	About string `yaml:"about" json:"about"`
	Under string `yaml:"under" json:"under,omitempty"` // what it is part of; the field with _of after its name gets it
}

// noTopic is the answer for a row that belongs to none.
const noTopic = "none of these"

// An Unsure row is a line of unsure.jsonl.
type Unsure struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Topic  string `json:"topic"`
}

func (s *Categorise) asks() []string { return []string{s.Model} }

func (s *Categorise) check(p *Pipeline) error {
	s.Field = cmp.Or(s.Field, "category")
	if len(s.Topics) < 2 {
		return errors.New("topics: give two or more")
	}
	for _, t := range s.Topics {
		if t.Name == "" || t.Name == noTopic {
			return fmt.Errorf("topics: %q is no name", t.Name)
		}
	}
	if s.Only != nil {
		return s.Only.check(p)
	}
	return nil
}

func (s *Categorise) run(w *work) error {
	return w.ask(func(ctx context.Context, r inputs.Record) (made, error) {
		if s.Only != nil && s.Only.reason(r.Row) != "" {
			return made{rows: []any{r.Row}}, nil
		}
		return s.one(ctx, w, r)
	})
}

func (s *Categorise) one(ctx context.Context, w *work, r inputs.Record) (m made, err error) {
	text := r.Instruction
	if len(s.Fields) > 0 {
		text = ""
		for _, name := range s.Fields {
			text += name + ": " + Field(r.Row, name) + "\n"
		}
	}
	if text == "" {
		return m, unfit(noText)
	}
	asked, err := say("categorise", map[string]any{"text": text, "Topics": s.Topics, "None": noTopic})
	if err != nil {
		return m, err
	}
	names := []string{noTopic}
	for _, t := range s.Topics {
		names = append(names, t.Name)
	}
	var a struct {
		Reason, Topic string
		Sure          bool
	}
	err = w.put(ctx, query{
		role: s.Model, text: asked, maxTokens: 1024,
		shape: answer.Object(answer.Field{Name: "reason", Shape: answer.Text(2000)}, answer.Field{Name: "topic", Shape: answer.Choice(names...)}, answer.Field{Name: "sure", Shape: answer.Bool()}),
		read:  func(raw []byte) error { return json.Unmarshal(raw, &a) },
	})
	if err != nil {
		return m, err
	}
	fields := map[string]any{s.Field: a.Topic, s.Field + "_why": a.Reason}
	for _, t := range s.Topics {
		if t.Name == a.Topic && t.Under != "" {
			fields[s.Field+"_of"] = t.Under
		}
	}
	row, err := setAll(r.Row, fields)
	m.rows = []any{row}
	switch {
	case a.Topic == noTopic:
		m.review = []any{Unsure{r.ID, "no topic", a.Topic}}
	case !a.Sure:
		m.review = []any{Unsure{r.ID, "the model is unsure", a.Topic}}
	}
	return m, err
}
