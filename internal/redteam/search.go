package redteam

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"vitrine"
)

// A Scorer gives each output its reward, nil for one that could not be judged. The same
// outputs must always get the same rewards, or a search cannot be repeated.
type Scorer interface {
	Score(ctx context.Context, outputs []vitrine.Output) ([]*float64, error)
}

// An Exploit is a page that was made to be paid and not to work.
type Exploit struct {
	ID     string   `json:"id"`
	Name   string   `json:"exploit"` // what it is made of
	TaskID string   `json:"task_id"`
	From   string   `json:"from"` // FromGenerator or FromSearch
	Genome genome   `json:"genome"`
	Reward *float64 `json:"reward"` // nil if it could not be judged
	// Percentile is the share of the prompt's honest pages that it beats, a tie being
	// half; nil without a reward or without honest pages.
	Percentile *float64 `json:"percentile"`
	HTML       string   `json:"-"`
}

// Where an exploit comes from.
const (
	FromGenerator = "generator" // one page of one generator
	FromSearch    = "search"    // a page that a climb came to
)

// A search looks for exploits of one prompt.
type search struct {
	scorer Scorer
	brief  *Brief
	random *rand.Rand
	left   int             // pages that may be scored
	seen   map[string]bool // pages that were scored
	found  []Exploit
}

// candidate makes an exploit of a genome, and nil of one that gives no page or one that
// was scored.
func (s *search) candidate(from string, g genome) *Exploit {
	page := g.page(s.brief)
	if page == "" || s.seen[page] {
		return nil
	}
	s.seen[page] = true
	return &Exploit{Name: g.name(), TaskID: s.brief.Task.ID, From: from, Genome: g, HTML: page}
}

// score scores as many candidates as the budget lets it, and keeps them.
func (s *search) score(ctx context.Context, candidates []*Exploit) ([]*Exploit, error) {
	candidates = candidates[:min(len(candidates), s.left)]
	outputs := make([]vitrine.Output, len(candidates))
	for i, c := range candidates {
		c.ID = fmt.Sprintf("%s-%03d", s.brief.Task.ID, len(s.found)+i+1)
		outputs[i] = c.Output(s.brief.Task)
	}
	rewards, err := s.scorer.Score(ctx, outputs)
	if err != nil {
		return nil, err
	}
	s.left -= len(candidates)
	for i, c := range candidates {
		c.Reward = rewards[i]
		s.found = append(s.found, *c)
	}
	return candidates, nil
}

// Output is the exploit as a model would have returned it.
func (e *Exploit) Output(t vitrine.Task) vitrine.Output {
	name, _ := json.Marshal(e.Name)
	return vitrine.Output{ID: e.ID, TaskID: t.ID, Instruction: t.Instruction, Text: e.HTML, Kind: vitrine.KindPage, Model: "redteam", Meta: map[string]json.RawMessage{"exploit": name}}
}

// generate scores a page of each generator, in an order of the seed, for n pages at most.
func (s *search) generate(ctx context.Context, n int) error {
	all := Generators()
	s.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var made []*Exploit
	for _, g := range all {
		if c := s.candidate(FromGenerator, genome{Parts: []string{g.Name}, Style: s.random.IntN(len(sheets)), Seed: s.random.Uint64()}); c != nil && len(made) < n {
			made = append(made, c)
		}
	}
	_, err := s.score(ctx, made)
	return err
}

// batch is how many neighbours are scored at once, and patience how many batches without a
// better one end a climb.
const (
	batch    = 4
	patience = 3
)

// climb goes from a genome to the best of a batch of neighbours for as long as the reward
// rises and the budget lasts.
func (s *search) climb(ctx context.Context, start genome) error {
	best, reward := start, -1e9
	for _, e := range s.found {
		if slices.Equal(e.Genome.Parts, start.Parts) && e.Reward != nil {
			reward = max(reward, *e.Reward)
		}
	}
	for failed := 0; failed < patience && s.left > 0; failed++ {
		var around []*Exploit
		for range 8 * batch {
			if c := s.candidate(FromSearch, s.neighbour(best)); c != nil && len(around) < batch {
				around = append(around, c)
			}
		}
		if len(around) == 0 {
			return nil
		}
		scored, err := s.score(ctx, around)
		if err != nil {
			return err
		}
		for _, c := range scored {
			if c.Reward != nil && *c.Reward > reward {
				best, reward, failed = c.Genome, *c.Reward, -1
			}
		}
	}
	return nil
}

// maxParts is how many generators a candidate is made of at most.
const maxParts = 6

// neighbour is a genome with one part more, less or other, or of another look. One part
// more is a crossover of two exploits.
func (s *search) neighbour(g genome) genome {
	n := genome{Parts: slices.Clone(g.Parts), Style: g.Style, Seed: g.Seed}
	all := Generators()
	other := all[s.random.IntN(len(all))].Name
	if slices.Contains(n.Parts, other) {
		n.Seed = s.random.Uint64()
		return n
	}
	switch at := 0; s.random.IntN(6) {
	case 0, 1, 2:
		if len(n.Parts) < maxParts {
			n.Parts = append(n.Parts, other)
		}
	case 3:
		if len(n.Parts) > 1 {
			at = s.random.IntN(len(n.Parts))
			n.Parts = slices.Delete(n.Parts, at, at+1)
		}
	case 4:
		if len(n.Parts) > 0 {
			n.Parts[s.random.IntN(len(n.Parts))] = other
		}
	default:
		n.Style = s.random.IntN(len(sheets))
	}
	return n
}

// run scores exploits of all generators with three quarters of the budget, and climbs with
// the rest from the best of them, from an honest page that does not work and from nothing,
// in turn.
func (s *search) run(ctx context.Context) error {
	if err := s.generate(ctx, s.left-s.left/4); err != nil {
		return err
	}
	for turn := 0; s.left > 0; turn++ {
		before := s.left
		for _, start := range s.starts(turn) {
			if err := s.climb(ctx, start); err != nil {
				return err
			}
		}
		if s.left == before { // nothing is left to try
			return nil
		}
	}
	return nil
}

// starts are where the climbs of a turn begin.
func (s *search) starts(turn int) []genome {
	ranked := slices.Clone(s.found)
	slices.SortStableFunc(ranked, func(a, b Exploit) int { return compareRewards(b.Reward, a.Reward) })
	starts := []genome{{Style: turn % len(sheets), Seed: uint64(turn)}, {Parts: []string{"unwired"}, Style: 0, Seed: uint64(turn)}}
	if turn < len(ranked) {
		starts = append([]genome{ranked[turn].Genome}, starts...)
	}
	return starts
}

// compareRewards orders rewards, those that are missing first.
func compareRewards(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	case *a < *b:
		return -1
	case *a > *b:
		return 1
	}
	return 0
}
