package explore

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"vitrine"
)

// proves says whether an effect shows that a control works, and why, in words. What
// does not count: a moved focus and how it is drawn, what is only printed, thrown or
// asked of the network, a page that only loads again.
func proves(step vitrine.Step, route string) (works bool, why string) {
	e := step.Effect
	if e.Missing {
		return false, "it leads to a page that the site does not have"
	}
	if e.Loaded {
		return loaded(e, route)
	}
	for _, s := range []struct {
		there bool
		text  string
	}{
		{len(e.Dialogs) > 0, "a dialog opens" + quoted(dialogTexts(e))},
		{len(e.Appeared) > 0, "there is new text" + quoted(e.Appeared)},
		{len(e.Gone) > 0, "text is gone" + quoted(e.Gone)},
		{len(e.Values) > 0, "a value changes" + quoted(e.Values)},
		{len(asks(e)) > 0, "it asks for something" + quoted(asks(e))},
		{len(e.Popups) > 0, "it opens a window" + quoted(e.Popups)},
		{len(e.Storage) > 0, "it stores something" + quoted(e.Storage)},
		{e.Scrolled != 0 && !toTop(step), fmt.Sprintf("it scrolls by %g pixels", e.Scrolled)},
		{e.URL != "" && moved(route, e.URL), "it goes to " + e.URL},
		{visible(e), "the page changes" + quoted(e.Changed)},
		{len(e.Changed) == 0 && elsewhere(step), "the picture changes"},
	} {
		if s.there {
			return true, s.text
		}
	}
	if len(e.Threw) > 0 {
		return false, "it throws" + quoted(e.Threw)
	}
	return false, "nothing changes"
}

// toTop reports a link to "#" that says nothing of the top of the page: that it goes
// there is what a link without a target does.
func toTop(step vitrine.Step) bool {
	c := step.Control
	return c != nil && c.Role == "link" && step.Effect.Scrolled < 0 && (step.Effect.URL == "" || strings.HasSuffix(step.Effect.URL, "#")) && !upward.MatchString(c.Name) && !strings.Contains(step.Effect.URL, "#t")
}

var upward = regexp.MustCompile(`(?i)\b(top|up|start|home|begin)|↑|▲|⬆|⇧`)

func quoted(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(": %q", list[0])
}

func dialogTexts(e vitrine.Effect) (all []string) {
	for _, d := range e.Dialogs {
		all = append(all, d.Text)
	}
	return all
}

// asks are the things asked for that stand for themselves; another host does not.
func asks(e vitrine.Effect) (all []string) {
	for _, a := range e.Asked {
		if !strings.HasPrefix(a, "go to ") {
			all = append(all, a)
		}
	}
	return all
}

// outside reports that all an action did was to ask for another host.
func outside(e vitrine.Effect) bool {
	for _, p := range e.Popups {
		if external(p) {
			return true
		}
	}
	return len(asks(e)) != len(e.Asked)
}

// loaded judges a new document: another page of the site, or the same with other
// content.
func loaded(e vitrine.Effect, route string) (bool, string) {
	if e.URL != "" && pathOf(e.URL) != pathOf(route) {
		return true, "it goes to " + e.URL
	}
	if len(e.Appeared) > 0 || len(e.Gone) > 0 || len(e.Storage) > 0 || len(e.Dialogs) > 0 {
		return true, "the page loads again with other content" + quoted(append(append(append([]string{}, e.Appeared...), e.Gone...), e.Storage...))
	}
	return false, "the page only loads again"
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	clean := path.Clean("/" + u.Path)
	return strings.TrimSuffix(strings.TrimSuffix(clean, "index.html"), "/")
}

// moved reports whether an address differs in more than a fragment: one that leads
// nowhere changes the address, too, and a router that reads it shows something else.
func moved(route, address string) bool {
	a, _, _ := strings.Cut(route, "#")
	b, _, _ := strings.Cut(address, "#")
	return a != b
}

// visible reports whether what changed in the tree can be seen. Where no picture was
// taken, it is believed.
func visible(e vitrine.Effect) bool {
	if len(e.Changed) == 0 && e.Added == 0 && e.Removed == 0 {
		return false
	}
	return e.Pixels > 0 || unseen(e)
}

// unseen reports whether the tree has a change that needs no picture: the title.
func unseen(e vitrine.Effect) bool {
	for _, c := range e.Changed {
		if c == "title" {
			return true
		}
	}
	return false
}

const ring = 14 // pixels around a control in which its focus and hover styles are drawn

// elsewhere reports whether the picture changed beyond the control itself, or within
// one that draws. A double click or a drag selects text, which is drawn, too.
func elsewhere(step vitrine.Step) bool {
	draws := step.Control != nil && step.Control.Tag == "canvas"
	switch step.Action.Kind {
	case vitrine.ActDoubleClick, vitrine.ActRightClick, vitrine.ActDrag:
		return draws && step.Effect.Pixels > 0
	}
	if step.At == nil || draws || step.Control == nil {
		return step.Effect.Pixels > 0
	}
	a := step.At
	for _, r := range step.Effect.Regions {
		if r.X >= a.X+a.W+ring || r.Y >= a.Y+a.H+ring || r.X+r.W <= a.X-ring || r.Y+r.H <= a.Y-ring {
			return true
		}
	}
	return false
}
