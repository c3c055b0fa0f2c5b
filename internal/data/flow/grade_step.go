package flow

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/judge/vlm"
)

// Grade has a model say of each instruction, without any site, how safe, clear or
// interactive it is, by one of the protocols filter-… (WebDevJudge, A.1; WebGen-R1, G.3).
// Rows get the score and its reason; the step filter decides.
type Grade struct {
	Model   string          `yaml:"model" json:"model"` // role
	By      string          `yaml:"by" json:"by"`       // protocol
	Field   string          `yaml:"field" json:"field"` // that gets the score; default: the protocol without filter-
	Profile vitrine.Profile `yaml:"profile" json:"profile,omitempty"`
}

func (s *Grade) asks() []string { return []string{s.Model} }

// filters are the protocols that read an instruction alone.
func filters() []string {
	return slices.DeleteFunc(vlm.Protocols(false), func(name string) bool { return !strings.HasPrefix(name, "filter-") })
}

func (s *Grade) check(*Pipeline) error {
	if !slices.Contains(filters(), s.By) {
		return fmt.Errorf("by: %q is none of %v", s.By, filters())
	}
	if s.Profile != "" && !slices.Contains(vitrine.Profiles, s.Profile) {
		return fmt.Errorf("profile: %q is none of %v", s.Profile, vitrine.Profiles)
	}
	s.Field = cmp.Or(s.Field, strings.TrimPrefix(s.By, "filter-"))
	return nil
}

func (s *Grade) run(w *work) error {
	judge := &vlm.Judge{Asker: w.asking.Asker, Settings: vlm.Settings{Protocol: s.By, Model: w.asking.Models[s.Model].Ask, Profile: s.Profile}}
	return w.ask(func(ctx context.Context, r inputs.Record) (m made, err error) {
		if r.Instruction == "" {
			return m, unfit("no instruction")
		}
		j, err := judge.Judge(ctx, vlm.Subject{Instruction: r.Instruction})
		if err != nil {
			return m, err
		}
		row, err := setAll(r.Row, map[string]any{s.Field: j.Scores[s.By], s.Field + "_why": j.Feedback})
		m.rows = []any{row}
		return m, err
	})
}
