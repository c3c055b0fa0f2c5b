package flow

import (
	"encoding/json"
	"errors"
	"slices"

	"vitrine/internal/inputs"
	"vitrine/internal/refine"
)

// Distil makes rows for learning to criticise oneself of the critiques of refine runs, whose
// distillation.jsonl it reads (ReLook, section 2 and appendix F).
type Distil struct {
	Longest int `yaml:"longest" json:"longest,omitempty"` // of a whole row, in characters; 0: any
}

// A Distilled row is a prompt and its completion, both conversations: after these turns the
// critic said this. The loss is of the completion alone.
type Distilled struct {
	ID          string           `json:"id"`
	TaskID      string           `json:"task_id,omitempty"`
	Turn        int              `json:"turn"`
	Instruction string           `json:"instruction"` // the opening
	Output      string           `json:"output"`      // the critique
	Prompt      []refine.Message `json:"prompt"`
	Completion  []refine.Message `json:"completion"`
}

func (s *Distil) check(*Pipeline) error {
	if s.Longest < 0 {
		return errors.New("longest is 0 or more")
	}
	return nil
}

func (s *Distil) run(w *work) error {
	var failed error
	err := w.change(func(r inputs.Record) (json.RawMessage, string) {
		var e refine.DistillationExample
		if err := json.Unmarshal(r.Row, &e); err != nil || e.Target == "" || len(e.Context) == 0 || slices.Contains(e.Context, refine.Message{}) {
			return nil, "no critique of a refine run"
		}
		n := len([]rune(e.Target))
		for _, m := range e.Context {
			n += len([]rune(m.Content))
		}
		if s.Longest > 0 && n > s.Longest {
			return nil, "too long"
		}
		row, err := json.Marshal(Distilled{r.ID, e.TaskID, e.Turn, e.Context[0].Content, e.Target, e.Context, []refine.Message{{Role: "assistant", Content: e.Target}}})
		failed = errors.Join(failed, err)
		return row, ""
	})
	return errors.Join(err, failed)
}
