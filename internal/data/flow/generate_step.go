package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/model"
	"vitrine/internal/starter"
)

// Generate has models build what each row asks for: one row for each output, with the
// fields of its task. Outputs to one task are a group.
type Generate struct {
	Models      []string `yaml:"models" json:"models"` // roles; one output by each
	As          string   `yaml:"as" json:"as"`         // page, project or plot
	Temperature *float64 `yaml:"temperature" json:"temperature,omitempty"`
	TopP        *float64 `yaml:"top_p" json:"top_p,omitempty"`
	MaxTokens   int      `yaml:"max_tokens" json:"max_tokens"` // of one output, reasoning included; default 16384
	Samples     int      `yaml:"samples" json:"samples"`       // by each model; default 1
}

// systems are the system prompts.
var systems = map[string]func() (string, error){
	"page":    func() (string, error) { return say("page", nil) },
	"plot":    func() (string, error) { return say("plot", nil) },
	"project": func() (string, error) { return starter.System(), nil },
}

func (s *Generate) asks() []string { return s.Models }

func (s *Generate) check(*Pipeline) error {
	s.MaxTokens, s.Samples = cmp.Or(s.MaxTokens, 16384), cmp.Or(s.Samples, 1)
	switch {
	case systems[s.As] == nil:
		return fmt.Errorf("as: %q is none of %v", s.As, slices.Sorted(maps.Keys(systems)))
	case len(s.Models) == 0 || s.MaxTokens < 1 || s.Samples < 1:
		return errors.New("models are needed, max_tokens and samples are 1 or more")
	case s.Temperature != nil && !(*s.Temperature >= 0 && *s.Temperature <= 2):
		return errors.New("temperature is from 0 to 2")
	case s.TopP != nil && !(*s.TopP > 0 && *s.TopP <= 1):
		return errors.New("top_p is above 0 and at most 1")
	}
	return nil
}

func (s *Generate) run(w *work) error {
	system, err := systems[s.As]()
	if err != nil {
		return err
	}
	return w.ask(func(ctx context.Context, r inputs.Record) (made, error) { return s.one(ctx, w, r, system) })
}

// one are the outputs to a task. One that was cut off or refused is none: it is counted,
// and the task goes where no other is left.
func (s *Generate) one(ctx context.Context, w *work, r inputs.Record, system string) (m made, err error) {
	if r.Instruction == "" {
		return m, unfit("no instruction")
	}
	m.figures = map[string]float64{}
	asked := map[string]int{} // times by model: two roles may have one, whose answers are to differ
	for _, role := range s.Models {
		for i := range s.Samples {
			who := w.asking.Models[role]
			reply, err := w.asking.Asker.Ask(ctx, who.Ask, model.Request{
				System: system, Messages: []model.Message{model.User(model.Text(r.Instruction))},
				MaxTokens: s.MaxTokens, Temperature: s.Temperature, TopP: s.TopP, Repeat: asked[who.Name],
			})
			asked[who.Name]++
			if err != nil {
				return m, fmt.Errorf("generate %s by %s: %w", r.ID, role, err)
			}
			switch {
			case reply.Finish == model.FinishRefused:
				m.figures["outputs refused"]++
				continue
			case reply.Finish == model.FinishLength:
				m.figures["outputs cut off"]++
				continue
			}
			row, err := s.row(r, role, who.Name, i, reply)
			if err != nil {
				return m, err
			}
			m.rows = append(m.rows, row)
		}
	}
	if len(m.rows) == 0 {
		return m, unfit("no output: refused or cut off")
	}
	return m, nil
}

func (s *Generate) row(r inputs.Record, role, name string, i int, reply model.Reply) (any, error) {
	fields := map[string]any{
		"id": r.ID + "-" + role, "task_id": r.ID, "group_id": r.ID, "instruction": r.Instruction, "model": name, "by": role, "output": reply.Text, "tokens": reply.Usage.Out,
	}
	if s.Samples > 1 {
		fields["id"] = fmt.Sprintf("%s-%s-%d", r.ID, role, i)
	}
	if s.As == "plot" {
		fields["kind"] = vitrine.KindPlot
	}
	return setAll(r.Row, fields)
}
