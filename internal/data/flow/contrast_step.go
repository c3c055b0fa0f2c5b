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

const alone = "no output of the other model"

func (s *Contrast) run(w *work) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	outputs, instructions, order := map[string]map[string]inputs.Record{}, map[string]string{}, []string{}
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		by, group := field(r.Row, "by"), groupOf(r)
		if _, twice := outputs[group][by]; by != s.Chosen && by != s.Rejected || group == "" || twice {
			w.drop("of neither model, or a second one")
			return files.Writers[1].Write(Dropped{r.ID, "of neither model, or a second one"})
		}
		if outputs[group] == nil {
			outputs[group] = map[string]inputs.Record{}
			order = append(order, group)
			instructions[group] = r.Instruction
		}
		outputs[group][by] = inputs.Record{ID: r.ID, Text: r.Text}
		return nil
	})
	for _, group := range order {
		if err != nil {
			return err
		}
		good, there := outputs[group][s.Chosen]
		bad, both := outputs[group][s.Rejected]
		if there && both {
			w.Kept++
			err = files.Writers[0].Write(Contrasted{good.ID + ">" + bad.ID, instructions[group], good.Text, bad.Text})
			continue
		}
		w.drop(alone)
		err = files.Writers[1].Write(Dropped{good.ID + bad.ID, alone}) // one of them is empty
	}
	if err != nil {
		return err
	}
	return files.Commit()
}
