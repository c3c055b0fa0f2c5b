package pipeline

import "vitrine/internal/reward"

// WithRecipe is the pipeline by another recipe. It shares browser, cache, builders and
// the work under way with p, and lives as long: it is not closed by itself. Models look
// only if the recipe reads what they say, or if protocols were asked for by name; the
// same holds for how sites are exercised.
func (p *Pipeline) WithRecipe(r *reward.Recipe) *Pipeline {
	s := p.asked
	s.Recipe = r
	if s.Vision != nil && s.Vision.Check(r) != nil {
		s.Vision = nil
	}
	s.Interact = s.interaction()
	return &Pipeline{s, p.shared}
}
