package pipeline

import "vitrine/internal/reward"

// Under is the pipeline by another recipe. It shares browser, cache and builders
// with p, and lives as long: it is not closed by itself. Models look only if the
// recipe reads what they say, or if protocols were asked for by name; the same holds
// for how sites are exercised.
func (p *Pipeline) Under(r *reward.Recipe) *Pipeline {
	s := p.settings
	s.Recipe = r
	if s.Vision != nil && s.Vision.Check(r) != nil {
		s.Vision = nil
	}
	s.Interact = s.interaction()
	return &Pipeline{settings: s, browser: p.browser, capturer: p.capturer, cache: p.cache, builds: p.builds, projects: p.projects}
}
