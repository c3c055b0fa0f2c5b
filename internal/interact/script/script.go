package script

import (
	"context"
	"fmt"

	"vitrine"
	"vitrine/internal/interact"
)

// A Script is one thing to try, from a fresh state of the site.
type Script struct {
	ID       string
	Task     string // what is tried, in words
	Expected string // what should come of it, in words
	Category string
	Route    string // where it starts; "/" if nothing else is said
	Steps    []Step // 1 to 100, of which at least one expects something that counts
}

// A Step does something or expects something: exactly one of Do and Expect is set.
type Step struct {
	Do *vitrine.Action
	// Expect is one condition, or several of which one has to hold.
	Expect []Condition
	// Weight is what the expectation counts, above 0; Optional ones are looked at
	// and reported, and count nothing.
	Weight   float64
	Optional bool
}

// A Condition is one thing that can be seen of a page.
type Condition struct {
	Kind Kind
	Of   *vitrine.Target // what it is about, where it is about elements
	Key  string          // of storage, or the name of an attribute or of a style property
	// Compare says how Text or N is compared; empty where the kind has one way only.
	Compare Compare
	Text    string
	N       int
}

// Kind is what a condition looks at.
type Kind string

// The kinds of conditions.
const (
	KindText         Kind = "text"    // visible text contains Text
	KindNoText       Kind = "no_text" // visible text does not
	KindVisible      Kind = "visible" // such an element can be seen
	KindHidden       Kind = "hidden"  // none can be seen, or there is none
	KindValue        Kind = "value"   // of a field
	KindURL          Kind = "url"     // the address contains Text
	KindChecked      Kind = "checked"
	KindUnchecked    Kind = "unchecked"
	KindEnabled      Kind = "enabled"
	KindDisabled     Kind = "disabled"
	KindCount        Kind = "count" // of such elements that can be seen
	KindFocused      Kind = "focused"
	KindDialog       Kind = "dialog" // an alert, confirm or prompt said Text
	KindStorage      Kind = "storage"
	KindChanged      Kind = "changed" // by the last action: screen, text or dom
	KindAttribute    Kind = "attribute"
	KindStyle        Kind = "style"    // computed
	KindScrolled     Kind = "scrolled" // by the last action: down or up
	KindConsoleError Kind = "console_error"
)

// kinds is every kind, in the order of the documentation.
var kinds = []Kind{
	KindText, KindNoText, KindVisible, KindHidden, KindCount, KindValue, KindChecked, KindUnchecked, KindEnabled, KindDisabled,
	KindFocused, KindAttribute, KindStyle, KindURL, KindDialog, KindStorage, KindChanged, KindScrolled, KindConsoleError,
}

// Compare is how a condition compares.
type Compare string

// The ways to compare.
const (
	CompareIs       Compare = "is"
	CompareContains Compare = "contains"
	CompareAtLeast  Compare = "at_least"
	CompareAtMost   Compare = "at_most"
)

// Bounds of a script. Whatever is longer is refused.
const (
	maxFile    = 256 << 10 // bytes
	maxScripts = 500       // of a file
	maxSteps   = 100
	maxAny     = 10     // conditions of which one has to hold
	maxText    = 2000   // letters of one text
	maxWait    = 60_000 // ms of page time
	maxTimes   = 100    // of a key
	maxMove    = 20_000 // CSS pixels of a drag or scroll
	maxWeight  = 100
	maxCount   = 199 // a query lists no more than 200 elements
)

// looksAtPictures reports whether an expectation is about how the window looks.
func (s Script) looksAtPictures() bool {
	for _, step := range s.Steps {
		for _, c := range step.Expect {
			if c.Kind == KindChanged && c.Text == "screen" {
				return true
			}
		}
	}
	return false
}

// Scripts are an [interact.Method]: each is one test case.
type Scripts []Script

// By is script.
func (all Scripts) By() vitrine.TraceBy { return vitrine.ByScript }

// Cases are those of the scripts, whatever the task has.
func (all Scripts) Cases([]vitrine.TestCase) (cases []vitrine.TestCase, ok bool) {
	for _, s := range all {
		cases = append(cases, vitrine.TestCase{Task: s.Task, ExpectedResult: s.Expected, Category: s.Category})
	}
	return cases, true
}

// Exercise runs each script from a fresh state of the site.
func (all Scripts) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	t := s.NewTrace(vitrine.ByScript, d)
	for _, script := range all {
		c, err := Run(ctx, d, script, nil)
		if err != nil {
			return nil, fmt.Errorf("script %s: %w", script.ID, err)
		}
		t.Cases = append(t.Cases, c)
	}
	interact.Score(t)
	return t, nil
}
