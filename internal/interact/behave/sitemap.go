package behave

import (
	"context"
	"regexp"
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
}

// A sitemap is the places of a site, the start first.
type sitemap struct {
	places []*place
	// openers are the controls of the start that were operated, and whether that led
	// anywhere: to another view, or nowhere at all.
	openers []opener
	last    moment
	gate    int // actions of the way through a log-in, with which the ways of the first places begin
}

type opener struct {
	control vitrine.Control
	region  string
	href    string
	depth   int   // actions before it
	view    *view // after it was operated; nil where nothing changed that can be read
	step    vitrine.Step
}

const (
	maxPlaces  = 14
	maxOpeners = 22
	maxRoutes  = 6
)

// openerWords are labels of controls behind which others lie.
var openerWords = regexp.MustCompile(`(?i)\b(add|new|create|open|menu|log ?in|sign|register|cart|basket|bag|settings?|options?|filters?|compose|write|start|play|get started|begin|book|history|records?|orders?|profile|account|dashboard|manage|report|stat\w*|chat|help|about|contact|more|show|view|list|browse|see|prizes|rewards|winners|results?|reserve|upload|import|leaderboard|scores?)\b|^[+☰≡⚙＋➕🛒💬]$|添加|新增|新建|创建|登录|注册|设置|历史|开始|我的`)

// explore finds the places of a site.
func explore(ctx context.Context, s *interact.Session, routes []string, left *int) (*sitemap, error) {
	m := &sitemap{}
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
	}
	return m, m.beyond(ctx, s, left)
}

// beyond explores from the first place.
func (m *sitemap) beyond(ctx context.Context, s *interact.Session, left *int) error {
	if err := m.open(ctx, s, m.places[0], maxOpeners, left); err != nil {
		return err
	}
	for _, pl := range m.places[1:] { // menus and dialogs hold further openers
		if m.depth(pl) == 1 && len(m.places) < maxPlaces {
			if err := m.open(ctx, s, pl, 5, left); err != nil {
				return err
			}
		}
	}
	return nil
}

// depth is how many actions a place lies behind the start, or behind the gate.
func (m *sitemap) depth(pl *place) int {
	if m.gate > 0 && len(pl.way) >= m.gate {
		return len(pl.way) - m.gate
	}
	return len(pl.way)
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

func sameControls(a, b *view) bool {
	if len(a.Controls) != len(b.Controls) {
		return false
	}
	for i := range a.Controls {
		if a.Controls[i].Path != b.Controls[i].Path || a.Controls[i].Name != b.Controls[i].Name {
			return false
		}
	}
	return true
}

// open operates the openers of a place, each once.
func (m *sitemap) open(ctx context.Context, s *interact.Session, from *place, most int, left *int) error {
	fresh, tried := false, 0
	for i, c := range from.view.Controls {
		f := from.view.Facts[i]
		if tried >= most || len(m.places) >= maxPlaces || *left <= 0 {
			return nil
		}
		if !opens(c, f) || m.knows(c) {
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
		a := vitrine.Action{Kind: vitrine.ActClick, Target: at(c.Path)}
		step, err := s.Do(ctx, a)
		if err != nil {
			return err
		}
		v, err := read(ctx, s)
		if err != nil {
			return err
		}
		way := append(append([]vitrine.Action{}, from.way...), a)
		to := &place{route: from.route, way: way, via: c, view: v}
		o := opener{control: c, region: f.Region, href: f.Href, depth: m.depth(from), step: step}
		if differs(from.view.Text, v.Text, 1) || !sameControls(from.view, v) {
			o.view = v
			m.add(to)
			fresh = false
		}
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
func (m *sitemap) knows(c vitrine.Control) bool {
	for _, o := range m.openers {
		if o.control.Name == c.Name && o.control.Role == c.Role && (c.Name != "" || o.control.Path == c.Path) {
			return true
		}
	}
	return false
}

// opens reports whether a control looks as if it led to another view.
func opens(c vitrine.Control, f interact.Facts) bool {
	if off(c) || c.Covered || f.Submits {
		return false
	}
	switch c.Role {
	case "link":
		return !strings.Contains(f.Href, "://") && !strings.HasPrefix(f.Href, "mailto:") && !strings.HasPrefix(f.Href, "tel:") && !strings.HasPrefix(f.Href, "//")
	case "tab", "menuitem":
		return true
	case "button", "clickable":
		return f.Region == "nav" || f.Region == "header" || f.Region == "aside" || f.Popup != "" || openerWords.MatchString(c.Name)
	}
	return false
}
