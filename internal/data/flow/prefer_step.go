package flow

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"vitrine/internal/data/table"
	"vitrine/internal/inputs"
)

// Rewards gives each row the reward that a run of vitrine score found for it, by id.
// Samples that could not be judged go: they are not bad, they are unknown.
type Rewards struct {
	File string `yaml:"file" json:"file"` // name of the input with samples.jsonl
}

func (s *Rewards) check(p *Pipeline) error { return known(p, "file", s.File) }

func (s *Rewards) run(w *work) error {
	rewards := map[string]*float64{}
	quiet := &work{ctx: w.ctx, say: w.say}
	err := quiet.each(w.inputs[s.File], func(r inputs.Record) error {
		var line struct {
			Reward *float64 `json:"reward"`
		}
		if err := json.Unmarshal(r.Row, &line); err != nil {
			return fmt.Errorf("%s: %w", r.Position, err)
		}
		rewards[r.ID] = line.Reward
		return nil
	})
	if err != nil {
		return err
	}
	var failed error
	err = w.change(func(r inputs.Record) (json.RawMessage, string) {
		reward, there := rewards[r.ID]
		switch {
		case !there:
			return nil, "not in the run"
		case reward == nil:
			return nil, "unjudged"
		}
		row, err := set(r.Row, "reward", *reward)
		if err != nil && failed == nil {
			failed = err
		}
		return row, ""
	})
	return errors.Join(err, failed)
}

// A rated row is one of the outputs to one instruction.
type rated struct {
	id, text string
	reward   float64
}

// rated are the rows with a reward by group: group_id, task_id or the instruction. Order
// is that in which the groups first are there.
func (w *work) rated() (groups map[string][]rated, prompts map[string]string, order []string, err error) {
	groups, prompts = map[string][]rated{}, map[string]string{}
	quiet := &work{ctx: w.ctx, say: func(string, ...any) {}}
	err = quiet.each(w.in, func(r inputs.Record) error {
		group := groupOf(r)
		reward, bad := strconv.ParseFloat(field(r.Row, "reward"), 64)
		if bad != nil || group == "" {
			return nil
		}
		if _, there := groups[group]; !there {
			order = append(order, group)
			prompts[group] = r.Instruction
		}
		groups[group] = append(groups[group], rated{r.ID, r.Text, reward})
		return nil
	})
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b rated) int { return cmp.Compare(b.reward, a.reward) })
	}
	return groups, prompts, order, err
}

func groupOf(r inputs.Record) string {
	return cmp.Or(field(r.Row, "group_id"), field(r.Row, "task_id"), r.Instruction)
}

// Best keeps the row with the highest reward of each group, the first of several
// (rejection fine-tuning, AesCoder App. D).
type Best struct {
	// Min is the least reward that is kept; nil: any.
	Min *float64 `yaml:"min" json:"min,omitempty"`
}

func (s *Best) check(*Pipeline) error { return nil }

func (s *Best) run(w *work) error {
	groups, _, _, err := w.rated()
	if err != nil {
		return err
	}
	best := map[string]bool{}
	for _, g := range groups {
		best[g[0].id] = s.Min == nil || g[0].reward >= *s.Min
	}
	return w.sift(func(r inputs.Record) string {
		keep, top := best[r.ID]
		switch {
		case field(r.Row, "reward") == "":
			return "no reward"
		case keep:
			return ""
		case top:
			return fmt.Sprintf("reward below %v", *s.Min)
		}
		return "another of its group is better"
	})
}

// Pairs makes of each group the best and the worst output (DPO, AesCoder App. D), or with
// All every two outputs whose rewards differ (reward models).
type Pairs struct {
	All bool `yaml:"all" json:"all,omitempty"`
	// Margin is by how much the rewards differ at least; equal rewards make no pair.
	Margin float64 `yaml:"margin" json:"margin,omitempty"`
}

// A Pair is a row of two outputs to one instruction.
type Pair struct {
	ID             string  `json:"id"`
	Instruction    string  `json:"instruction"`
	Chosen         string  `json:"chosen"`
	Rejected       string  `json:"rejected"`
	ChosenReward   float64 `json:"chosen_reward"`
	RejectedReward float64 `json:"rejected_reward"`
}

func (s *Pairs) check(*Pipeline) error {
	if !(s.Margin >= 0) {
		return fmt.Errorf("margin is %v", s.Margin)
	}
	return nil
}

func (s *Pairs) run(w *work) error {
	groups, prompts, order, err := w.rated()
	if err != nil {
		return err
	}
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	for _, name := range order {
		g := groups[name]
		w.Read += len(g)
		pairs := s.of(g, prompts[name])
		if len(pairs) == 0 {
			w.drop("no two rewards of the group differ")
			if err := files.Writers[1].Write(Dropped{g[0].id, "no two rewards of the group differ"}); err != nil {
				return err
			}
		}
		for _, p := range pairs {
			w.Kept++
			if err := files.Writers[0].Write(p); err != nil {
				return err
			}
		}
	}
	return files.Commit()
}

// of are the pairs of a group, which is sorted.
func (s *Pairs) of(g []rated, prompt string) (pairs []Pair) {
	for i := range g {
		for j := len(g) - 1; j > i; j-- {
			if by := g[i].reward - g[j].reward; by > 0 && by >= s.Margin {
				pairs = append(pairs, Pair{g[i].id + ">" + g[j].id, prompt, g[i].text, g[j].text, g[i].reward, g[j].reward})
			}
			if !s.All {
				return pairs
			}
		}
	}
	return pairs
}
