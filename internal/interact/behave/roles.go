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
var roleNames = regexp.MustCompile(`(?i)^\W*(as |log ?in as |view as |switch to )?(an? |the )?(\w+ )?(admin\w*|owner|manager|reviewer|editor|moderator|analyst|researcher|doctor|nurse|teacher|student|staff|employee|participant|respondent|patient|customer|client|member|guest|visitor|viewer|user|管理员|用户)\W*$`)

// role is the place from which the site is seen in the role that may do most, where it
// offers to take one without an account: by a list of roles, or by options that lie side
// by side. Nil where it does not.
func (m *sitemap) role() *place {
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
				if n < 2 || best == "" || best == c.Value || f.Form != "" {
					continue
				}
				way = append(way, vitrine.Action{Kind: vitrine.ActSelect, Target: at(c.Path), Text: best})
			case clickable(c) && c.Type != "checkbox" && !f.Submits && ranking.MatchString(c.Name) && roleNames.MatchString(c.Name) && m.besideRoles(pl.view, c):
				way = append(way, vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)})
			default:
				continue
			}
			return &place{route: pl.route, way: way, via: c, base: len(way)}
		}
	}
	return nil
}

// besideRoles reports whether another control beside one is named as a role, too.
func (m *sitemap) besideRoles(v *view, c vitrine.Control) bool {
	return slices.ContainsFunc(v.Controls, func(o vitrine.Control) bool {
		return o.Path != c.Path && o.Role == c.Role && upper(o.Path, 1) == upper(c.Path, 1) && roleNames.MatchString(o.Name)
	})
}

// inRow reports whether a control stands in a row of a table, as the role of each user does.
func inRow(v *view, c vitrine.Control) bool {
	for _, g := range v.survey.Groups {
		if !strings.HasPrefix(g.Kind, "tr|") && !strings.HasPrefix(g.Kind, "li|") {
			continue
		}
		if slices.ContainsFunc(g.Rows, func(r interact.Row) bool { return slices.Contains(r.Controls, c.Path) }) {
			return true
		}
	}
	return false
}

// enter takes a role and keeps the place where that leads. Its view stays nil where it
// leads nowhere.
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
