package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine/internal/interact"
)

// ranking are options of a list of roles with the most rights.
var ranking = regexp.MustCompile(`(?i)\b(admin\w*|owner|manager)\b|管理员`)

// gated reports whether a view is little but a form with a password, behind which the site
// lies.
func gated(v *view) bool {
	asks := slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool { return usable(v, f) })
	return asks && len(v.Controls) <= 14 && len(wordsOf(v.Text)) <= 90
}

// pass goes through the gate of a site, where its start is one, by an account that the site
// names or that is made for it, and explores from there: all ways then begin with it.
func (p *prover) pass(ctx context.Context) error {
	m := p.site
	if !gated(m.places[0].view) {
		return nil
	}
	inside := p.register(ctx)
	if inside == nil || p.err != nil {
		return p.err
	}
	outer := m.places
	m.gate = len(inside.way)
	m.places = []*place{inside}
	if err := m.beyond(ctx, p.session, p.left); err != nil {
		return err
	}
	m.places = append(m.places, outer...)
	return nil
}

// register enters by the named account, or else makes one and logs in with it where that
// alone does not let in. Nil where nothing does.
func (p *prover) register(ctx context.Context) *place {
	doors := p.doors(loginWords, registerWords, 1)
	if name, secret := p.shownAccount(); name != "" && len(doors) > 0 {
		p.steps = nil
		v := p.open(ctx, doors[0].place)
		p.enterAs(ctx, v, doors[0], name, secret)
		if in := p.arrived(ctx, doors[0].place, v); in != nil {
			return in
		}
	}
	for _, reg := range top(p.doors(registerWords, loginWords, 1), 2) {
		p.steps = nil
		v := p.open(ctx, reg.place)
		form, ok := v.form(reg.form)
		if !ok {
			continue
		}
		f := p.fill(ctx, v, form)
		for _, e := range f.entries {
			if i := slices.IndexFunc(e.facts.Options, ranking.MatchString); i >= 0 && e.control.Tag == "select" {
				p.choose(ctx, e.control.Path, e.facts.Options[i])
			}
		}
		p.agree(ctx, v, form)
		p.submit(ctx, p.look(ctx), form, registerWords)
		if in := p.arrived(ctx, reg.place, v); in != nil {
			return in
		}
		name, other, secret := credentials(f)
		if name == "" {
			name = other
		}
		for _, door := range doors {
			if door.form.Path == reg.form.Path {
				continue
			}
			now := p.toDoor(ctx, door)
			p.enterAs(ctx, now, door, name, secret)
			if in := p.arrived(ctx, reg.place, now); in != nil {
				return in
			}
		}
	}
	return nil
}

// arrived is the place behind the gate, with all that was done since the fresh state as the
// way there; nil where nobody is let in.
func (p *prover) arrived(ctx context.Context, from *place, before *view) *place {
	p.wait(ctx, 2000)
	v := p.look(ctx)
	if p.err != nil || !p.isIn(v, before) || gated(v) {
		return nil
	}
	in := &place{route: from.route, view: v}
	for _, s := range p.steps {
		if s.Failed == "" {
			in.way = append(in.way, s.Action)
		}
	}
	return in
}
