package flow

import (
	"errors"
	"path/filepath"

	"vitrine/internal/data/table"
	"vitrine/internal/inputs"
)

// Contrast makes a pair of the outputs of two models to each task, without a look at either:
// a teacher's is preferred to a weak model's (WebGen-R1, section E.9). The pairs have no
// rewards.
type Contrast struct {
	Chosen   string `yaml:"chosen" json:"chosen"`     // role, as the step generate writes it down in "by"
	Rejected string `yaml:"rejected" json:"rejected"` //
}

// A Contrasted row is a pair by who wrote the outputs.
type Contrasted struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Chosen      string `json:"chosen"`
	Rejected    string `json:"rejected"`
}

func (s *Contrast) check(*Pipeline) error {
	if s.Chosen == "" || s.Rejected == "" || s.Chosen == s.Rejected {
		return errors.New("chosen and rejected are two roles of models")
	}
	return nil
}

const (
	alone = "no output of the other model"
	alike = "both outputs are the same"
)

func (s *Contrast) run(w *work) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	gone := func(id, reason string) error {
		w.drop(reason)
		return files.Writers[1].Write(Dropped{id, reason})
	}
	outputs, order := map[string]map[string]inputs.Record{}, []string{}
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		by, group := Field(r.Row, "by"), groupOf(r)
		if _, twice := outputs[group][by]; by != s.Chosen && by != s.Rejected || group == "" || twice {
			return gone(r.ID, "of neither model, or a second one")
		}
		if outputs[group] == nil {
			outputs[group] = map[string]inputs.Record{}
			order = append(order, group)
		}
		outputs[group][by] = inputs.Record{ID: r.ID, Instruction: r.Instruction, Text: r.Text}
		if len(outputs[group]) < 2 {
			return nil
		}
		good, bad := outputs[group][s.Chosen], outputs[group][s.Rejected]
		outputs[group] = map[string]inputs.Record{s.Chosen: {}, s.Rejected: {}} // without the texts
		if good.Text == bad.Text {
			return errors.Join(gone(good.ID, alike), gone(bad.ID, alike))
		}
		w.Kept++
		return files.Writers[0].Write(Contrasted{good.ID + ">" + bad.ID, good.Instruction, good.Text, bad.Text})
	})
	for _, group := range order {
		if err == nil && len(outputs[group]) < 2 {
			err = gone(outputs[group][s.Chosen].ID+outputs[group][s.Rejected].ID, alone) // one of them is empty
		}
	}
	if err != nil {
		return err
	}
	return files.Commit()
}
