package script

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/strictyaml"
)

// seen is what a condition is held against: the page as it stands and what the last
// action did.
type seen struct {
	text     string // of the page
	url      string
	elements []element // those that the condition is about; of a text, the smallest that have it
	storage  map[string]string
	dialogs  []vitrine.Dialog
	last     *vitrine.Effect // of the last action; nil before the first
	touched  vitrine.Box     // around what was operated last, where the focus leaves its mark
	errors   []string        // the console's, and uncaught exceptions, since the start
	bad      string          // why the condition's target says nothing of the page
}

// An element is one that a target describes, visible or not.
type element struct {
	visible, enabled, checked, focused bool
	value                              string // of a field; of anything else its text
	attributes, style                  map[string]string
}

// holds reports whether a condition holds, and what was there.
func (c Condition) holds(s seen) (held bool, saw string) {
	if s.bad != "" {
		return false, s.bad
	}
	switch c.Kind {
	case KindText:
		return s.shows(c.Text) || s.showed(c.Text), "the visible text: " + excerpt(s.text)
	case KindNoText:
		return !s.shows(c.Text), "the visible text: " + around(s.text, c.Text)
	case KindURL:
		return strings.Contains(s.url, c.Text), s.url
	case KindDialog:
		return c.inDialog(s.dialogs)
	case KindStorage:
		return c.inStorage(s.storage)
	case KindChanged, KindScrolled:
		return c.inEffect(s.last, s.touched)
	case KindConsoleError:
		return len(s.errors) == 0, strings.Join(s.errors, "; ")
	}
	return c.ofElements(s.elements)
}

// NoElement is what a check saw that is about an element where there is none.
const NoElement = "no such element"

// ofElements holds what is about elements. Of several, the first that can be seen is
// meant, or the first.
func (c Condition) ofElements(all []element) (bool, string) {
	shown := 0
	var first *element
	for i := range all {
		if all[i].visible {
			shown++
		}
		if first == nil || all[i].visible && !first.visible {
			first = &all[i]
		}
	}
	there := fmt.Sprintf("%d such elements, %d of them visible", len(all), shown)
	switch {
	case c.Kind == KindVisible:
		return shown > 0, there
	case c.Kind == KindHidden:
		return shown == 0, there
	case c.Kind == KindCount:
		return c.counts(shown), there
	case first == nil:
		return false, NoElement
	}
	return c.ofOne(first)
}

func (c Condition) ofOne(e *element) (bool, string) {
	switch c.Kind {
	case KindChecked, KindUnchecked:
		return e.checked == (c.Kind == KindChecked), tell(e.checked, "checked", "not checked")
	case KindEnabled, KindDisabled:
		return e.enabled == (c.Kind == KindEnabled), tell(e.enabled, "enabled", "disabled")
	case KindFocused:
		return e.focused, tell(e.focused, "focused", "not focused")
	case KindAttribute:
		value, there := e.attributes[c.Key]
		return there && c.fits(value), tell(there, strconv.Quote(strictyaml.Clip(value)), "no such attribute")
	case KindStyle:
		value := e.style[c.Key]
		return value != "" && (c.fits(value) || rgb(c.Text) == value), tell(value != "", value, "no such property")
	case KindValue:
		is := fold(e.value) == fold(c.Text)
		return is || c.Compare == CompareContains && has(e.value, c.Text), strconv.Quote(strictyaml.Clip(e.value))
	}
	return false, ""
}

// counts compares a number of elements.
func (c Condition) counts(n int) bool {
	switch c.Compare {
	case CompareAtLeast:
		return n >= c.N
	case CompareAtMost:
		return n <= c.N
	}
	return n == c.N
}

// fits compares a value letter by letter.
func (c Condition) fits(value string) bool {
	if c.Compare == CompareContains {
		return strings.Contains(value, c.Text)
	}
	return value == c.Text
}

// inStorage looks for a key in local storage, in the session's and in cookies.
func (c Condition) inStorage(storage map[string]string) (bool, string) {
	saw := "no such key"
	for _, key := range []string{c.Key, "session:" + c.Key, "cookie:" + c.Key} {
		if value, there := storage[key]; there {
			saw = strconv.Quote(strictyaml.Clip(value))
			if c.fits(value) {
				return true, saw
			}
		}
	}
	return false, saw
}

func (c Condition) inDialog(dialogs []vitrine.Dialog) (bool, string) {
	var said []string
	for _, d := range dialogs {
		if has(d.Text, c.Text) {
			return true, strconv.Quote(strictyaml.Clip(d.Text))
		}
		said = append(said, strconv.Quote(strictyaml.Clip(d.Text)))
	}
	return false, tell(len(said) > 0, strings.Join(said, ", "), "no dialog")
}

func (c Condition) inEffect(e *vitrine.Effect, touched vitrine.Box) (bool, string) {
	if e == nil {
		return false, "nothing was done before"
	}
	if c.Kind == KindScrolled {
		return c.Text == "down" && e.Scrolled > 0 || c.Text == "up" && e.Scrolled < 0, fmt.Sprintf("scrolled by %g px", e.Scrolled)
	}
	switch c.Text {
	case "screen":
		saw := fmt.Sprintf("%.3g%% of the window changed", 100*e.Pixels)
		if isMark(*e, touched) {
			return false, saw + ", no more than a mark of focus"
		}
		return e.Pixels > 0, saw
	case "text":
		return len(e.Appeared)+len(e.Gone) > 0, fmt.Sprintf("%d texts appeared, %d went", len(e.Appeared), len(e.Gone))
	}
	return e.Loaded || len(e.Changed) > 0 || e.Added+e.Removed+e.Attrs > 0,
		fmt.Sprintf("%d elements added, %d removed, %d attributes written", e.Added, e.Removed, e.Attrs)
}

// isMark reports whether all that changed are pixels at what was operated: the ring of
// the focus that came or went.
func isMark(e vitrine.Effect, touched vitrine.Box) bool {
	const ring = 28 // CSS pixels: the ring, and that regions are told in cells
	regions := e.Regions
	e.Pixels, e.Regions = 0, nil
	return interact.Empty(e) && len(regions) > 0 && !slices.ContainsFunc(regions, func(r vitrine.Box) bool {
		return r.X < touched.X-ring || r.Y < touched.Y-ring || r.X+r.W > touched.X+touched.W+ring || r.Y+r.H > touched.Y+touched.H+ring
	})
}

// shows reports whether a text can be seen. Elements that have it know better than the
// text of the page, in which transparent texts are, too.
func (s seen) shows(text string) bool {
	if len(s.elements) == 0 {
		return has(s.text, text)
	}
	return slices.ContainsFunc(s.elements, func(e element) bool { return e.visible })
}

// showed reports whether a text appeared with the last action, though it may have gone
// since.
func (s seen) showed(text string) bool {
	return s.last != nil && slices.ContainsFunc(s.last.Appeared, func(a string) bool { return has(a, text) })
}

func tell(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// fold is a text in one case with single spaces: what CSS does to a text, or how a
// line breaks, is no difference.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

func has(text, part string) bool { return strings.Contains(fold(text), fold(part)) }

// maxExcerpt bounds what of a page's text is kept with a check.
const maxExcerpt = 300

func excerpt(text string) string {
	if r := []rune(strings.Join(strings.Fields(text), " ")); len(r) > maxExcerpt {
		return string(r[:maxExcerpt]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

// around is an excerpt that begins a little before a part.
func around(text, part string) string {
	text = fold(text)
	at := max(strings.Index(text, fold(part)), 0)
	return excerpt(strings.ToValidUTF8(text[max(at-maxExcerpt/3, 0):], ""))
}

var hexColor = regexp.MustCompile(`^#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})$`)

// rgb writes #rrggbb as browsers compute it.
func rgb(s string) string {
	m := hexColor.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	var v [3]uint64
	for i := range v {
		v[i], _ = strconv.ParseUint(m[i+1], 16, 8) // two hexadecimal digits
	}
	return fmt.Sprintf("rgb(%d, %d, %d)", v[0], v[1], v[2])
}
