package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

var (
	loginWords    = []string{"log in", "login", "sign in", "signin", "登录"}
	registerWords = []string{"register", "sign up", "create account", "signup", "join", "注册"}
	logoutLabel   = regexp.MustCompile(`(?i)\b(log ?out|sign ?out|log off)\b|退出|注销|登出`)
)

// login proves that an account, which is made by registering or which the site names, lets
// its owner in, and that its name with another password, and an account that does not exist,
// do not. It cheats who lets anyone in. (Role and log-in, behaviours §3, further ones.)
func login(ctx context.Context, p *prover) answer {
	doors := p.doors(loginWords, registerWords, 1)
	if len(doors) == 0 {
		return bestOf([]func(context.Context) answer{p.takesRole, p.takesPerson}, 2, absent("nothing to log in with"), func(as func(context.Context) answer) answer { return as(ctx) })
	}
	for _, a := range top(p.named(), 3) {
		if a := p.tryDoor(ctx, doors[0], a.name, a.secret, nil); a.verdict == vitrine.VerdictWorks {
			return a
		}
	}
	best := absent("no account can be made, and none is named")
	for _, reg := range top(p.doors(registerWords, loginWords, 2), 2) {
		a := p.registers(ctx, reg, doors)
		if a.verdict == vitrine.VerdictWorks {
			return a
		}
		best = a
	}
	if best.verdict != vitrine.VerdictAbsent {
		return best
	}
	v := p.open(ctx, doors[0].place)
	if p.enterAs(ctx, v, doors[0], p.tokens.word()+"@example.org", p.tokens.word()+"!7q"); p.isIn(p.look(ctx), v) {
		return fails("any name and password are let in")
	}
	return fails("no account can be made, and none is named that would be let in")
}

// doors are the forms with a password, those first whose labels match; with at least so
// many fields.
func (p *prover) doors(words, not []string, least int) (all []hit) {
	for _, h := range p.forms(words) {
		secrets, text := 0, h.form.Title+" "+h.place.via.Name
		for _, path := range h.form.Fields {
			if c, _, ok := h.place.view.control(path); ok && c.Type == "password" {
				secrets++
			}
		}
		for _, b := range h.form.Buttons {
			if c, _, ok := h.place.view.control(b); ok {
				text += " " + c.Name
				h.score += matches(c.Name, words)/2 - matches(c.Name, not)/3
			}
		}
		if secrets > 0 && len(h.form.Fields) > least && matches(text, words) > 0 {
			all = append(all, h)
		}
	}
	slices.SortStableFunc(all, func(a, b hit) int { return int(b.score - a.score) })
	return all
}

// enterAs fills a form with a name and a password, and sends it off.
func (p *prover) enterAs(ctx context.Context, v *view, door hit, name, secret string) vitrine.Step {
	form, ok := v.form(door.form)
	if !ok {
		return vitrine.Step{Failed: "the form is not there"}
	}
	for _, path := range form.Fields {
		c, f, ok := v.control(path)
		switch {
		case !ok || off(c):
		case c.Type == "password":
			p.write(ctx, path, secret)
		case textField(c):
			p.write(ctx, path, name)
		case c.Tag == "select" && person(f.Options, name) != "":
			p.choose(ctx, path, person(f.Options, name))
		}
	}
	return p.submit(ctx, p.look(ctx), form, loginWords)
}

// person is the option of a list that has the name of an account, or the beginning of its word for a role.
func person(options []string, name string) string {
	for _, o := range options {
		for _, w := range strings.Fields(strings.ToLower(o)) {
			if w == strings.ToLower(name) || len(w) > 4 && strings.HasPrefix(strings.ToLower(name), w) {
				return o
			}
		}
	}
	return ""
}

// isIn reports whether somebody is logged in: there is a control to log out that was not
// there before, or the password is asked for no more and another page stands there.
func (p *prover) isIn(v, before *view) bool {
	out, asks := false, false
	for _, c := range v.Controls {
		_, _, known := before.control(c.Path)
		out = out || logoutLabel.MatchString(c.Name) && !known
		asks = asks || c.Type == "password"
	}
	return out || !asks && differs(before.survey.Main, v.survey.Main, 4)
}

// tryDoor logs in with the wrong and the right password, each from the state that ready
// makes, or a fresh one.
func (p *prover) tryDoor(ctx context.Context, door hit, name, secret string, ready func() *view) answer {
	if ready == nil {
		ready = func() *view { return p.open(ctx, door.place) }
	}
	for _, wrong := range [][2]string{{name, p.tokens.word() + "!9z"}, {strings.ToLower(p.tokens.word()) + "@example.org", secret}} {
		v := ready()
		p.enterAs(ctx, v, door, wrong[0], wrong[1])
		p.wait(ctx, 2000)
		if p.isIn(p.look(ctx), v) {
			return fails("%q with the password %q is let in", wrong[0], wrong[1])
		}
	}
	v := ready()
	p.enterAs(ctx, v, door, name, secret)
	p.wait(ctx, 2000)
	if !p.isIn(p.look(ctx), v) {
		return fails("%q is not let in with the right password", name)
	}
	return works("%q is let in with the right password alone", name)
}

// registers makes an account and logs in with it.
func (p *prover) registers(ctx context.Context, reg hit, doors []hit) answer {
	v := p.open(ctx, reg.place)
	form, ok := v.form(reg.form)
	if !ok {
		return fails("the form to register with is not there")
	}
	f := p.fill(ctx, v, form)
	p.agree(ctx, v, form)
	p.submit(ctx, p.look(ctx), form, registerWords)
	p.wait(ctx, 2000)
	name, other, secret := credentials(f)
	at := slices.IndexFunc(doors, func(d hit) bool { return d.form.Path != reg.form.Path })
	if at < 0 {
		return fails("an account can be made, and nothing to log in with it")
	}
	door := doors[at]
	byName := slices.ContainsFunc(door.form.Fields, func(path string) bool {
		c, _, ok := door.place.view.control(path)
		return ok && c.Type != "password" && textField(c) && c.Type != "email" && !mailLabel.MatchString(c.Name+" "+c.Path)
	})
	if name == "" || byName && other != "" {
		name = other
	}
	return p.tryDoor(ctx, door, name, secret, func() *view { return p.toDoor(ctx, door) })
}

// toDoor goes to the form to log in with, without a fresh state; who is logged in is logged
// out first.
func (p *prover) toDoor(ctx context.Context, door hit) *view {
	now := p.look(ctx)
	for range 3 {
		if form, ok := now.form(door.form); ok && usable(now, form) {
			return now
		}
		path := ""
		for _, c := range now.Controls {
			if clickable(c) && !c.Covered && (logoutLabel.MatchString(c.Name) || path == "" && matches(c.Name, loginWords) >= 80) {
				path = c.Path
			}
		}
		if path == "" {
			break
		}
		p.click(ctx, path)
		now = p.look(ctx)
	}
	return p.visit(ctx, door.place)
}

func usable(v *view, form interact.Form) bool {
	return slices.ContainsFunc(form.Fields, func(path string) bool { c, _, ok := v.control(path); return ok && c.Type == "password" })
}

// credentials are the address, another name and the password that were entered into a form.
func credentials(f filling) (mail, other, secret string) {
	for _, e := range f.entries {
		switch {
		case e.control.Type == "password":
			secret = e.value
		case e.control.Tag == "select":
		case e.control.Type == "email" || mailLabel.MatchString(e.control.Name):
			mail = e.value
		case other == "" || strings.Contains(strings.ToLower(e.control.Name), "user"):
			other = e.value
		}
	}
	return mail, other, secret
}
