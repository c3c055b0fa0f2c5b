package behave

import (
	"context"
	"crypto/sha256"

	"vitrine"
)

// scene proves that something moves: by itself between three moments of the page's clock,
// or as the pointer drags, turns the wheel or hovers, and then differently for different
// ways. (Relation 28.)
func scene(ctx context.Context, p *prover) answer {
	start := p.site.places[0]
	v := p.open(ctx, start)
	seen := map[[32]byte]bool{}
	for range 4 {
		seen[p.picture(ctx)] = true
		p.wait(ctx, 400)
	}
	if p.err == nil && len(seen) >= 3 {
		return works("the picture differs at %d of 4 moments", len(seen))
	}
	for _, c := range v.Controls {
		if c.Tag != "canvas" && c.Role != "clickable" && c.Role != "img" {
			continue
		}
		left := p.dragged(ctx, start, c.Path, -120)
		right := p.dragged(ctx, start, c.Path, 120)
		if p.err == nil && left != right {
			return works("dragging %s to the left and to the right shows different pictures", c.Path)
		}
	}
	for _, c := range top(v.Controls, 4) {
		p.open(ctx, start)
		before := p.picture(ctx)
		p.do(ctx, vitrine.Action{Kind: vitrine.ActHover, Target: at(c.Path)})
		if p.err == nil && p.picture(ctx) != before {
			return works("hovering over %s shows", c.Path)
		}
	}
	return fails("nothing moves, by itself or under the pointer")
}

func (p *prover) dragged(ctx context.Context, start *place, path string, by float64) [32]byte {
	p.open(ctx, start)
	p.do(ctx, vitrine.Action{Kind: vitrine.ActDrag, Target: at(path), DX: by, DY: by / 4})
	return p.picture(ctx)
}

// picture is the window as it stands, as a hash.
func (p *prover) picture(ctx context.Context) [32]byte {
	if p.err != nil {
		return [32]byte{}
	}
	data, err := p.session.Picture(ctx)
	p.err = err
	return sha256.Sum256(data)
}
