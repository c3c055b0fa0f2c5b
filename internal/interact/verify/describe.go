package verify

import (
	"cmp"
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/page"
)

// Bounds of what a model is shown of a page.
const (
	shownControls = 150
	shownCases    = 60
	shownText     = 6000 // bytes
	shownLine     = 160
)

// describe is a scene in words: its address, what can be operated, what can be read.
func describe(s *interact.Scene) string {
	var b strings.Builder
	fmt.Fprintf(&b, "address: %s\ntitle: %s\ncontrols, in reading order:\n", strings.TrimPrefix(s.URL, page.Origin), page.Bounded(s.Title, shownLine))
	for _, c := range s.Controls[:min(len(s.Controls), shownControls)] {
		b.WriteString(control(c))
		b.WriteByte('\n')
	}
	if n := len(s.Controls) - shownControls; n > 0 {
		fmt.Fprintf(&b, "and %d more\n", n)
	}
	if len(s.Controls) == 0 {
		b.WriteString("none\n")
	}
	if s.Keyboard {
		b.WriteString("the page listens to keys\n")
	}
	fmt.Fprintf(&b, "visible text:\n%s", page.Bounded(s.Text, shownText))
	return b.String()
}

// control is a control on a line: role, name, type, value, states, where to find it.
func control(c vitrine.Control) string {
	parts := []string{c.Role, fmt.Sprintf("%q", page.Bounded(c.Name, shownLine))}
	if c.Type != "" {
		parts = append(parts, "type "+c.Type)
	}
	if c.Value != "" {
		parts = append(parts, fmt.Sprintf("value %q", page.Bounded(c.Value, shownLine)))
	}
	parts = append(parts, c.States...)
	if c.Covered {
		parts = append(parts, "covered by something else")
	}
	return strings.Join(append(parts, "css "+c.Path), ", ")
}

// explored is what explore found out about controls, a line each.
func explored(t *vitrine.Trace) string {
	if t == nil {
		return ""
	}
	var lines []string
	for _, c := range t.Cases {
		if c.Control == nil || len(lines) == shownCases {
			continue
		}
		line := fmt.Sprintf("%s %q: %s", c.Control.Role, page.Bounded(c.Control.Name, shownLine), c.Verdict)
		if n := len(c.Steps); n > 0 {
			line += "; " + effect(c.Steps[n-1].Effect)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// effect is what an action changed, on a line.
func effect(e vitrine.Effect) string {
	var parts []string
	add := func(what string, values []string) {
		if len(values) > 0 {
			parts = append(parts, what+" "+page.Bounded(strings.Join(values[:min(len(values), 5)], " | "), shownLine))
		}
	}
	add("appeared:", e.Appeared)
	add("gone:", e.Gone)
	add("fields:", e.Values)
	add("stored:", e.Storage)
	add("threw:", e.Threw)
	for _, d := range e.Dialogs[:min(len(e.Dialogs), 3)] {
		add(d.Kind+":", []string{d.Text})
	}
	if e.URL != "" {
		parts = append(parts, "went to "+e.URL)
	}
	if e.Missing {
		parts = append(parts, "which the site does not have")
	}
	if e.Scrolled != 0 {
		parts = append(parts, fmt.Sprintf("scrolled by %.0f px", e.Scrolled))
	}
	if len(parts) == 0 && !interact.Empty(e) {
		parts = append(parts, fmt.Sprintf("%d elements added, %d removed, %d attributes written, %.2g%% of the window changed", e.Added, e.Removed, e.Attrs, 100*e.Pixels))
	}
	return cmp.Or(strings.Join(parts, "; "), "nothing changed")
}

// wentWrong is how far a script came, and the page as it stood then.
func wentWrong(c vitrine.Case, s *interact.Scene) string {
	var b strings.Builder
	for i, step := range c.Steps {
		fmt.Fprintf(&b, "action %d, %s: %s\n", i+1, step.Action.Kind, cmp.Or(step.Failed, effect(step.Effect)))
	}
	for _, check := range c.Checks {
		if !check.Held {
			fmt.Fprintf(&b, "check %s: does not hold; saw %s\n", check.Expect, page.Bounded(check.Saw, 2*shownLine))
		}
	}
	fmt.Fprintf(&b, "in short: %s\n", c.Why)
	if idle(c) {
		b.WriteString("but " + idleWhy + "\n")
	}
	if s == nil {
		return b.String()
	}
	for _, line := range s.Errors[:min(len(s.Errors), 10)] {
		fmt.Fprintf(&b, "console: %s\n", page.Bounded(line, shownLine))
	}
	b.WriteString("the page as it stood then:\n" + describe(s))
	return b.String()
}
