package export

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"vitrine/internal/inputs"
)

// Shapes are the names of what can be written.
var Shapes = []string{"sft", "rft", "dpo", "rm", "grpo", "sharegpt", "sharegpt-dpo", "webdataset", "hf"}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role" parquet:"role"`
	Content string `json:"content" parquet:"content"`
}

// A Turn is one turn as ShareGPT has it.
type Turn struct {
	From  string `json:"from" parquet:"from"`
	Value string `json:"value" parquet:"value"`
}

// Talk is a row for supervised training.
type Talk struct {
	ID       string    `json:"id" parquet:"id"`
	Messages []Message `json:"messages" parquet:"messages,list"`
}

// Ask is a row for training by rewards: what TRL hands to a reward function, and what
// verl's reader, its reward manager and the adapter of vitrine serve read.
type Ask struct {
	ID          string    `json:"id" parquet:"id"`
	TaskID      string    `json:"task_id" parquet:"task_id"`
	Prompt      []Message `json:"prompt" parquet:"prompt,list"`
	DataSource  string    `json:"data_source" parquet:"data_source"` // vitrine
	RewardModel Rule      `json:"reward_model" parquet:"reward_model"`
	ExtraInfo   Extra     `json:"extra_info" parquet:"extra_info"`
}

// Rule is how verl is told of a reward that is computed.
type Rule struct {
	Style       string `json:"style" parquet:"style"` // rule
	GroundTruth string `json:"ground_truth" parquet:"ground_truth"`
}

// Extra is what verl hands on of a row. Index is its place, from 0.
type Extra struct {
	Index       int64  `json:"index" parquet:"index"`
	TaskID      string `json:"task_id" parquet:"task_id"`
	Instruction string `json:"instruction" parquet:"instruction"`
}

// Preference is a row of two answers.
type Preference struct {
	ID       string    `json:"id" parquet:"id"`
	Prompt   []Message `json:"prompt" parquet:"prompt,list"`
	Chosen   []Message `json:"chosen" parquet:"chosen,list"`
	Rejected []Message `json:"rejected" parquet:"rejected,list"`
}

// Share is a row of ShareGPT.
type Share struct {
	ID            string `json:"id" parquet:"id"`
	Conversations []Turn `json:"conversations" parquet:"conversations,list"`
}

// Ranked is a row of ShareGPT with two answers, as LLaMA-Factory has it.
type Ranked struct {
	ID            string `json:"id" parquet:"id"`
	Conversations []Turn `json:"conversations" parquet:"conversations,list"`
	Chosen        Turn   `json:"chosen" parquet:"chosen"`
	Rejected      Turn   `json:"rejected" parquet:"rejected"`
}

var (
	errNoInstruction = errors.New("no instruction")
	errNoOutput      = errors.New("no output")
	errNoPair        = errors.New("no chosen and rejected output: run the step pairs before")
)

// talk is a row of messages.
func talk(r inputs.Record) (Talk, error) {
	m, err := conversation(r)
	return Talk{r.ID, m}, err
}

// conversation is what a row has as prompt and completion, of several turns, as the step
// distil writes it; else its instruction and its output.
func conversation(r inputs.Record) ([]Message, error) {
	var row struct{ Prompt, Completion []Message }
	if json.Unmarshal(r.Row, &row) == nil && len(row.Prompt) > 0 && len(row.Completion) > 0 {
		return append(row.Prompt, row.Completion...), nil
	}
	switch {
	case strings.TrimSpace(r.Instruction) == "":
		return nil, errNoInstruction
	case strings.TrimSpace(r.Text) == "":
		return nil, errNoOutput
	}
	return []Message{{"user", r.Instruction}, {"assistant", r.Text}}, nil
}

// asking gives rows for training by rewards, with their places.
func asking() func(inputs.Record) (Ask, error) {
	var next int64
	return func(r inputs.Record) (Ask, error) {
		if strings.TrimSpace(r.Instruction) == "" {
			return Ask{}, errNoInstruction
		}
		task := cmp.Or(taskOf(r.Row), r.ID)
		next++
		return Ask{r.ID, task, []Message{{"user", r.Instruction}}, "vitrine", Rule{"rule", task}, Extra{next - 1, task, r.Instruction}}, nil
	}
}

// taskOf is the task_id of a row: a text, or a number or truth value as it is written; empty
// where it has none.
func taskOf(row json.RawMessage) string {
	var o struct {
		TaskID json.RawMessage `json:"task_id"`
	}
	_ = json.Unmarshal(row, &o) // what cannot be read has none
	var text string
	if len(o.TaskID) == 0 || strings.ContainsRune("{[n", rune(o.TaskID[0])) || json.Unmarshal(o.TaskID, &text) == nil {
		return text
	}
	return string(o.TaskID)
}

func preference(r inputs.Record) (Preference, error) {
	var row struct{ Instruction, Chosen, Rejected string }
	if err := json.Unmarshal(r.Row, &row); err != nil || row.Chosen == "" || row.Rejected == "" {
		return Preference{}, errNoPair
	}
	if strings.TrimSpace(row.Instruction) == "" {
		return Preference{}, errNoInstruction
	}
	return Preference{
		r.ID, []Message{{"user", row.Instruction}}, []Message{{"assistant", row.Chosen}}, []Message{{"assistant", row.Rejected}},
	}, nil
}

func share(r inputs.Record) (Share, error) {
	m, err := conversation(r)
	if err != nil {
		return Share{}, err
	}
	s := Share{ID: r.ID}
	for _, one := range m {
		from, ok := map[string]string{"user": "human", "assistant": "gpt"}[one.Role]
		if !ok {
			from = one.Role // system
		}
		s.Conversations = append(s.Conversations, Turn{from, one.Content})
	}
	return s, nil
}

func ranked(r inputs.Record) (Ranked, error) {
	p, err := preference(r)
	if err != nil {
		return Ranked{}, err
	}
	return Ranked{r.ID, []Turn{{"human", p.Prompt[0].Content}}, Turn{"gpt", p.Chosen[0].Content}, Turn{"gpt", p.Rejected[0].Content}}, nil
}
