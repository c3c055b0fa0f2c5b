package explore

import (
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

// A plan is a way to operate a control. Its actions are done one after the other from
// the state in which the control was found.
type plan struct {
	actions []vitrine.Action
	fills   bool // the form around the control is filled in first
}

func on(c *candidate) *vitrine.Target { return &vitrine.Target{CSS: c.control.Path} }

// plans lists the ways to operate a control, most natural first.
func plans(c *candidate) []plan {
	t := on(c)
	one := func(kind vitrine.ActionKind, text string) plan {
		return plan{actions: []vitrine.Action{{Kind: kind, Target: t, Text: text}}}
	}
	control, f := c.control, c.facts
	switch {
	case control.Role == "keyboard":
		return []plan{{actions: []vitrine.Action{{Kind: vitrine.ActPress, Text: control.Name}}}}
	case control.Tag == "input" && control.Type == "file":
		return []plan{one(vitrine.ActUpload, interact.FileFor(f))}
	case control.Tag == "select":
		return []plan{one(vitrine.ActSelect, otherOption(control, f))}
	case control.Type == "checkbox" || control.Type == "radio":
		return []plan{one(vitrine.ActClick, "")}
	case control.Role == "slider" || control.Type == "range":
		return append(slides(c), dragsBy(t, [2]float64{80, 0}, [2]float64{0, -80})...)
	case control.Tag == "canvas":
		return canvas(c)
	case isText(control):
		typed := one(vitrine.ActType, interact.FieldValue(control, f))
		if f.Form == "" && written(control) { // in a form, Enter sends it off
			typed.actions = append(typed.actions, vitrine.Action{Kind: vitrine.ActPress, Target: t, Text: "Enter"})
		}
		return []plan{typed}
	}
	return pointed(c, one)
}

// pointed are the ways to operate what is clicked.
func pointed(c *candidate, one func(vitrine.ActionKind, string) plan) []plan {
	f := c.facts
	var all []plan
	click := one(vitrine.ActClick, "")
	if f.Popup != "" || f.Hovers && !f.Clicks {
		all = append(all, one(vitrine.ActHover, ""))
	}
	if f.Menus {
		all = append(all, one(vitrine.ActRightClick, ""))
	}
	all = append(all, click)
	if f.Draggable || f.Drags {
		all = append(all, drops(c)...)
	} else if c.control.Role == "clickable" && (f.Clicks || f.Moves) && c.control.Tag != "button" {
		all = append(all, dragsBy(on(c), [2]float64{300, 0}, [2]float64{-300, 0}, [2]float64{0, 120})...)
	}
	if c.control.Role == "clickable" || f.DoubleClicks || f.Menus {
		all = append(all, one(vitrine.ActDoubleClick, ""), one(vitrine.ActRightClick, ""))
	}
	if f.Popup == "" && f.Hovers && f.Clicks {
		all = append(all, one(vitrine.ActHover, ""))
	}
	if c.control.Role == "button" || c.control.Role == "clickable" {
		all = append(all, plan{actions: click.actions, fills: true})
	}
	return all
}

func slides(c *candidate) []plan {
	t := on(c)
	key := func(name string) plan {
		return plan{actions: []vitrine.Action{{Kind: vitrine.ActPress, Target: t, Text: name, Times: 3}}}
	}
	return []plan{key("ArrowRight"), key("ArrowLeft")}
}

func dragsBy(t *vitrine.Target, by ...[2]float64) (all []plan) {
	for _, d := range by {
		all = append(all, plan{actions: []vitrine.Action{{Kind: vitrine.ActDrag, Target: t, DX: d[0], DY: d[1]}}})
	}
	return all
}

// drops drags to where something can be let fall. The explorer does not know which
// place is meant: it tries some around.
func drops(c *candidate) []plan {
	var all []plan
	for _, to := range c.facts.DropsAt {
		all = append(all, plan{actions: []vitrine.Action{{Kind: vitrine.ActDrag, Target: on(c), To: &vitrine.Target{CSS: to}}}})
	}
	return append(all, dragsBy(on(c), [2]float64{300, 0}, [2]float64{0, 100})...)
}

// canvas is clicked in the middle, drawn on, hovered over, and clicked all over.
func canvas(c *candidate) []plan {
	t, b := on(c), c.control.Box
	all := []plan{{actions: []vitrine.Action{{Kind: vitrine.ActClick, Target: t}}}}
	all = append(all, dragsBy(t, [2]float64{b.W / 5, b.H / 5})...)
	all = append(all, plan{actions: []vitrine.Action{{Kind: vitrine.ActHover, Target: t}}})
	return all
}

// written fields take what is typed; others have pickers.
func written(c vitrine.Control) bool {
	switch c.Type {
	case "color", "date", "time", "month", "week", "datetime-local":
		return false
	}
	return c.Tag == "input"
}

func isText(c vitrine.Control) bool {
	switch c.Role {
	case "textbox", "searchbox", "spinbutton":
		return true
	case "combobox":
		return c.Tag == "input" || c.Tag == "textarea"
	}
	return c.Tag == "textarea" || c.Tag == "input" && (c.Type == "color" || strings.Contains("date time month week datetime-local", c.Type) && c.Type != "")
}

// otherHost is why a control is unclear that leads to another host.
const otherHost = "it leads to another host, which nothing here can reach"

// refusal says why a control is not tried at all.
func refusal(c *candidate) string {
	f := c.facts
	switch {
	case c.control.Tag == "select" && otherOption(c.control, f) == "":
		return "there is nothing else to choose"
	case has(c.control, "readonly") && isText(c.control):
		return "it is read-only"
	case c.control.Role == "link" && external(f.Href):
		return otherHost
	case c.control.Tag == "video" || c.control.Tag == "audio":
		return "players are operated by the browser's own buttons"
	}
	return ""
}

func external(href string) bool {
	h := strings.ToLower(strings.TrimSpace(href))
	return strings.HasPrefix(h, "http://") && !strings.HasPrefix(h, "http://localhost/") || strings.HasPrefix(h, "https://") || strings.HasPrefix(h, "//")
}

func has(c vitrine.Control, state string) bool {
	for _, s := range c.States {
		if s == state {
			return true
		}
	}
	return false
}

// otherOption is an option of a list that is not chosen.
func otherOption(c vitrine.Control, f interact.Facts) string {
	for _, o := range f.Options {
		if !strings.HasPrefix(o, "\x00") && o != c.Value && o != "" {
			return o
		}
	}
	return ""
}
