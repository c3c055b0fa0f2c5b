package behave

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// pointed are words of instructions that ask for a scene that answers to the pointer.
var pointed = regexp.MustCompile(`(?i)\b(drag\w*|mouse|pointer|cursor|hover\w*|orbit ?controls?|wheel|interactive(ly)?|click\w*|rotate(d|s)? (it|the|by|with))\b|拖|鼠标|悬停|点击|交互`)

// leastMotion is the share of the window that differs, at least, where a scene moves: about
// a thousand points, more than a dot.
const leastMotion = 0.001

// scene proves that a drawing moves: outside of texts the picture differs, and not by a
// dot alone, between three moments of the page's clock; where the instruction asks for the
// pointer, dragging or hovering shows another picture at the same moment than doing
// nothing does. What does not move by itself must move under the pointer. It cheats who
// changes the title, a text or a dot. (Relation 28.)
func scene(ctx context.Context, p *prover) answer {
	start := p.site.places[0]
	moves := p.movesItself(ctx, start)
	if moves && !pointed.MatchString(p.need.Quote+" "+p.need.Verb) {
		return works("the picture differs from moment to moment")
	}
	if how := p.answers(ctx, start); how != "" {
		return works("%s shows another picture", how)
	}
	if p.err == nil && moves && !p.repeats(ctx, start) {
		return works("the picture differs from moment to moment, and otherwise each time")
	}
	if moves {
		return fails("it moves by itself, and the pointer changes nothing")
	}
	return fails("nothing moves, by itself or under the pointer")
}

// movesItself reports whether the picture differs in two of three intervals.
func (p *prover) movesItself(ctx context.Context, start *place) bool {
	v := p.open(ctx, start)
	before, n := p.window(ctx), 0
	for range 3 {
		p.wait(ctx, 400)
		after := p.window(ctx)
		if now := p.look(ctx); differing(before, after, append(slices.Clone(v.Texts), now.Texts...)) >= leastMotion {
			n++
		}
		before = after
	}
	return p.err == nil && n >= 2
}

// differing is the share of points that differ between two pictures outside of texts.
func differing(a, b image.Image, texts []interact.TextBox) float64 {
	if a == nil || b == nil || a.Bounds() != b.Bounds() {
		return 0
	}
	const step = 2
	n, all := 0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y += step {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x += step {
			all++
			if r, g, bl, _ := a.At(x, y).RGBA(); !alike(r, g, bl, b, x, y) && !slices.ContainsFunc(texts, func(t interact.TextBox) bool { return within(t.Box, x, y) }) {
				n++
			}
		}
	}
	return float64(n) / float64(max(all, 1))
}

// alike reports whether a point of a picture has a colour, but for what cannot be seen.
func alike(r, g, b uint32, in image.Image, x, y int) bool {
	r2, g2, b2, _ := in.At(x, y).RGBA()
	const seen = 8 << 8
	return max(r, r2)-min(r, r2) < seen && max(g, g2)-min(g, g2) < seen && max(b, b2)-min(b, b2) < seen
}

func within(b vitrine.Box, x, y int) bool {
	return float64(x) >= b.X && float64(x) < b.X+b.W && float64(y) >= b.Y && float64(y) < b.Y+b.H
}

// answers says what a person can do under which the scene shows another picture than at the
// same moment without; empty for nothing.
func (p *prover) answers(ctx context.Context, start *place) string {
	v := p.open(ctx, start)
	for _, c := range v.Controls {
		if c.Tag != "canvas" && c.Role != "clickable" && c.Role != "img" {
			continue
		}
		left := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: -120, DY: -30})
		right := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActDrag, Target: at(c.Path), DX: 120, DY: 30})
		if p.err == nil && differing(left, right, nil) >= leastMotion/4 {
			return "dragging " + c.Path
		}
	}
	for _, c := range top(v.Controls, 4) {
		idle := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActWait, MS: 100})
		over := p.after(ctx, start, vitrine.Action{Kind: vitrine.ActHover, Target: at(c.Path)})
		if p.err == nil && differing(idle, over, nil) > 0 {
			return "hovering over " + strings.TrimSpace(c.Name+" "+c.Path)
		}
	}
	return ""
}

// repeats reports whether the scene shows the same picture at the same moment each time.
func (p *prover) repeats(ctx context.Context, start *place) bool {
	idle := vitrine.Action{Kind: vitrine.ActWait, MS: 100}
	return differing(p.after(ctx, start, idle), p.after(ctx, start, idle), nil) == 0
}

// after is the window two seconds of page time after a fresh start, with an act in between.
func (p *prover) after(ctx context.Context, start *place, a vitrine.Action) image.Image {
	p.open(ctx, start)
	used := p.do(ctx, a).PageMS
	p.wait(ctx, max(2000-used, 100))
	return p.window(ctx)
}

// window is the window as it stands; nil where it cannot be taken.
func (p *prover) window(ctx context.Context) image.Image {
	if p.err != nil {
		return nil
	}
	data, err := p.session.Picture(ctx)
	if p.err = err; err != nil {
		return nil
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return img
}
