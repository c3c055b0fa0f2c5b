package script

import (
	"fmt"
	"testing"

	"vitrine"
)

// standing is a page that every condition is held against.
func standing() seen {
	return seen{
		text: "Your  cart\n  Total: $78  ADDED TO CART",
		url:  "/cart?step=2#pay",
		elements: []element{
			{checked: true, value: "hidden one", attributes: map[string]string{"class": "a"}, style: map[string]string{"display": "none"}},
			{
				visible: true, enabled: true, focused: true, value: "France",
				attributes: map[string]string{"aria-expanded": "true", "hidden": ""}, style: map[string]string{"color": "rgb(255, 0, 16)"},
			},
			{visible: true, value: "third"},
		},
		storage: map[string]string{"theme": "dark mode", "empty": ""},
		dialogs: []vitrine.Dialog{{Kind: "alert", Text: "Saved!"}, {Kind: "confirm", Text: "Delete it?"}},
		last:    &vitrine.Effect{Appeared: []string{"Saving now"}, Scrolled: -20, Attrs: 1},
		errors:  []string{"TypeError: x"},
	}
}

func TestConditionsHoldWhereTheyShould(t *testing.T) {
	for condition, want := range map[string]bool{
		`text: "total: $78"`:                    true,
		`text: "your cart"`:                     true, // white space is one
		`text: Added to cart`:                   true, // CSS wrote it in capitals
		`text: Total 78`:                        false,
		`no_text: Empty`:                        true,
		`no_text: CART`:                         false,
		`url: "/cart"`:                          true,
		`url: "#pay"`:                           true,
		`url: "/Cart"`:                          false,
		`visible: {css: a}`:                     true,
		`hidden: {css: a}`:                      false,
		`enabled: {css: a}`:                     true, // the first that can be seen is meant
		`disabled: {css: a}`:                    false,
		`checked: {css: a}`:                     false,
		`unchecked: {css: a}`:                   true,
		`focused: {css: a}`:                     true,
		`dialog: saved`:                         true,
		`dialog: "delete it?"`:                  true,
		`dialog: Welcome`:                       false,
		`changed: text`:                         true,
		`changed: dom`:                          true,
		`changed: screen`:                       false,
		`scrolled: up`:                          true,
		`scrolled: down`:                        false,
		`console_error: none`:                   false,
		`count: {of: {css: a}, is: 2}`:          true,
		`count: {of: {css: a}, is: 3}`:          false,
		`count: {of: {css: a}, at_least: 2}`:    true,
		`count: {of: {css: a}, at_least: 3}`:    false,
		`count: {of: {css: a}, at_most: 2}`:     true,
		`count: {of: {css: a}, at_most: 1}`:     false,
		`value: {of: {css: a}, is: france}`:     true,
		`value: {of: {css: a}, contains: ranc}`: true,
		`value: {of: {css: a}, is: ranc}`:       false,
		`value: {of: {css: a}, is: hidden one}`: false,
		`attribute: {of: {css: a}, name: aria-expanded, is: "true"}`:    true,
		`attribute: {of: {css: a}, name: aria-expanded, contains: ru}`:  true,
		`attribute: {of: {css: a}, name: aria-expanded, is: "false"}`:   false,
		`attribute: {of: {css: a}, name: hidden, is: ""}`:               true,
		`attribute: {of: {css: a}, name: open, is: ""}`:                 false,
		`style: {of: {css: a}, property: color, is: "rgb(255, 0, 16)"}`: true,
		`style: {of: {css: a}, property: color, is: "#FF0010"}`:         true,
		`style: {of: {css: a}, property: color, is: "#FF0011"}`:         false,
		`style: {of: {css: a}, property: colour, is: red}`:              false, // there is no such property
		`style: {of: {css: a}, property: colour, contains: ""}`:         false,
		`storage: {key: theme, contains: dark}`:                         true,
		`storage: {key: theme, is: dark}`:                               false,
		`storage: {key: empty, is: ""}`:                                 true,
		`storage: {key: other, contains: ""}`:                           false,
	} {
		t.Run(condition, func(t *testing.T) {
			page, c := standing(), only(t, condition)
			if c.Of == nil {
				page.elements = nil
			}
			held, saw := c.holds(page)
			if held != want {
				t.Errorf("held: %v, saw %s", held, saw)
			}
			if saw == "" {
				t.Error("nothing is said of what was there")
			}
		})
	}
}

func TestATextThatNobodySeesIsNotShown(t *testing.T) {
	page := seen{text: "Slide one Slide two", elements: []element{{visible: false}}}
	if held, _ := only(t, "text: Slide two").holds(page); held {
		t.Error("a transparent text is shown")
	}
	if held, _ := only(t, "no_text: Slide two").holds(page); !held {
		t.Error("a transparent text is shown")
	}
}

func TestARingOfFocusIsNoChange(t *testing.T) {
	button := vitrine.Box{X: 100, Y: 100, W: 80, H: 30}
	for name, c := range map[string]struct {
		effect vitrine.Effect
		want   bool
	}{
		"ring":            {vitrine.Effect{Pixels: 0.01, Regions: []vitrine.Box{{X: 80, Y: 80, W: 128, H: 64}}}, false},
		"elsewhere":       {vitrine.Effect{Pixels: 0.01, Regions: []vitrine.Box{{X: 80, Y: 80, W: 128, H: 64}, {X: 300, Y: 300, W: 9, H: 9}}}, true},
		"with its text":   {vitrine.Effect{Pixels: 0.01, Appeared: []string{"Saved"}, Regions: []vitrine.Box{{X: 100, Y: 100, W: 80, H: 30}}}, true},
		"nowhere told of": {vitrine.Effect{Pixels: 0.01}, true},
		"no pixel":        {vitrine.Effect{Appeared: []string{"Saved"}}, false},
	} {
		held, saw := only(t, "changed: screen").holds(seen{last: &c.effect, touched: button})
		if held != c.want {
			t.Errorf("%s: held %v, saw %s", name, held, saw)
		}
	}
}

func TestOfAPageWithNothing(t *testing.T) {
	for condition, want := range map[string]bool{
		`hidden: {css: a}`: true, `visible: {css: a}`: false, `count: {of: {css: a}, is: 0}`: true, `disabled: {css: a}`: false, `unchecked: {css: a}`: false,
		`value: {of: {css: a}, is: ""}`: false, `style: {of: {css: a}, property: color, is: ""}`: false, `changed: dom`: false, `scrolled: down`: false,
		`console_error: none`: true, `no_text: a`: true,
	} {
		if held, saw := only(t, condition).holds(seen{}); held != want {
			t.Errorf("%s: held: %v, saw %s", condition, held, saw)
		}
	}
}

// only is the condition of a script that has one.
func only(t *testing.T, condition string) Condition {
	t.Helper()
	return mustParse(t, fmt.Sprintf("task: T\nsteps:\n  - expect: {%s}\n", condition))[0].Steps[0].Expect[0]
}

func TestVerdicts(t *testing.T) {
	check := func(weight float64, held bool) vitrine.Check { return vitrine.Check{Weight: weight, Held: held} }
	for name, c := range map[string]struct {
		checks []vitrine.Check
		want   vitrine.CaseVerdict
		score  float64
	}{
		"all hold":                       {[]vitrine.Check{check(1, true), check(0.1, true), check(0.2, true)}, vitrine.VerdictPass, 1},
		"an optional one does not count": {[]vitrine.Check{check(0, false), check(1, true)}, vitrine.VerdictPass, 1},
		"half with the first":            {[]vitrine.Check{check(1, true), check(1, false)}, vitrine.VerdictPartial, 0.5},
		"half without the first":         {[]vitrine.Check{check(1, false), check(1, true)}, vitrine.VerdictFail, 0},
		"the first one that counts":      {[]vitrine.Check{check(0, true), check(1, false), check(9, true)}, vitrine.VerdictFail, 0},
		"behind one that does not":       {[]vitrine.Check{check(0, false), check(1, true), check(1, false)}, vitrine.VerdictPartial, 0.5},
		"less than half":                 {[]vitrine.Check{check(1, true), check(1.1, false)}, vitrine.VerdictFail, 0},
		"none holds":                     {[]vitrine.Check{check(1, false)}, vitrine.VerdictFail, 0},
	} {
		if verdict, score := Verdict(c.checks); verdict != c.want || score == nil || *score != c.score {
			t.Errorf("%s: got %s %v", name, verdict, score)
		}
	}
	if verdict, score := Verdict([]vitrine.Check{check(0, true)}); verdict != vitrine.VerdictUnclear || score != nil {
		t.Errorf("nothing that counts: got %s %v", verdict, score)
	}
}
