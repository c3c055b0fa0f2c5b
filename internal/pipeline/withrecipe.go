package pipeline

import (
	"cmp"

	"vitrine"
	"vitrine/internal/interact/behave"
	"vitrine/internal/reward"
)

// WithRecipe is the pipeline by another recipe, in the profile of that recipe unless one was
// asked for. It shares browser, cache, builders and
// the work under way with p, and lives as long: it is not closed by itself. Models look
// only if the recipe reads what they say, or if protocols were asked for by name; the
// same holds for how sites are exercised.
func (p *Pipeline) WithRecipe(r *reward.Recipe) *Pipeline {
	s := p.asked
	s.Recipe = r
	if s.Vision != nil && s.Vision.Check(r) != nil {
		s.Vision = nil
	}
	s.adapt()
	return &Pipeline{s, p.shared}
}

// adapt fits how models look and sites are exercised to the recipe and its profile.
func (s *Settings) adapt() {
	s.Profile = cmp.Or(s.Profile, s.Recipe.Profile, vitrine.ProfileVitrine)
	if s.Vision != nil {
		v := *s.Vision
		v.Settings.Profile = s.Profile
		s.Vision = &v
	}
	s.Interact = s.interaction()
}

// Seed is that of what behave types into sites; nil where behave does not exercise any.
func (p *Pipeline) Seed() []byte {
	if i := p.asked.Interact; i != nil {
		for _, m := range []any{i.Method, i.Prover} {
			if b, ok := m.(*behave.Prover); ok {
				return b.Seed
			}
		}
	}
	return nil
}

// WithTasks is the pipeline with the tasks of outputs that bring their own. With none, they
// are no part of its provenance.
func (p *Pipeline) WithTasks(tasks map[string]vitrine.Task) *Pipeline {
	s := p.settings
	s.Tasks = tasks
	return &Pipeline{s, p.shared}
}

// WithSeed is the pipeline with another seed of behave; p where that changes nothing.
func (p *Pipeline) WithSeed(seed []byte) *Pipeline {
	if len(seed) == 0 || p.settings.Interact == nil {
		return p
	}
	b, ok := p.settings.Interact.Method.(*behave.Prover)
	if !ok {
		return p
	}
	s, own := p.settings, *b
	own.Seed = seed
	i := *s.Interact
	i.Method = &own
	s.Interact = &i
	return &Pipeline{s, p.shared}
}
