package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

// visit goes to a place without a fresh state: by its way from the page as it stands,
// to the start by what leads back there.
func (p *prover) visit(ctx context.Context, to *place, texts ...string) *view {
	way, start := p.beyondGate(ctx, to), p.start(to)
	if len(way) == 0 {
		return p.home(ctx, start, texts...)
	}
	for i, a := range way {
		step := p.do(ctx, a)
		if strings.Contains(step.Failed, "covered") {
			p.uncover(ctx, to.view)
			step = p.do(ctx, a)
		}
		if step.Failed == "" {
			continue
		}
		if i == 0 && start != to { // the way begins there
			if p.home(ctx, start); p.do(ctx, a).Failed == "" {
				continue
			}
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

// uncover closes what lies over the page: by Escape, then by a control that says so, or
// that stands there alone of those which the known view did not have.
func (p *prover) uncover(ctx context.Context, known *view) {
	before := p.look(ctx)
	p.press(ctx, "", "Escape")
	now := p.look(ctx)
	if !sameControls(before, now) {
		return
	}
	best, path, fresh := 0.0, "", 0
	for _, c := range now.Controls {
		if !clickable(c) || c.Covered || off(c) {
			continue
		}
		score := matches(c.Name, endWords)
		if cancelLabel.MatchString(c.Name) {
			score = 200
		}
		if _, _, ok := known.control(c.Path); !ok {
			fresh++
			score++
		}
		if score > best {
			best, path = score, c.Path
		}
	}
	if best > 1 || best == 1 && fresh == 1 {
		p.click(ctx, path)
	}
}

// endWords are labels of what ends a message that lies over the page.
var endWords = []string{
	"ok", "okay", "got it", "close", "continue", "done", "dismiss", "great", "awesome", "nice", "collect", "thanks", "确定", "知道了",
}

// use clicks a control when it can be: what lies over it is closed first, and what is off
// or busy is given time.
func (p *prover) use(ctx context.Context, path string, known *view) vitrine.Step {
	step := p.click(ctx, path)
	if strings.Contains(step.Failed, "covered") {
		p.uncover(ctx, known)
		step = p.click(ctx, path)
	}
	if step.Failed != "" && !p.spent {
		p.wait(ctx, 6000)
		step = p.click(ctx, path)
	}
	return step
}

// home goes back to the start: by a list whose choice led away, by a control that is named
// so or that changed nothing there, or by one that leads back.
func (p *prover) home(ctx context.Context, to *place, texts ...string) *view {
	here := map[string]bool{}
	for _, o := range p.site.openers {
		lasts := o.region == "nav" || o.region == "header" || o.region == "aside" || o.region == "tablist" || o.control.Role == "tab" || strings.HasPrefix(o.href, "#")
		if o.depth == 0 && o.gate == to.gate && o.view == nil && lasts {
			here[o.control.Path] = true
		}
	}
	tried := map[string]bool{}
	now := p.look(ctx, texts...)
	for range 4 {
		if p.site.standsAt(now, to.view) {
			break
		}
		if c, chosen := p.wasChosen(now, to.view); chosen {
			p.choose(ctx, c.Path, c.Value)
			now = p.look(ctx, texts...)
			continue
		}
		path := ""
		for _, c := range now.Controls {
			old, _, ok := to.view.control(c.Path)
			if path == "" && clickable(c) && !c.Covered && !tried[c.Path] && (homeLabel.MatchString(c.Name) || ok && old.Name == c.Name && here[c.Path]) {
				path = c.Path
			}
		}
		if path == "" {
			for _, c := range now.Controls {
				if _, _, known := to.view.control(c.Path); !known && clickable(c) && !c.Covered && backwards.MatchString(c.Name) {
					path = c.Path
				}
			}
		}
		if path == "" || tried[path] {
			break
		}
		tried[path] = true
		p.click(ctx, path)
		now = p.look(ctx, texts...)
	}
	return now
}

// wasChosen is a list of the start, as it stood there, whose choice leads to another view
// and is another one now.
func (p *prover) wasChosen(now, start *view) (vitrine.Control, bool) {
	for _, c := range now.Controls {
		old, _, ok := start.control(c.Path)
		if ok && c.Tag == "select" && !c.Covered && old.Value != c.Value && p.site.opened(c.Path) {
			return old, true
		}
	}
	return vitrine.Control{}, false
}

// backwards are labels that lead back to what was before, and close or delete nothing.
var backwards = regexp.MustCompile(`(?i)^\W*(back|all|return)\b|^[←‹]|返回`)

// standsAt reports whether a view is that of a place, though rows may have come and gone: of
// the controls outside of navigation that it had, most are there.
func (m *sitemap) standsAt(now, was *view) bool {
	if sameControls(now, was) {
		return true
	}
	all, there := 0, 0
	for i, c := range was.Controls {
		lasts := slices.Contains([]string{"nav", "header", "footer", "aside", "tablist", "menu"}, was.Facts[i].Region)
		if lasts || c.Covered || m.leads(c.Path) {
			continue
		}
		all++
		if o, _, ok := now.control(c.Path); ok && o.Role == c.Role && !o.Covered {
			there++
		}
	}
	if all == 0 {
		return !differs(now.survey.Main, was.survey.Main, 12)
	}
	return there*3 >= all*2
}
