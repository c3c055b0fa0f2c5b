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
	// partWords name parts of a site, on buttons side by side that lead to them.
	partWords = regexp.MustCompile(`(?i)\b(records?|history|profile|account|dashboard|reports?|stat\w*|settings?|about|help|leaderboard|orders?|charts?|calendar|overview|analytics|analysis|users?|admin\w*|details|billing|security|personal|preferences|password|payments?|notifications?)\b|记录|统计|设置`)
	// whoLabel are labels of lists of those who may be using the page.
	whoLabel = regexp.MustCompile(`(?i)\b(signed in|logged in|log in as|sign in as|roles?|view as|view|users?|switch|account|who|person|acting|mode|current)\b|角色|身份`)
	pinShown = regexp.MustCompile(`(?i)\b(?:pin|code|passcode|it)\b\D{0,12}\b(\d{4,6})\b`)
)

// opening is the act by which a control leads to another view, where it looks as if it did.
func (pl *place) opening(c vitrine.Control, f interact.Facts) (vitrine.Action, bool) {
	click := vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)}
	switch {
	case off(c) || c.Covered || c.Role == "clickable" && pl.view.holds(c.Path):
		return click, false
	case c.Tag == "select":
		as := slices.IndexFunc(f.Options, func(o string) bool { return ranking.MatchString(o) && o != c.Value })
		about := strings.Join([]string{c.Name, f.Context, f.FieldName, identifier(c.Path)}, " ")
		asks := whoLabel.MatchString(about) || f.Region == "header" || f.Region == "nav"
		if as < 0 || len(f.Options) > 12 || !asks || pl.typed(c.Path) {
			return click, false
		}
		return vitrine.Action{Kind: vitrine.ActSelect, Target: at(c.Path), Text: f.Options[as]}, true
	case c.Role == "option" || c.Role == "clickable" || c.Role == "button":
		return click, opens(c, f) || len(pl.way) > pl.gate && ranking.MatchString(c.Name) && len(wordsOf(c.Name)) < 4 || pl.tabbed(c.Path)
	}
	return click, opens(c, f)
}

// holds reports whether an element holds several controls: what is clicked in it is one of
// them.
func (v *view) holds(path string) bool {
	n := 0
	for _, c := range v.Controls {
		if strings.HasPrefix(c.Path, path+" > ") && clickable(c) {
			n++
		}
	}
	return n > 1
}

// typed reports whether a field is of a form into which something is typed as well.
func (pl *place) typed(path string) bool {
	return slices.ContainsFunc(pl.view.survey.Forms, func(form interact.Form) bool {
		return slices.Contains(form.Fields, path) && slices.ContainsFunc(form.Fields, func(other string) bool {
			c, _, ok := pl.view.control(other)
			return ok && textField(c)
		})
	})
}

// tabbed reports whether a control is one of several buttons side by side of which half are
// named as parts of a site are.
func (pl *place) tabbed(path string) bool {
	all, parts := 0, 0
	for _, other := range pl.view.beside(path) {
		c, _, _ := pl.view.control(other)
		if c.Role != "button" || refuses.MatchString(c.Name) {
			return false
		}
		all++
		if partWords.MatchString(c.Name) {
			parts++
		}
	}
	return parts > 0 && all > 1 && 2*parts >= all
}

// beside are the controls that stand side by side with one, and that one: those below the
// same element, or in the same row of buttons.
func (v *view) beside(path string) (all []string) {
	if parent := upper(path, 1); parent != "" {
		for _, c := range v.Controls {
			if upper(c.Path, 1) == parent {
				all = append(all, c.Path)
			}
		}
		return all
	}
	for _, g := range v.survey.Groups {
		for _, r := range g.Rows {
			if slices.Contains(r.Controls, path) && v.toolbar(r) {
				return r.Controls
			}
		}
	}
	return nil
}

// part is the part of the page that an opener stands in.
func (pl *place) part(c vitrine.Control, f interact.Facts) string {
	if f.Region == "" && pl.tabbed(c.Path) {
		return "tablist"
	}
	return f.Region
}

// opened reports whether a control was operated when the site was explored.
func (m *sitemap) opened(path string) bool {
	return slices.ContainsFunc(m.openers, func(o opener) bool { return o.control.Path == path })
}

// leads reports whether a control showed another part of the site when that was explored.
func (m *sitemap) leads(path string) bool {
	return slices.ContainsFunc(m.openers, func(o opener) bool {
		leads := o.region != "" || o.control.Role == "link" || o.control.Role == "tab"
		return leads && o.control.Path == path && o.view != nil && differs(m.places[0].view.survey.Main, o.view.survey.Main, 12)
	})
}

// unlock types the code that a pad of digits shows, as demonstrations do, and adds that to
// a way.
func unlock(ctx context.Context, s *interact.Session, v *view, way []vitrine.Action) (*view, []vitrine.Action, error) {
	keys := v.pad()
	if keys == nil {
		return v, way, nil
	}
	for _, path := range presses(keys, v.pin()) {
		a := vitrine.Action{Kind: vitrine.ActClick, Target: at(path)}
		if _, err := s.Do(ctx, a); err != nil {
			return v, way, err
		}
		way = append(way, a)
	}
	after, err := read(ctx, s)
	return after, way, err
}

// pad are the paths of the keys of a pad of digits; nil where there is none that can be
// reached.
func (v *view) pad() map[string]string {
	keys := map[string]string{}
	for _, c := range v.Controls {
		if clickable(c) && !c.Covered && len(c.Name) == 1 && c.Name >= "0" && c.Name <= "9" {
			keys[c.Name] = c.Path
		}
	}
	if len(keys) < 10 || v.pin() == "" {
		return nil
	}
	return keys
}

// pin is the code that a page shows; empty where it shows none.
func (v *view) pin() string {
	for _, line := range v.survey.Lines {
		if m := pinShown.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

// presses are the keys of a pad for a code.
func presses(keys map[string]string, code string) (paths []string) {
	for _, digit := range code {
		paths = append(paths, keys[string(digit)])
	}
	return paths
}

// takesPerson proves, where those with more rights are asked for and nobody logs in, that
// the page is switched to one of them: it then shows what it did not, the same each time,
// and not before; where a code is asked for, another code does not. It cheats who shows the
// name of the role alone.
func (p *prover) takesPerson(ctx context.Context) answer {
	for _, pl := range p.site.places {
		if !ranking.MatchString(p.need.Quote) || len(pl.way) == pl.gate || !p.site.switched(pl) {
			continue
		}
		with := p.open(ctx, pl)
		before := p.open(ctx, &place{route: pl.route, way: pl.way[:p.site.first(pl)]})
		if !differs(before.survey.Main, with.survey.Main, 12) || !offersMore(before, with) {
			continue
		}
		if keys := before.pad(); keys != nil {
			wrong := "9" + before.pin()[1:]
			if wrong == before.pin() {
				wrong = "8" + before.pin()[1:]
			}
			for _, path := range presses(keys, wrong) {
				p.click(ctx, path)
			}
			p.wait(ctx, 2000)
			if !differs(with.survey.Main, p.look(ctx).survey.Main, 4) {
				return fails("another code than %q is let in", before.pin())
			}
		}
		if again := p.open(ctx, pl); !differs(with.survey.Main, again.survey.Main, 4) && len(again.lists()) > 0 {
			return works("as %q the page shows what it does not show otherwise", pl.via.Name)
		}
	}
	return absent("nothing to log in with")
}

// offersMore reports whether a view has a control or rows of a list that another one lacks: a
// text alone, however long, is only said.
func offersMore(before, with *view) bool {
	known := map[string]bool{}
	for _, c := range before.Controls {
		known[c.Role+"|"+c.Name] = true
	}
	for _, g := range before.lists() {
		for _, r := range g.Rows {
			known[r.Text] = true
		}
	}
	fresh := func(r interact.Row) bool { return !known[r.Text] }
	return slices.ContainsFunc(with.Controls, func(c vitrine.Control) bool { return clickable(c) && !known[c.Role+"|"+c.Name] }) ||
		slices.ContainsFunc(with.lists(), func(g interact.Group) bool { return len(g.Rows) > 1 && slices.ContainsFunc(g.Rows, fresh) })
}

// switched reports whether a place is seen as somebody with more rights: by a list of
// persons, or past a pad of digits.
func (m *sitemap) switched(pl *place) bool {
	last := pl.way[len(pl.way)-1]
	listed := last.Kind == vitrine.ActSelect || pl.via.Role == "option" || pl.via.Role == "menuitem"
	return ranking.MatchString(pl.via.Name) && (listed || m.first(pl) < len(pl.way)-1)
}

// first is the number of actions of the way to a place before the person is chosen, or up
// to where a code is asked for.
func (m *sitemap) first(pl *place) int {
	for i, a := range pl.way {
		if a.Target != nil && a.Target.CSS == pl.via.Path {
			if i < len(pl.way)-1 {
				return i + 1
			}
			return i
		}
	}
	return len(pl.way) - 1
}
