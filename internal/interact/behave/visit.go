package behave

import (
	"context"
	"slices"
	"strings"

	"vitrine"
)

// visit goes to a place without a fresh state: by its way from the page as it stands,
// to the start by what leads back there.
func (p *prover) visit(ctx context.Context, to *place, texts ...string) *view {
	way := p.beyondGate(ctx, to)
	if len(way) == 0 {
		return p.home(ctx, p.start(to), texts...)
	}
	for _, a := range way {
		step := p.do(ctx, a)
		if strings.Contains(step.Failed, "covered") {
			p.uncover(ctx)
			step = p.do(ctx, a)
		}
		if step.Failed == "" {
			continue
		}
		if to.via.Name != "" {
			p.do(ctx, vitrine.Action{Kind: a.Kind, Text: a.Text, Target: &vitrine.Target{Role: to.via.Role, Name: to.via.Name}})
		}
		break
	}
	return p.look(ctx, texts...)
}

// beyondGate is what is left of the way to a place where the page stands behind its log-in
// already. Who is logged in as another is logged out first.
func (p *prover) beyondGate(ctx context.Context, to *place) []vitrine.Action {
	from := p.site.inside
	p.site.inside = to
	if to.gate == 0 || from == nil || from.gate == 0 {
		return to.way
	}
	now := p.look(ctx)
	if gated(now) {
		return to.way
	}
	if sameWay(from.way[:from.gate], to.way[:to.gate]) {
		return to.way[to.gate:]
	}
	for _, c := range now.Controls {
		if clickable(c) && !c.Covered && logoutLabel.MatchString(c.Name) {
			p.click(ctx, c.Path)
			break
		}
	}
	return to.way
}

func sameWay(a, b []vitrine.Action) bool {
	return slices.EqualFunc(a, b, func(x, y vitrine.Action) bool {
		return x.Kind == y.Kind && x.Text == y.Text && (x.Target == nil) == (y.Target == nil) && (x.Target == nil || x.Target.CSS == y.Target.CSS)
	})
}

// start is the place where the ways to others begin: the first of the site, or the first
// one behind the log-in.
func (p *prover) start(of *place) *place {
	for _, pl := range p.site.places {
		if p.site.depth(pl) == 0 && pl.gate == of.gate && sameWay(pl.way, of.way[:of.gate]) && pl.route == of.route {
			return pl
		}
	}
	return of
}

// uncover closes what lies over the page: by Escape, then by a control that says so.
func (p *prover) uncover(ctx context.Context) {
	before := p.look(ctx)
	p.press(ctx, "", "Escape")
	now := p.look(ctx)
	if !sameControls(before, now) {
		return
	}
	for _, c := range now.Controls {
		if clickable(c) && !c.Covered && cancelLabel.MatchString(c.Name) {
			p.click(ctx, c.Path)
			return
		}
	}
}

// home goes back to the start, by a list whose choice led away, or by a control that is
// named so or that changed nothing there.
func (p *prover) home(ctx context.Context, to *place, texts ...string) *view {
	now := p.look(ctx, texts...)
	back := func() bool { return !differs(now.survey.Main, to.view.survey.Main, 12) || sameControls(now, to.view) }
	if back() {
		return now
	}
	here := map[string]bool{}
	for _, o := range p.site.openers {
		leads := o.region == "nav" || o.region == "header" || o.region == "aside" || o.region == "tablist" || o.control.Role == "tab" || strings.HasPrefix(o.href, "#")
		if o.depth == 0 && o.view == nil && leads {
			here[o.control.Path] = true
		}
	}
	for _, c := range now.Controls {
		old, _, ok := to.view.control(c.Path)
		switch {
		case c.Covered || !ok && !homeLabel.MatchString(c.Name):
			continue
		case c.Tag == "select" && old.Value != c.Value && p.site.opened(c.Path):
			p.choose(ctx, c.Path, old.Value)
			return p.look(ctx, texts...)
		case !clickable(c) || !homeLabel.MatchString(c.Name) && (old.Name != c.Name || !here[c.Path]):
			continue
		}
		p.click(ctx, c.Path)
		if now = p.look(ctx, texts...); back() {
			break
		}
	}
	return now
}
