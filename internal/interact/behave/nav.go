package behave

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"vitrine"
)

var homeLabel = regexp.MustCompile(`(?i)^\W*(home|start|main|首页)\W*$`)

// nav proves that each item of the navigation leads somewhere of its own: the text outside
// of the navigation changes, or a part of the page that is named scrolls into view; no two
// items show the same. It cheats who shows one view for all, or changes the address or the
// title alone. The item of the page that is open at the start, and a logo, lead back to it.
// (Relation 1.)
func nav(ctx context.Context, p *prover) answer {
	items := p.site.items()
	if len(items) == 0 {
		return absent("the page has no navigation")
	}
	start := p.site.places[0].view
	tried, homes := 0, 0
	var dead, same, shown []string
	for _, o := range items {
		if homeLabel.MatchString(o.control.Name) || isSelected(o.control) {
			continue
		}
		tried++
		switch {
		case p.scrolls(ctx, o):
		case o.view == nil || !differs(start.survey.Main, o.view.survey.Main, 4):
			if homes < 2 && p.leadsHome(ctx, o, items) {
				homes++
				tried--
				continue
			}
			dead = append(dead, o.control.Name)
		default:
			if slices.ContainsFunc(shown, func(other string) bool { return !differs(other, o.view.survey.Main, 4) }) {
				same = append(same, o.control.Name)
			}
			shown = append(shown, o.view.survey.Main)
		}
	}
	bad := len(dead) + len(same)
	switch {
	case tried == 0:
		return absent("the navigation has no item that leads elsewhere")
	case bad*4 > tried:
		return fails("of %d items of the navigation %d lead nowhere (%s) and %d show what another one shows (%s)", tried, len(dead), strings.Join(top(dead, 3), ", "), len(same), strings.Join(top(same, 3), ", "))
	}
	return works("%d of %d items of the navigation lead to parts of their own", tried-bad, tried)
}

// leadsHome reports whether an item that shows nothing new at the start leads back there
// from where another item leads.
func (p *prover) leadsHome(ctx context.Context, o opener, items []opener) bool {
	start := p.site.places[0]
	for _, other := range items {
		if other.view == nil || !differs(start.view.survey.Main, other.view.survey.Main, 4) {
			continue
		}
		p.open(ctx, start)
		p.click(ctx, other.control.Path)
		v := p.look(ctx)
		if c, _, ok := v.control(o.control.Path); !ok || c.Name != o.control.Name {
			continue
		}
		if p.aside(ctx); !differs(start.view.survey.Main, p.look(ctx).survey.Main, 4) {
			continue // any click leads back from there
		}
		p.click(ctx, o.control.Path)
		return !differs(start.view.survey.Main, p.look(ctx).survey.Main, 4)
	}
	return false
}

func isSelected(c vitrine.Control) bool {
	return slices.Contains(c.States, "selected") || slices.Contains(c.States, "pressed")
}

// scrolls reports whether an item leads to a part of the same page.
func (p *prover) scrolls(ctx context.Context, o opener) bool {
	if o.step.Effect.Scrolled != 0 && o.step.Effect.Scrolled > -1e6 && !strings.HasSuffix(o.href, "#") {
		return true
	}
	_, id, ok := strings.Cut(o.href, "#")
	if !ok || id == "" || strings.ContainsAny(id, "/!? ") || p.err != nil {
		return false
	}
	found, err := p.session.Query(ctx, vitrine.Target{CSS: `[id="` + strings.ReplaceAll(id, `"`, "") + `"]`})
	return err == nil && len(found) > 0 && found[0].Visible
}

// items are the openers of the navigation: those in nav, else in a header or at the side,
// else links anywhere, else buttons side by side of which several show other parts of the site.
func (m *sitemap) items() []opener {
	for _, regions := range [][]string{{"nav", "tablist", "menu"}, {"header", "aside"}, {""}} {
		var all []opener
		for _, o := range m.openers {
			if o.depth > 0 || o.gate != m.places[0].gate || o.step.Failed != "" || m.chooses(o.control) {
				continue
			}
			in := false
			for _, r := range regions {
				in = in || o.region == r
			}
			if in && (o.control.Role == "link" || o.control.Role == "tab" || o.control.Role == "menuitem" || o.region != "") {
				all = append(all, o)
			}
		}
		if len(all) >= 2 {
			return all
		}
	}
	return m.buttonRow()
}

// buttonRow are the buttons of one parent, outside of lists, of which two and more showed another
// part of the site when it was explored.
func (m *sitemap) buttonRow() []opener {
	rows, lead := map[string][]opener{}, map[string]int{}
	for _, o := range m.openers {
		above := upper(o.control.Path, 1)
		if o.depth > 0 || o.gate != m.places[0].gate || o.control.Role != "button" && o.control.Role != "clickable" || o.step.Failed != "" || m.chooses(o.control) || inRow(m.places[0].view, o.control) {
			continue
		}
		rows[above] = append(rows[above], o)
		if o.view != nil && differs(m.places[0].view.survey.Main, o.view.survey.Main, 12) {
			if _, _, stays := o.view.control(o.control.Path); stays {
				lead[above]++
			}
		}
	}
	for _, o := range m.openers {
		if above := upper(o.control.Path, 1); lead[above] >= 2 {
			return rows[above]
		}
	}
	return nil
}

// chooses reports whether a control of the start is one of several options of which one
// stands for all, or takes a choice back: it narrows what is shown and leads nowhere.
func (m *sitemap) chooses(c vitrine.Control) bool {
	if c.Role == "link" || c.Role == "tab" {
		return false
	}
	for _, ch := range m.places[0].choosers() {
		neutral := func(label string) bool {
			return isNeutral(label) && (ch.region != "nav" || len(wordsOf(label)) < 2) // "All records" is a part of a site
		}
		if ch.kind == "buttons" && slices.ContainsFunc(ch.labels(), neutral) && slices.ContainsFunc(ch.options, func(o option) bool { return o.path == c.Path }) {
			return true
		}
	}
	return matches(c.Name, []string{"clear", "reset"}) > 60
}
