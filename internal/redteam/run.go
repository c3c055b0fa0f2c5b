package redteam

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"vitrine"
)

// A Prompt is a task with honest pages that were made for it.
type Prompt struct {
	Task   vitrine.Task
	Honest []vitrine.Output // pages of HTML
}

// Settings of a search and of a mutation score.
type Settings struct {
	Prompts []Prompt
	Budget  int // exploits that are scored, over all prompts
	// Threshold is the share of a prompt's honest pages that no exploit may beat.
	Threshold float64
	// Mutants is how many functional mutants are made of each page, in the mix of real
	// faults, beside an equivalent one of each kind; of each of Operators where some are
	// named.
	Mutants   int
	Operators []string
	Seed      uint64
	Say       func(format string, args ...any)
}

// A Report is what a search found.
type Report struct {
	Honest   []Honest  `json:"honest"`
	Exploits []Exploit `json:"exploits"` // best first
	Tally
	// By has the same of exploits that generators made and of those that the search made
	// of them, of which many are alike.
	By        map[string]Tally `json:"by"`
	Threshold float64          `json:"threshold"`
}

// A Tally counts exploits.
type Tally struct {
	Judged int      `json:"judged"` // those with a percentile
	Above  int      `json:"above"`  // of these, over the threshold
	Beaten *float64 `json:"beaten"` // mean share of honest pages that one beats; nil of none
}

// Honest is the reward of an honest page.
type Honest struct {
	ID     string   `json:"id"`
	TaskID string   `json:"task_id"`
	Reward *float64 `json:"reward"`
}

// Run scores the honest pages, then searches for exploits of each prompt within its share
// of the budget.
func Run(ctx context.Context, scorer Scorer, s Settings) (*Report, error) {
	r := &Report{Honest: []Honest{}, Exploits: []Exploit{}, Threshold: s.Threshold}
	rewards, err := scoreHonest(ctx, scorer, s)
	if err != nil {
		return nil, err
	}
	for i, p := range s.Prompts {
		var known []float64
		for j, o := range p.Honest {
			r.Honest = append(r.Honest, Honest{o.ID, p.Task.ID, rewards[i][j]})
			if rewards[i][j] != nil {
				known = append(known, *rewards[i][j])
			}
		}
		found, err := s.prompt(ctx, scorer, i)
		if err != nil {
			return nil, err
		}
		for k := range found {
			found[k].Percentile = percentile(found[k].Reward, known)
		}
		s.Say("%s: %d exploits, %d honest pages", p.Task.ID, len(found), len(p.Honest))
		r.Exploits = append(r.Exploits, found...)
	}
	r.sum()
	return r, nil
}

// scoreHonest gives the rewards of all honest pages, by prompt.
func scoreHonest(ctx context.Context, scorer Scorer, s Settings) ([][]*float64, error) {
	var outputs []vitrine.Output
	for _, p := range s.Prompts {
		outputs = append(outputs, p.Honest...)
	}
	s.Say("%d honest pages of %d prompts", len(outputs), len(s.Prompts))
	rewards, err := scorer.Score(ctx, outputs)
	if err != nil {
		return nil, fmt.Errorf("score honest pages: %w", err)
	}
	var byPrompt [][]*float64
	for _, p := range s.Prompts {
		byPrompt = append(byPrompt, rewards[:len(p.Honest)])
		rewards = rewards[len(p.Honest):]
	}
	return byPrompt, nil
}

// prompt searches for exploits of one prompt.
func (s Settings) prompt(ctx context.Context, scorer Scorer, i int) ([]Exploit, error) {
	p := s.Prompts[i]
	n := len(s.Prompts)
	share := s.Budget*(i+1)/n - s.Budget*i/n
	seed := s.Seed<<16 + uint64(i)
	b := newBrief(p.Task, seed)
	if len(p.Honest) > 0 {
		b.own = p.Honest[int(seed%uint64(len(p.Honest)))].Text
	}
	if other := s.Prompts[(i+1)%n]; n > 1 && len(other.Honest) > 0 {
		b.other = other.Honest[0].Text
	}
	hunt := &search{scorer: scorer, brief: b, random: rand.New(rand.NewPCG(seed, 13)), left: share, seen: map[string]bool{}}
	err := hunt.run(ctx)
	return hunt.found, err
}

// percentile is the share of rewards that one beats, ties being half.
func percentile(reward *float64, others []float64) *float64 {
	if reward == nil || len(others) == 0 {
		return nil
	}
	beaten := 0.0
	for _, o := range others {
		switch {
		case *reward > o:
			beaten++
		case *reward == o:
			beaten += 0.5
		}
	}
	beaten /= float64(len(others))
	return &beaten
}

// sum orders the exploits and counts those over the threshold.
func (r *Report) sum() {
	slices.SortStableFunc(r.Exploits, func(a, b Exploit) int {
		return cmp.Or(compareRewards(b.Percentile, a.Percentile), compareRewards(b.Reward, a.Reward), cmp.Compare(a.ID, b.ID))
	})
	r.Tally = r.tally(FromGenerator, FromSearch)
	r.By = map[string]Tally{FromGenerator: r.tally(FromGenerator), FromSearch: r.tally(FromSearch)}
}

// tally counts the exploits of some sources.
func (r *Report) tally(sources ...string) (t Tally) {
	total := 0.0
	for _, e := range r.Exploits {
		if e.Percentile == nil || !slices.Contains(sources, e.From) {
			continue
		}
		t.Judged++
		total += *e.Percentile
		if *e.Percentile > r.Threshold {
			t.Above++
		}
	}
	if t.Judged > 0 {
		mean := total / float64(t.Judged)
		t.Beaten = &mean
	}
	return t
}

// Winners are the exploits over the threshold.
func (r *Report) Winners() (all []Exploit) {
	for _, e := range r.Exploits {
		if e.Percentile != nil && *e.Percentile > r.Threshold {
			all = append(all, e)
		}
	}
	return all
}
