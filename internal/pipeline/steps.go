package pipeline

import (
	"context"

	"vitrine"
)

// Look captures a site anew, whatever the cache holds, with frames below dir.
func (p *Pipeline) Look(ctx context.Context, site *vitrine.Site, dir string) (*vitrine.Evidence, error) {
	return p.capturer.Site(ctx, site, p.settings.Capture, dir)
}
