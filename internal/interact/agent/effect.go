package agent

import (
	"fmt"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// maxListed bounds how many of the things that one action changed are named.
const maxListed = 12

// effectWords says what an action did, as the browser measured it.
func effectWords(s *vitrine.Step) string {
	words := strings.ReplaceAll(string(s.Action.Kind), "_", " ")
	if s.Control != nil {
		words += " on " + describe(s.Control)
	}
	if s.Action.Text != "" {
		words += fmt.Sprintf(" with %q", clip(s.Action.Text))
	}
	switch {
	case s.Failed != "":
		return words + ": could not be carried out: " + clip(s.Failed)
	case idle(s):
		return words + ": nothing changed" + errorsOf(s.Effect)
	}
	return words + ":\n" + strings.Join(changes(s.Effect), "\n") + errorsOf(s.Effect)
}

// idle reports whether an action did nothing that a visitor could notice.
func idle(s *vitrine.Step) bool {
	return s.Failed != "" || interact.Empty(s.Effect)
}

// changes lists an effect, a line each.
func changes(e vitrine.Effect) []string {
	var lines []string
	add := func(name string, of []string) {
		if len(of) > 0 {
			lines = append(lines, name+": "+joined(of))
		}
	}
	if e.URL != "" {
		lines = append(lines, "the address is now "+clip(e.URL))
	}
	if e.Loaded {
		lines = append(lines, "a new document was loaded")
	}
	if e.Missing {
		lines = append(lines, "the site does not have that page")
	}
	add("texts that appeared", e.Appeared)
	add("texts that are gone", e.Gone)
	add("fields that changed", e.Values)
	add("stored", e.Storage)
	add("windows it wanted to open", e.Popups)
	add("asked for", e.Asked)
	for _, d := range e.Dialogs {
		lines = append(lines, fmt.Sprintf("%s said %q and was answered %q", d.Kind, clip(d.Text), clip(d.Answer)))
	}
	if e.Added+e.Removed > 0 {
		lines = append(lines, fmt.Sprintf("%d elements added, %d removed", e.Added, e.Removed))
	}
	if e.Scrolled != 0 {
		lines = append(lines, fmt.Sprintf("scrolled by %.0f pixels", e.Scrolled))
	}
	if len(lines) == 0 {
		add("elements that changed", e.Changed)
	}
	return append(lines, fmt.Sprintf("%.1f%% of the picture changed", 100*e.Pixels))
}

// joined is the beginning of a list on one line.
func joined(of []string) string {
	var words []string
	for _, s := range of[:min(len(of), maxListed)] {
		words = append(words, clip(s))
	}
	if len(of) > maxListed {
		words = append(words, fmt.Sprintf("and %d more", len(of)-maxListed))
	}
	return strings.Join(words, " | ")
}

// errorsOf names what a page threw.
func errorsOf(e vitrine.Effect) string {
	if len(e.Threw) == 0 {
		return ""
	}
	return "\nthe page threw an error: " + clip(e.Threw[0])
}
