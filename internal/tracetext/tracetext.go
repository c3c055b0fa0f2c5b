// Package tracetext says in English what a trace holds: actions, their effects,
// controls and scores, for reports, findings and the terminal.
package tracetext

import (
	"fmt"
	"strconv"
	"strings"

	"vitrine"
)

// Action says what an action is, such as: type "a@b.co" into textbox "Email".
func Action(a vitrine.Action) string {
	verb := strings.ReplaceAll(string(a.Kind), "_", "-")
	switch a.Kind {
	case vitrine.ActType:
		return fmt.Sprintf("type %q%s", a.Text, after(" into ", a.Target))
	case vitrine.ActSelect:
		return fmt.Sprintf("select %q%s", a.Text, after(" in ", a.Target))
	case vitrine.ActPress:
		times := ""
		if a.Times > 1 {
			times = fmt.Sprintf(" %d times", a.Times)
		}
		return "press " + a.Text + times + after(" in ", a.Target)
	case vitrine.ActUpload:
		return fmt.Sprintf("upload %q%s", a.Text, after(" into ", a.Target))
	case vitrine.ActDrag:
		if a.To != nil {
			return "drag" + after(" ", a.Target) + after(" to ", a.To)
		}
		return "drag" + after(" ", a.Target) + fmt.Sprintf(" by %g, %g", a.DX, a.DY)
	case vitrine.ActScroll:
		if a.To != nil {
			return "scroll" + after(" to ", a.To)
		}
		return fmt.Sprintf("scroll by %g, %g", a.DX, a.DY) + after(" in ", a.Target)
	case vitrine.ActWait:
		return fmt.Sprintf("wait %d ms", a.MS)
	case vitrine.ActAnswer, vitrine.ActFinish:
		return strings.TrimSpace(verb + " " + a.Text)
	}
	return verb + after(" ", a.Target)
}

func after(word string, t *vitrine.Target) string {
	if t == nil {
		return ""
	}
	return word + target(t)
}

// target names a target, such as: button "Save" (2).
func target(t *vitrine.Target) string {
	nth := ""
	if t.Nth > 1 {
		nth = fmt.Sprintf(" (%d)", t.Nth)
	}
	switch {
	case t.Mark > 0:
		return fmt.Sprintf("[%d]", t.Mark)
	case t.Role != "" && t.Name != "":
		return fmt.Sprintf("%s %q", t.Role, t.Name) + nth
	case t.Role != "":
		return t.Role + nth
	case t.Name != "":
		return fmt.Sprintf("%q", t.Name) + nth
	case t.Label != "":
		return fmt.Sprintf("the field %q", t.Label) + nth
	case t.Placeholder != "":
		return fmt.Sprintf("the field with %q", t.Placeholder) + nth
	case t.Text != "":
		return fmt.Sprintf("the text %q", t.Text) + nth
	case t.CSS != "":
		return t.CSS + nth
	case len(t.Point) == 2:
		return fmt.Sprintf("the point %g, %g", t.Point[0], t.Point[1])
	}
	return "nothing"
}

// Control names a control, such as: [3] button "Save".
func Control(c vitrine.Control) string {
	if c.Mark > 0 {
		return fmt.Sprintf("[%d] %s", c.Mark, unmarked(c))
	}
	return unmarked(c)
}

func unmarked(c vitrine.Control) string {
	if c.Name != "" {
		return fmt.Sprintf("%s %q", c.Role, c.Name)
	}
	return c.Role
}

// Verdicts are the names of what was tried, by verdict, each in the order of the
// cases.
func Verdicts(t *vitrine.Trace) map[vitrine.CaseVerdict][]string {
	all := map[vitrine.CaseVerdict][]string{}
	for _, c := range t.Cases {
		name := c.Task
		if c.Control != nil {
			name = unmarked(*c.Control)
		}
		all[c.Verdict] = append(all[c.Verdict], name)
	}
	return all
}

// Score says what s_interact is made of; "" where there is none. Of an exploration
// it says how many controls it leaves out, since dead ones may be among them.
func Score(t *vitrine.Trace) string {
	if t.Score == nil {
		return ""
	}
	score := strconv.FormatFloat(*t.Score, 'g', 3, 64)
	if t.By == vitrine.ByBehave {
		return Function(t)
	}
	if t.By != vitrine.ByExplore {
		if t.Wanted > 0 {
			score += fmt.Sprintf(" of %d", t.Wanted)
		}
		return "s_interact " + score
	}
	v := Verdicts(t)
	works, dead, unclear := len(v[vitrine.VerdictWorks]), len(v[vitrine.VerdictDead]), len(v[vitrine.VerdictUnclear])
	if works+dead+unclear == 0 {
		return "s_interact " + score + ": there was nothing to try"
	}
	return fmt.Sprintf("s_interact %s, over the %d most important that could be judged; of all %d that were tried, %d work, %d dead, %d could not be judged",
		score, min(t.Wanted, works+dead), works+dead+unclear, works, dead, unclear)
}

// Function says how many of the behaviours that were asked for work, and why the first of
// the others do not; "" of a trace that is not of behave.
func Function(t *vitrine.Trace) string {
	if t.By != vitrine.ByBehave {
		return ""
	}
	works, unclear, why := 0, 0, []string{}
	for _, c := range t.Cases {
		switch c.Verdict {
		case vitrine.VerdictWorks:
			works++
		case vitrine.VerdictUnclear:
			unclear++
		default:
			why = append(why, c.Task+": "+c.Why)
		}
	}
	text := fmt.Sprintf("%d of %d asked-for behaviours work", works, len(t.Cases)-unclear)
	if unclear > 0 {
		text += fmt.Sprintf(", %d cannot be told", unclear)
	}
	if len(why) > 0 {
		text += "; " + strings.Join(why[:min(len(why), 2)], "; ")
	}
	return text
}

// Effect says what an action changed, the most telling first.
func Effect(e vitrine.Effect) string {
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	switch {
	case e.Missing:
		say("it went to %s, which is not there", e.URL)
	case e.URL != "":
		say("it went to %s", e.URL)
	case e.Loaded:
		say("the page was loaded again")
	}
	for _, d := range e.Dialogs {
		say("%s %q", d.Kind, d.Text)
	}
	some := func(what string, list []string) {
		if len(list) > 0 {
			say("%s: %s", what, few(list))
		}
	}
	some("appeared", e.Appeared)
	some("gone", e.Gone)
	some("now", e.Values)
	some("stored", e.Storage)
	some("asked for", e.Asked)
	some("wanted a window", e.Popups)
	some("asked the network for", e.Requests)
	some("threw", e.Threw)
	if e.Scrolled != 0 {
		say("scrolled by %.0f px", e.Scrolled)
	}
	if n := e.Added + e.Removed + e.Attrs; n > 0 {
		say("%d elements added, %d removed, %d attributes changed", e.Added, e.Removed, e.Attrs)
	}
	if e.Pixels > 0 {
		say("%s of the window looks different", percent(e.Pixels))
	}
	if e.Focus != "" {
		say("the focus went to %s", e.Focus)
	}
	some("printed", e.Console)
	if len(said) == 0 {
		return "nothing changed"
	}
	return strings.Join(said, "; ")
}

func percent(share float64) string {
	if share < 0.001 {
		return "less than 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// few quotes the first of a list and counts the rest.
func few(list []string) string {
	const most = 3
	var quoted []string
	for _, s := range list[:min(len(list), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", s))
	}
	text := strings.Join(quoted, ", ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
