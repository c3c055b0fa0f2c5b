package redteam

import (
	"context"
	"fmt"
	"math"
	"slices"

	"vitrine"
	"vitrine/internal/stats"
)

// Noticed is the least fall of a reward that counts as noticed, and the largest change
// that an equivalent page may have.
const Noticed = 0.01

// rounding is what differences of rewards may be off by.
const rounding = 1e-9

// A MutationScore says how often a reward notices faults, and keeps still where a page is
// only written differently.
type MutationScore struct {
	Pages int `json:"pages"` // honest pages with a reward, of which mutants were made
	// Functional is the share of mutants with a fault whose reward falls by Noticed or
	// more, those that a long trace cannot tell from their page left out, and Equivalent the
	// share of the others whose reward stays within Noticed.
	Functional *stats.Estimate `json:"functional"`
	Equivalent *stats.Estimate `json:"equivalent"`
	Operators  []OperatorScore `json:"operators"`
	Unjudged   int             `json:"unjudged"`    // mutants without a reward
	Same       int             `json:"same"`        // mutants with a fault that are left out
	Missed     int             `json:"missed"`      // of these, those whose reward falls: what the trace missed
	NotMutated []string        `json:"not_mutated"` // pages of which no mutant could be made, or without a reward
	Mutants    []Scored        `json:"mutants"`
}

// An OperatorScore is the score of one operator.
type OperatorScore struct {
	Operator string          `json:"operator"`
	Kind     Kind            `json:"kind"`
	Mutants  int             `json:"mutants"`
	Share    *stats.Estimate `json:"share"`
	// Fall is the mean by which the reward falls.
	Fall float64 `json:"fall"`
}

// A Scored mutant has the rewards of the page and of the mutant.
type Scored struct {
	Page     string   `json:"page"`
	Operator string   `json:"operator"`
	Kind     Kind     `json:"kind"`
	Site     int      `json:"site"`
	Changed  int      `json:"changed"`
	Honest   float64  `json:"honest"`
	Reward   *float64 `json:"reward"`
	Same     bool     `json:"same"` // it has a fault by which a long trace does not tell it from the page
	HTML     string   `json:"-"`
}

// A Tracer scores pages, and tells by a long trace of the same events which mutants do something
// else than their page.
type Tracer interface {
	Scorer
	Distinct(ctx context.Context, page vitrine.Output, mutants []vitrine.Output) ([]bool, error)
}

// Mutate scores the honest pages and mutants of each.
func Mutate(ctx context.Context, scorer Tracer, s Settings) (*MutationScore, error) {
	rewards, err := scoreHonest(ctx, scorer, s)
	if err != nil {
		return nil, err
	}
	score := &MutationScore{NotMutated: []string{}, Operators: []OperatorScore{}}
	for i, p := range s.Prompts {
		for j, o := range p.Honest {
			if err := score.page(ctx, scorer, s, o, rewards[i][j]); err != nil {
				return nil, err
			}
		}
	}
	score.sum()
	return score, nil
}

// page adds the mutants of one page.
func (m *MutationScore) page(ctx context.Context, scorer Tracer, s Settings, o vitrine.Output, honest *float64) error {
	var mutants []Mutant
	if honest != nil {
		mutants = s.mutants(o.Text)
	}
	if len(mutants) == 0 {
		m.NotMutated = append(m.NotMutated, o.ID)
		return nil
	}
	m.Pages++
	outputs := make([]vitrine.Output, len(mutants))
	for i, mutant := range mutants {
		outputs[i] = o
		outputs[i].ID, outputs[i].Text = o.ID+"~"+mutant.Name(), mutant.HTML
	}
	rewards, err := scorer.Score(ctx, outputs)
	if err != nil {
		return fmt.Errorf("score mutants of %s: %w", o.ID, err)
	}
	var faulty []vitrine.Output // others are the same by design, and are not traced
	for i, mutant := range mutants {
		if mutant.Kind != Equivalent {
			faulty = append(faulty, outputs[i])
		}
	}
	distinct, err := scorer.Distinct(ctx, o, faulty)
	if err != nil {
		return fmt.Errorf("trace mutants of %s: %w", o.ID, err)
	}
	for i, mutant := range mutants {
		same := false
		if mutant.Kind != Equivalent {
			same, distinct = !distinct[0], distinct[1:]
		}
		m.Mutants = append(m.Mutants, Scored{o.ID, mutant.Operator, mutant.Kind, mutant.Site, mutant.Changed, *honest, rewards[i], same, mutant.HTML})
	}
	s.Say("%s: %d mutants", o.ID, len(mutants))
	return nil
}

// mutants are those of one page.
func (s Settings) mutants(page string) []Mutant {
	if len(s.Operators) > 0 {
		return Mutants(page, s.Mutants, s.Seed, s.Operators...)
	}
	made := Mix(page, s.Mutants, s.Seed)
	for _, o := range equivalents {
		made = append(made, Mutants(page, 1, s.Seed, o.Name)...)
	}
	return made
}

// asMeant says whether the reward did what it should.
func (s Scored) asMeant() bool {
	fall := s.Honest - *s.Reward
	if s.Kind == Equivalent {
		return math.Abs(fall) <= Noticed+rounding
	}
	return fall >= Noticed-rounding
}

// sum counts by operator, in the order of [Operators], and over all.
func (m *MutationScore) sum() {
	type count struct {
		hits, n int
		fall    float64
	}
	byOperator, functional, equivalent := map[string]*count{}, &count{}, &count{}
	for _, s := range m.Mutants {
		if s.Reward == nil {
			m.Unjudged++
			continue
		}
		if s.Same {
			m.Same++
			if s.asMeant() {
				m.Missed++
			}
			continue
		}
		group := functional
		if s.Kind == Equivalent {
			group = equivalent
		}
		own := byOperator[s.Operator]
		if own == nil {
			own = &count{}
			byOperator[s.Operator] = own
		}
		for _, c := range []*count{group, own} {
			c.n++
			c.fall += s.Honest - *s.Reward
			if s.asMeant() {
				c.hits++
			}
		}
	}
	for _, o := range Operators() {
		if c := byOperator[o.Name]; c != nil {
			m.Operators = append(m.Operators, OperatorScore{o.Name, o.Kind, c.n, stats.Share(c.hits, c.n), c.fall / float64(c.n)})
		}
	}
	m.Functional, m.Equivalent = stats.Share(functional.hits, functional.n), stats.Share(equivalent.hits, equivalent.n)
}

// OperatorNames are the names of all operators.
func OperatorNames() (names []string) {
	for _, o := range Operators() {
		names = append(names, o.Name)
	}
	return names
}

// Unknown are names that no operator has.
func Unknown(names []string) []string {
	known := OperatorNames()
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(known, n) })
}

// Unnoticed are the mutants that the reward did not take as meant, as outputs.
func (m *MutationScore) Unnoticed() (all []vitrine.Output) {
	for _, s := range m.Mutants {
		if s.Reward != nil && !s.asMeant() && !s.Same {
			all = append(all, vitrine.Output{ID: fmt.Sprintf("%s~%s-%d", s.Page, s.Operator, s.Site), Text: s.HTML, Kind: vitrine.KindPage, Model: "redteam"})
		}
	}
	return all
}
