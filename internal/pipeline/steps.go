package pipeline

import (
	"context"

	"vitrine"
)

// BuildSite makes the site of an artifact as Score does, from the cache if it was
// built before.
func (p *Pipeline) BuildSite(ctx context.Context, a *vitrine.Artifact) (*vitrine.Site, error) {
	r, err := p.build(ctx, a)
	return r.Site, err
}

// Look captures a site without using the cache, with frames below dir.
func (p *Pipeline) Look(ctx context.Context, site *vitrine.Site, dir string) (*vitrine.Evidence, error) {
	return p.capturer.Site(ctx, site, p.settings.Capture, dir)
}
