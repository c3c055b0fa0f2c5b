package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A place is a state of the site that can be reached by a few actions, in which relations
// look for controls.
type place struct {
	route string
	way   []vitrine.Action // from the fresh state of the route
	via   vitrine.Control  // what led there last
	view  *view
	cell  string // path of the one of many like it that was clicked last, as the day of a calendar
	gate  int    // actions of the way by which a role is taken or a log-in passed, with which it begins
}

// A sitemap is the places of a site, the start first.
type sitemap struct {
	places []*place
	// openers are the controls of the start that were operated, and whether that led
	// anywhere: to another view, or nowhere at all.
	openers []opener
	last    moment
	inside  *place // behind whose log-in the page stands; nil where it stands behind none
	role    *place // where a role is taken without an account; nil where none is offered
	chosen  []hit  // forms that show once something was chosen
	against string // what was found against the rules of a game by its clock alone
}

type opener struct {
	control vitrine.Control
	region  string
	href    string
	depth   int   // actions before it
	gate    int   // see [place]
	view    *view // after it was operated; nil where nothing changed that can be read
	step    vitrine.Step
}

const (
	maxPlaces   = 16
	maxOpeners  = 22
	maxUnlikely = 6 // openers that do not look like one
	maxRoutes   = 6
)

// openerWords are labels of controls behind which others lie.
var openerWords = regexp.MustCompile(`(?i)\b(add|new|create|ask|post|open|menu|log ?in|sign|register|cart|basket|bag|settings?|options?|filters?|compose|write|start|play|get started|begin|book|bookings|reservations|appointments|visits|history|records?|orders?|profile|account|dashboard|manage|report|stat\w*|chat|help|about|contact|more|show|view|list|browse|see|prizes|rewards|winners|results?|reserve|rent|hire|tickets?|enrol\w*|apply|request|upload|import|leaderboard|scores?|generate)\b|^[+☰≡⚙＋➕🛒💬]$|添加|新增|新建|创建|登录|注册|设置|历史|开始|我的|生成`)

// explore finds the places of a site.
func explore(ctx context.Context, s *interact.Session, routes []string, left *int) (*sitemap, error) {
	m := &sitemap{}
	var brought []vitrine.Action
	for _, route := range routes[:min(len(routes), maxRoutes)] {
		if err := s.Reset(ctx, route); err != nil {
			if len(m.places) > 0 {
				break
			}
			return nil, err
		}
		v, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		m.add(&place{route: route, view: v})
		if len(m.places) == 1 {
			brought = given(ctx, s, v)
		}
	}
	if err := m.beyond(ctx, s, left); err != nil {
		return m, err
	}
	if err := m.searchResults(ctx, s, left); err != nil {
		return m, err
	}
	return m, m.bring(ctx, s, m.places[0], brought, left)
}

// beyond explores from the first place, and once more in the role that may do most.
func (m *sitemap) beyond(ctx context.Context, s *interact.Session, left *int) error {
	if err := m.from(ctx, s, m.places[0], left); err != nil {
		return err
	}
	if role := m.rolePlace(); role != nil {
		if err := m.enter(ctx, s, role, left); err != nil || role.view == nil {
			return err
		}
		m.role = role
		return m.from(ctx, s, role, left)
	}
	return nil
}

// from explores from a place: its openers, and those of menus and dialogs behind them.
func (m *sitemap) from(ctx context.Context, s *interact.Session, start *place, left *int) error {
	known := len(m.places)
	for _, likely := range []bool{true, false} {
		if err := m.open(ctx, s, start, likely, maxOpeners, left); err != nil {
			return err
		}
	}
	if err := m.openCell(ctx, s, start, left); err != nil {
		return err
	}
	for _, pl := range m.places[known:] {
		if m.depth(pl) == 1 && len(m.places) < maxPlaces {
			if err := m.open(ctx, s, pl, true, 5, left); err != nil {
				return err
			}
		}
	}
	return nil
}

// manyCells is how many controls of one parent are a board or a calendar and no row of buttons.
const manyCells = 7

// alike counts the controls that have the parent and the role of one.
func (v *view) alike(c vitrine.Control) (n int) {
	for _, o := range v.Controls {
		if o.Role == c.Role && o.Role != "link" && upper(o.Path, 1) == upper(c.Path, 1) {
			n++
		}
	}
	return n
}

// isCell reports whether a control could be a field of a board or a day of a calendar, and leads
// to no other part of the site.
func isCell(c vitrine.Control, region string) bool {
	return (c.Role == "clickable" || c.Role == "button") && !slices.Contains([]string{"nav", "header", "footer", "aside", "tablist"}, region)
}

// openCell clicks one of many things that are alike, as the days of a calendar, where nothing
// on the site takes text yet.
func (m *sitemap) openCell(ctx context.Context, s *interact.Session, start *place, left *int) error {
	for _, pl := range m.places {
		if slices.ContainsFunc(pl.view.Controls, func(c vitrine.Control) bool { return textField(c) && !off(c) && !searchLabel.MatchString(c.Name) }) {
			return nil
		}
	}
	parts := map[string][]vitrine.Control{}
	most := ""
	for i, c := range start.view.Controls {
		region := start.view.Facts[i].Region
		if isCell(c, region) && !off(c) && !c.Covered {
			above := upper(c.Path, 1)
			parts[above] = append(parts[above], c)
			if len(parts[above]) > len(parts[most]) {
				most = above
			}
		}
	}
	all := parts[most]
	if len(all) < manyCells || *left <= 0 || len(m.places) >= maxPlaces {
		return nil
	}
	c := all[len(all)*2/3]
	if err := goTo(ctx, s, start); err != nil {
		return err
	}
	*left--
	a := vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)}
	if _, err := s.Do(ctx, a); err != nil {
		return err
	}
	v, err := read(ctx, s)
	if err != nil || !asksMore(start.view, v) {
		return err
	}
	m.add(&place{route: start.route, way: append(slices.Clone(start.way), a), via: c, view: v, gate: start.gate, cell: c.Path})
	return nil
}

// depth is how many actions a place lies behind the start, or behind the gate.
func (m *sitemap) depth(pl *place) int {
	return len(pl.way) - pl.gate
}

// add keeps a place, unless it looks like one that is known.
func (m *sitemap) add(pl *place) bool {
	if len(m.places) >= maxPlaces {
		return false
	}
	for _, known := range m.places {
		if !differs(known.view.Text, pl.view.Text, 4) && sameControls(known.view, pl.view) {
			return false
		}
	}
	m.places = append(m.places, pl)
	return true
}

// sameControls reports whether two views offer the same controls, in whatever order: that
// depends on where the page is scrolled to.
func sameControls(a, b *view) bool {
	if len(a.Controls) != len(b.Controls) {
		return false
	}
	names := map[string]string{}
	for _, c := range a.Controls {
		names[c.Path] = c.Name
	}
	return !slices.ContainsFunc(b.Controls, func(c vitrine.Control) bool { name, ok := names[c.Path]; return !ok || name != c.Name })
}

// open operates the openers of a place, each once: those that look likely, or a few others.
func (m *sitemap) open(ctx context.Context, s *interact.Session, from *place, likely bool, most int, left *int) error {
	if !likely {
		most = maxUnlikely
	}
	fresh, tried := false, 0
	for i, c := range from.view.Controls {
		f := from.view.Facts[i]
		if tried >= most || len(m.places) >= maxPlaces || *left <= 0 {
			return nil
		}
		a, leads := from.opening(c, f)
		if likely && !leads || !likely && !mayOpen(from.view, c, f) || m.knows(c, from.gate) {
			continue
		}
		tried++
		if !fresh {
			if err := goTo(ctx, s, from); err != nil {
				return err
			}
			fresh = true
		}
		*left--
		step, err := s.Do(ctx, a)
		if err != nil {
			return err
		}
		v, err := read(ctx, s)
		if err != nil {
			return err
		}
		way := append(append([]vitrine.Action{}, from.way...), a)
		if v, way, err = unlock(ctx, s, v, way); err != nil {
			return err
		}
		if a.Kind == vitrine.ActSelect {
			c.Name = a.Text
		}
		to := &place{route: from.route, way: way, via: c, view: v, gate: from.gate}
		if isCell(c, from.part(c, f)) && from.view.alike(c) >= manyCells {
			to.cell = c.Path
		}
		o := opener{control: c, region: from.part(c, f), href: f.Href, depth: m.depth(from), gate: from.gate, step: step}
		if differs(clockText.ReplaceAllString(from.view.Text, ""), clockText.ReplaceAllString(v.Text, ""), 1) || !sameControls(from.view, v) {
			o.view = v
			if !step.Effect.Missing && (likely || asksMore(from.view, v)) { // an address that the site does not have is no place of it
				m.add(to)
			}
			fresh = false
		}
		fresh = fresh && a.Kind != vitrine.ActSelect // who is chosen may matter later
		m.openers = append(m.openers, o)
	}
	return nil
}

func goTo(ctx context.Context, s *interact.Session, to *place) error {
	if err := s.Reset(ctx, to.route); err != nil {
		return err
	}
	for _, a := range to.way {
		if _, err := s.Do(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether an opener of the same label and role was tried.
func (m *sitemap) knows(c vitrine.Control, gate int) bool {
	for _, o := range m.openers {
		if o.gate == gate && (o.control.Name == c.Name && o.control.Role == c.Role && (c.Name != "" || o.control.Path == c.Path) || c.Tag == "select" && o.control.Path == c.Path) {
			return true
		}
	}
	return false
}

// mayOpen reports whether a control that does not look like an opener could be one: a
// button outside of forms and tables, of a few words.
func mayOpen(v *view, c vitrine.Control, f interact.Facts) bool {
	if off(c) || c.Covered || f.Submits || f.Form != "" || refuses.MatchString(c.Name) || len(wordsOf(c.Name)) > 5 {
		return false
	}
	if c.Role != "button" && c.Role != "clickable" || v.holds(c.Path) {
		return false
	}
	for _, form := range v.survey.Forms {
		if slices.Contains(form.Buttons, c.Path) {
			return false
		}
	}
	return !inRow(v, c)
}

// asksMore reports whether a view has fields that another one lacks, or much more to read:
// what only toggles something is no place of its own.
func asksMore(before, after *view) bool {
	field := func(c vitrine.Control) bool {
		_, _, known := before.control(c.Path)
		return !known && (textField(c) || c.Role == "spinbutton" || c.Tag == "select")
	}
	return slices.ContainsFunc(after.Controls, field) || len(termsOf(after.Text)) > len(termsOf(before.Text))+20
}

// opens reports whether a control looks as if it led to another view.
func opens(c vitrine.Control, f interact.Facts) bool {
	if off(c) || c.Covered || f.Submits || refuses.MatchString(c.Name) {
		return false
	}
	switch c.Role {
	case "link":
		return !strings.Contains(f.Href, "://") && !strings.HasPrefix(f.Href, "mailto:") && !strings.HasPrefix(f.Href, "tel:") && !strings.HasPrefix(f.Href, "//")
	case "tab", "menuitem":
		return true
	case "button", "clickable":
		return c.Tag == "a" || f.Region == "nav" || f.Region == "header" || f.Region == "aside" || f.Popup != "" || openerWords.MatchString(c.Name)
	}
	return false
}
