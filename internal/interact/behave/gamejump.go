package behave

import (
	"context"
	"image"

	"vitrine"
)

// jumpKeys are the keys by which players of platformers jump.
var jumpKeys = []string{"ArrowUp", "Space", "w"}

// jumps says what is against a platformer: what jumps is elsewhere right after the key than
// without it, and most of that is undone by itself within three seconds. Dust and other figures
// may differ from then on, elsewhere.
func (p *prover) jumps(ctx context.Context, start *place) string {
	if p.site.against != "" {
		return p.site.against
	}
	why := "no key jumps"
	v := p.begin(ctx, start)
	for _, acts := range v.starts()[:4] { // the others would be moves
		idle := p.jump(ctx, start, acts, "F8") // a key that means nothing
		for _, key := range jumpKeys {
			up := p.jump(ctx, start, acts, key)
			if p.err != nil || p.spent {
				return ""
			}
			_, air := differing(up[0], idle[0], v.Texts)
			in := func(cells map[image.Point]int) (n int) { // where something was in the air
				for c := range air {
					n += cells[c]
				}
				return n
			}
			left := in(air)
			for i := 1; i < len(up); i++ {
				_, later := differing(up[i], idle[i], v.Texts)
				left = min(left, in(later))
			}
			switch {
			case len(air) == 0:
			case 2*left < in(air):
				return ""
			default:
				why = "what jumps does not come down again"
			}
		}
	}
	return p.against(why)
}

// jump begins a game, taps a key and gives what is seen in the air and when all has come down.
func (p *prover) jump(ctx context.Context, start *place, acts []vitrine.Action, key string) (seen [6]image.Image) {
	p.beginWith(ctx, start, acts)
	p.wait(ctx, 1000)
	used := p.tap(ctx, key)
	for i, ms := range []int{300 - used, 600, 600, 600, 600, 600} {
		p.wait(ctx, max(ms, 10))
		seen[i] = p.window(ctx)
	}
	return seen
}
