package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// roleNames are what roles are called.
var roleNames = regexp.MustCompile(`(?i)^\W*(as |log ?in as |view as |switch to )?(an? |the )?(\w+ )?` +
	`(admin\w*|owner|manager|reviewer|editor|moderator|analyst|researcher|doctor|nurse|teacher|student|staff|employee|` +
	`participant|respondent|patient|customer|client|member|guest|visitor|viewer|user|管理员|用户)\W*$`)

// rolePlace is the place from which the site is seen in the role that may do most, where it
// offers to take one without an account: by a list of roles, or by options that lie side
// by side. Nil where it does not.
func (m *sitemap) rolePlace() *place {
	for _, pl := range m.places {
		for i, c := range pl.view.Controls {
			if off(c) || c.Covered || inRow(pl.view, c) {
				continue
			}
			way := slices.Clone(pl.way)
			switch f := pl.view.Facts[i]; {
			case c.Tag == "select":
				best, n := "", 0
				for _, o := range f.Options {
					if roleNames.MatchString(o) {
						n++
						if best == "" && ranking.MatchString(o) {
							best = o
						}
					}
				}
				if n < 2 || best == "" || best == c.Value || f.Form != "" || pl.typed(c.Path) {
					continue
				}
				way = append(way, vitrine.Action{Kind: vitrine.ActSelect, Target: at(c.Path), Text: best})
			case clickable(c) && c.Type != "checkbox" && !f.Submits && ranking.MatchString(c.Name) && besideRoles(pl.view, c):
				way = append(way, vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)})
			default:
				continue
			}
			return &place{route: pl.route, way: way, via: c, gate: len(way)}
		}
	}
	return nil
}

// besideRoles reports whether a control is named as a role, and another one beside it, too.
func besideRoles(v *view, c vitrine.Control) bool {
	return roleNames.MatchString(c.Name) && slices.ContainsFunc(v.Controls, func(o vitrine.Control) bool {
		return o.Path != c.Path && o.Role == c.Role && upper(o.Path, 1) == upper(c.Path, 1) && roleNames.MatchString(o.Name)
	})
}

// inRow reports whether a control stands in a row of a table or a list, as the role of each
// user does.
func inRow(v *view, c vitrine.Control) bool {
	for _, g := range v.survey.Groups {
		if !strings.HasPrefix(g.Kind, "tr|") && !strings.HasPrefix(g.Kind, "li|") || g.Region == "nav" || g.Region == "header" {
			continue
		}
		if slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return strings.HasPrefix(c.Path, r.Path+" > ") }) {
			return true
		}
	}
	return false
}

// enter takes a role and keeps the place where that leads, unless it looks like a known one.
// Its view stays nil where the budget is used up.
func (m *sitemap) enter(ctx context.Context, s *interact.Session, role *place, left *int) error {
	*left -= len(role.way)
	if *left <= 0 {
		return nil
	}
	if err := goTo(ctx, s, role); err != nil {
		return err
	}
	v, err := read(ctx, s)
	if err != nil {
		return err
	}
	role.view = v
	m.add(role)
	return nil
}

// rightsAsked are words of instructions that ask for what roles may do.
var rightsAsked = regexp.MustCompile(`(?i)\b(permissions?|roles?|role-based|access control|rights)\b|权限|角色`)

// takesRole proves that a role without an account decides what is offered: what one control
// leads to is another thing, with other controls, once the role is taken, and without it
// the same twice. It cheats who shows the name of the role alone.
func (p *prover) takesRole(ctx context.Context) answer {
	role := p.site.role
	about := strings.Join(append([]string{p.need.Quote, p.need.Verb, p.need.Entity}, p.need.Words...), " ")
	if role == nil || !rightsAsked.MatchString(about) {
		return absent("nothing to log in with")
	}
	tried := 0
	for _, o := range p.site.openers {
		if o.gate != 0 || o.depth != 0 || o.view == nil || o.control.Path == role.way[0].Target.CSS || tried >= 5 {
			continue
		}
		tried++
		start := &place{route: role.route}
		shown := func() *view { p.click(ctx, o.control.Path); return p.look(ctx) }
		p.open(ctx, start)
		without := shown()
		p.open(ctx, start)
		p.walk(ctx, role.way)
		with := shown()
		if sameControls(without, with) || !differs(without.survey.Main, with.survey.Main, 6) {
			continue
		}
		p.open(ctx, &place{route: role.route})
		if again := shown(); sameControls(without, again) && !differs(without.survey.Main, again.survey.Main, 1) {
			return works("as %q, %q leads to what others are not offered", role.label(), o.control.Name)
		}
	}
	return fails("%q is offered what others are", role.label())
}

// label is what a role is called.
func (pl *place) label() string {
	if last := pl.way[len(pl.way)-1]; last.Text != "" {
		return last.Text
	}
	return pl.via.Name
}
