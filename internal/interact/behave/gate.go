package behave

import (
	"context"
	"regexp"
	"slices"

	"vitrine/internal/interact"
)

// ranking are options of a list of roles with the most rights.
var ranking = regexp.MustCompile(`(?i)\b(admin\w*|owner|manager)\b|管理员`)

// gated reports whether a view is little but a form to log in with, behind which the site
// lies: one with a password, or one that asks who it is.
func gated(v *view) bool {
	asks := slices.ContainsFunc(v.survey.Forms, func(f interact.Form) bool { return usable(v, f) || asksWho(v, f) })
	return asks && len(v.Controls) <= 14 && len(wordsOf(v.Text)) <= 130
}

// asksWho reports whether a form of one or two fields is sent off by a button to log in, or asks
// for nothing but a person's name to go on.
func asksWho(v *view, f interact.Form) bool {
	if len(f.Fields) == 0 || len(f.Fields) > 2 {
		return false
	}
	first, facts, ok := v.control(f.Fields[0])
	who := ok && len(f.Fields) == 1 && textField(first) && ownNameLabel.MatchString(first.Name+" "+facts.Placeholder+" "+f.Title)
	return slices.ContainsFunc(f.Buttons, func(b string) bool {
		c, _, ok := v.control(b)
		return ok && (matches(c.Name, loginWords) > 75 || who && entersLabel.MatchString(c.Name))
	})
}

var (
	ownNameLabel = regexp.MustCompile(`(?i)\b(your (first |full |own )?|user ?|nick ?|display )name\b|\bwho (are you|is (voting|playing|there))\b|你的名字`)
	entersLabel  = regexp.MustCompile(`(?i)^\W*(join( in)?|enter|start|continue|go( on)?|let'?s go|come in|begin|next)\b`)
)

// pass goes through the gate of a site, where its start is one, by accounts that the site
// names or by one that is made for it, and explores from there: all ways then begin with
// it. Where one named account has more rights than another, both are used.
func (p *prover) pass(ctx context.Context) error {
	m := p.site
	if !gated(m.places[0].view) {
		return p.passInner(ctx)
	}
	insides := p.entrances(ctx)
	if len(insides) == 0 || p.err != nil {
		return p.err
	}
	outer, openers := m.places, m.openers
	m.places = nil
	for _, inside := range insides {
		inside.gate = len(inside.way)
		others, known := m.places, m.openers
		m.places, m.openers = []*place{inside}, nil
		if err := m.beyond(ctx, p.session, p.left); err != nil {
			return err
		}
		m.places, m.openers = append(others, m.places...), append(known, m.openers...)
	}
	m.places, m.openers = append(m.places, outer...), append(openers, m.openers...)
	return nil
}

// passInner goes on into a part of the site, as its administration, that has a form with a password and
// names the account that it takes, and explores that part as well.
func (p *prover) passInner(ctx context.Context) error {
	m, doors := p.site, 0
	for _, pl := range slices.Clone(m.places) {
		i := slices.IndexFunc(pl.view.survey.Forms, func(f interact.Form) bool { return usable(pl.view, f) })
		if i < 0 || len(pl.way) == 0 || doors == 2 {
			continue
		}
		doors++
		for _, account := range top(accountsOf([]*place{pl}), 3) {
			inside := p.loggedInBy(ctx, hit{place: pl, form: pl.view.survey.Forms[i]}, account)
			if inside == nil {
				continue
			}
			inside.gate = len(inside.way)
			outer, openers := m.places, m.openers
			m.places, m.openers = []*place{inside}, nil
			err := m.from(ctx, p.session, inside, p.left)
			m.places, m.openers = append(outer, m.places...), append(openers, m.openers...)
			return err
		}
	}
	return p.err
}

// loggedInBy is the place that logging in with an account leads to; nil where the login fails.
func (p *prover) loggedInBy(ctx context.Context, door hit, a account) *place {
	for _, path := range door.form.Fields {
		if c, _, ok := door.place.view.control(path); ok && textField(c) && c.Type != "password" && c.Value != "" { // the form has the name, and the page names the password
			a.name = c.Value
		}
	}
	p.steps, p.site.last = nil, moment{}
	v := p.open(ctx, door.place)
	p.enterAs(ctx, v, door, a.name, a.secret)
	return p.arrived(ctx, door.place, v)
}

// entrances are the places behind the gate: by named accounts, by buttons that fill one in,
// by the choice of a person, or by an account that is made.
func (p *prover) entrances(ctx context.Context) (all []*place) {
	doors := p.doors(loginWords, registerWords, 1)
	ranked := map[bool]bool{}
	for _, a := range top(p.named(), 6) {
		if len(doors) == 0 || ranked[a.ranked] {
			continue
		}
		p.steps = nil
		v := p.open(ctx, doors[0].place)
		p.enterAs(ctx, v, doors[0], a.name, a.secret)
		if in := p.arrived(ctx, doors[0].place, v); in != nil {
			all, ranked[a.ranked] = append(all, in), true
		}
	}
	for _, other := range []func(context.Context) []*place{p.filledIn, p.chosen} {
		if len(all) == 0 {
			all = other(ctx)
		}
	}
	if len(all) > 0 {
		return all
	}
	if in := p.register(ctx, doors); in != nil {
		return []*place{in}
	}
	return nil
}

// fillerLabel are labels of buttons by which demonstrations fill an account in.
var fillerLabel = regexp.MustCompile(`(?i)\b(demo|guest|test|sample|try|use|fill|quick|admin\w*|manager|employee|staff|user|student|teacher|customer)\b`)

// filledIn enters by buttons that fill an account into the form, or that let in at once.
func (p *prover) filledIn(ctx context.Context) (all []*place) {
	start := p.site.places[0]
	ranked := map[bool]bool{}
	for _, c := range start.view.Controls {
		role := ranking.MatchString(c.Name)
		if !clickable(c) || off(c) || !fillerLabel.MatchString(c.Name) || ranked[role] || len(all) > 1 {
			continue
		}
		p.steps = nil
		v := p.open(ctx, start)
		p.click(ctx, c.Path)
		now := p.look(ctx)
		for _, f := range now.survey.Forms {
			if name, secret, _ := valuesOf(now, f); usable(now, f) && name != "" && secret != "" {
				p.submit(ctx, now, f, loginWords)
				break
			}
		}
		if in := p.arrived(ctx, start, v); in != nil {
			all, ranked[role] = append(all, in), true
		}
	}
	return all
}

// chosen enters by a form without a password, as one and, where there is such a choice, as
// another who has more rights.
func (p *prover) chosen(ctx context.Context) (all []*place) {
	start := p.site.places[0]
	i := slices.IndexFunc(start.view.survey.Forms, func(f interact.Form) bool { return asksWho(start.view, f) && !usable(start.view, f) })
	if i < 0 {
		return nil
	}
	form := start.view.survey.Forms[i]
	for _, role := range []bool{false, true} {
		p.steps = nil
		v := p.open(ctx, start)
		fits := !role
		p.fill(ctx, v, form)
		for _, path := range form.Fields {
			c, f, _ := v.control(path)
			at := slices.IndexFunc(f.Options, func(o string) bool { return ranking.MatchString(o) == role && !placeholder.MatchString(o) })
			if c.Tag == "select" && at >= 0 {
				p.choose(ctx, path, f.Options[at])
				fits = true
			}
		}
		if !fits {
			continue
		}
		p.submit(ctx, p.look(ctx), form, loginWords)
		if in := p.arrived(ctx, start, v); in != nil {
			all = append(all, in)
		}
	}
	return all
}

// register makes an account and logs in with it where that alone does not let in. Nil where
// nothing does.
func (p *prover) register(ctx context.Context, doors []hit) *place {
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
