package flow

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

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
		row, err := setAll(r.Row, map[string]any{"reward": *reward})
		if err != nil && failed == nil {
			failed = err
		}
		return row, ""
	})
	return errors.Join(err, failed)
}

// A rated row is one of the outputs to one instruction.
type rated struct {
	id     string
	reward float64
}

// rated are the rows with a reward by group, the best first.
func (w *work) rated() (map[string][]rated, error) {
	groups := map[string][]rated{}
	quiet := &work{ctx: w.ctx, say: func(string, ...any) {}}
	err := quiet.each(w.in, func(r inputs.Record) error {
		if unrated(r) == "" {
			reward, _ := number(Field(r.Row, "reward"))
			groups[groupOf(r)] = append(groups[groupOf(r)], rated{r.ID, reward})
		}
		return nil
	})
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b rated) int { return cmp.Compare(b.reward, a.reward) })
	}
	return groups, err
}

// unrated is why a row is not compared with others, empty if it is.
func unrated(r inputs.Record) string {
	reward := Field(r.Row, "reward")
	if _, is := number(reward); reward == "" {
		return "no reward"
	} else if !is {
		return "reward is no number"
	}
	if groupOf(r) == "" {
		return "no group and no instruction"
	}
	return ""
}

func groupOf(r inputs.Record) string {
	return cmp.Or(Field(r.Row, "group_id"), Field(r.Row, "task_id"), r.Instruction)
}

// Best keeps the row with the highest reward of each group, the first of several
// (rejection fine-tuning, AesCoder App. D).
type Best struct {
	// Min is the least reward that is kept; nil: any.
	Min *float64 `yaml:"min" json:"min,omitempty"`
}

func (s *Best) check(*Pipeline) error { return nil }

func (s *Best) run(w *work) error {
	groups, err := w.rated()
	if err != nil {
		return err
	}
	return w.sift(func(r inputs.Record) string {
		if reason := unrated(r); reason != "" {
			return reason
		}
		best := groups[groupOf(r)][0]
		switch {
		case best.id != r.ID:
			return "another of its group is better"
		case s.Min != nil && best.reward < *s.Min:
			return fmt.Sprintf("reward below %v", *s.Min)
		}
		return ""
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

// paired are the pairs of a group that are yet to be written.
type paired struct {
	pairs   [][2]rated
	rows    map[string]inputs.Record // of pairs, by id
	missing int                      // of these, not yet read
}

// run reads the rewards, and then the texts: those of a group are held until all of its
// pairs are there.
func (s *Pairs) run(w *work) error {
	groups, err := w.rated()
	if err != nil {
		return err
	}
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	all := map[string]*paired{}
	for name, g := range groups {
		all[name] = s.of(g)
	}
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		reason, p := unrated(r), all[groupOf(r)]
		if reason == "" {
			if _, wanted := p.rows[r.ID]; !wanted {
				reason = s.unpaired(p)
			}
		}
		if reason != "" {
			w.drop(reason)
			return files.Writers[1].Write(Dropped{r.ID, reason})
		}
		p.rows[r.ID] = inputs.Record{Instruction: r.Instruction, Text: r.Text}
		if p.missing--; p.missing > 0 {
			return nil
		}
		for _, pair := range p.pairs {
			good, bad := pair[0], pair[1]
			w.Kept++
			if err := files.Writers[0].Write(Pair{good.id + ">" + bad.id, p.rows[good.id].Instruction, p.rows[good.id].Text, p.rows[bad.id].Text, good.reward, bad.reward}); err != nil {
				return err
			}
		}
		clear(p.rows)
		return nil
	})
	if err != nil {
		return err
	}
	return files.Commit()
}

// unpaired is why a row is in no pair of its group.
func (s *Pairs) unpaired(p *paired) string {
	if len(p.pairs) > 0 && !s.All {
		return "neither best nor worst"
	}
	return "no two rewards of the group differ"
}

// of are the pairs of a group, which is sorted.
func (s *Pairs) of(g []rated) *paired {
	p := &paired{rows: map[string]inputs.Record{}}
	for i := range g {
		for j := len(g) - 1; j > i && (s.All || i == 0 && j == len(g)-1); j-- {
			if by := g[i].reward - g[j].reward; by > 0 && by >= s.Margin {
				p.pairs = append(p.pairs, [2]rated{g[i], g[j]})
				p.rows[g[i].id], p.rows[g[j].id] = inputs.Record{}, inputs.Record{}
			}
		}
	}
	p.missing = len(p.rows)
	return p
}
