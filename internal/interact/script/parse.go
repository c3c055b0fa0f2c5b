package script

import (
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/strictyaml"
)

// Parse reads a file of scripts: a list of them, or a single one. Name is what
// messages call the file. The error is a [*vitrine.Fault] with code usage that names
// file, line and field and lists what is valid there.
func Parse(name string, data []byte) ([]Script, error) {
	r := &reader{strictyaml.Reader{
		File: name, Holds: "a list of scripts", Max: maxFile, Advice: "; texts with : # { } [ ] or quotes in them want quotes around them",
	}}
	scripts := r.scripts(r.Document(data))
	if r.Err != nil {
		return nil, vitrine.NewFault("interact", vitrine.FaultUsage, nil, r.Err.Error()).
			WithFix("docs/scripts.md shows every step and every condition with an example.")
	}
	return scripts, nil
}

func (r *reader) scripts(f field) []Script {
	if r.Err != nil {
		return nil
	}
	if f.IsMapping() {
		return []Script{r.script(f)}
	}
	var scripts []Script
	for _, item := range r.list(f, maxScripts) {
		s := r.script(item)
		if s.ID != "" && slices.ContainsFunc(scripts, func(o Script) bool { return o.ID == s.ID }) {
			r.Fail(item, "the id %q is there twice", s.ID)
		}
		scripts = append(scripts, s)
	}
	return scripts
}

func (r *reader) script(f field) Script {
	s := Script{Route: "/"}
	for k := range r.entries(f, "id", "task", "expected", "category", "route", "steps") {
		switch k.Key {
		case "id":
			s.ID = r.words(k)
		case "task":
			s.Task = r.words(k)
		case "expected":
			s.Expected = r.text(k)
		case "category":
			s.Category = r.text(k)
		case "route":
			if s.Route = r.text(k); !strings.HasPrefix(s.Route, "/") {
				r.Fail(k, "want a path that begins with /, got %q", strictyaml.Clip(s.Route))
			}
		case "steps":
			for _, item := range r.list(k, maxSteps) {
				s.Steps = append(s.Steps, r.step(item))
			}
		}
	}
	switch {
	case s.Task == "":
		r.Fail(f, "task is missing: say in words what is tried")
	case s.Checks() == 0:
		r.Fail(f, "the script checks nothing: it needs at least one expect that is not optional")
	}
	return s
}

// Checks is how many of its expectations count.
func (s Script) Checks() (n int) {
	for _, step := range s.Steps {
		if step.Expect != nil && !step.Optional {
			n++
		}
	}
	return n
}

// actions are the words for what a step does; expectations those for what it expects.
var (
	actions = []string{
		"click", "double_click", "right_click", "hover", "type", "clear", "press", "select", "check", "uncheck",
		"drag", "scroll", "upload", "back", "reload", "wait",
	}
	expectations = []string{"expect", "expect_any"}
)

func (r *reader) step(f field) Step {
	var s Step
	said := 0
	for k := range r.entries(f, slices.Concat(actions, expectations)...) {
		said++
		switch k.Key {
		case "expect":
			s = r.expect(k)
		case "expect_any":
			s.Weight = 1
			for _, item := range r.list(k, maxAny) {
				s.Expect = append(s.Expect, r.condition(item))
			}
		default:
			s.Do = r.action(k)
		}
	}
	if said != 1 {
		r.Fail(f, "want one thing a step, got %d: begin a new step with a dash", said)
	}
	return s
}

func (r *reader) action(f field) *vitrine.Action {
	a := &vitrine.Action{Kind: vitrine.ActionKind(f.Key)}
	switch a.Kind {
	case vitrine.ActType:
		for k := range r.all(f, "into", "text") {
			if k.Key == "into" {
				a.Target = r.target(k)
			} else {
				a.Text = r.text(k)
			}
		}
	case vitrine.ActPress:
		r.press(f, a)
	case vitrine.ActSelect:
		for k := range r.all(f, "in", "option") {
			if k.Key == "in" {
				a.Target = r.target(k)
			} else {
				a.Text = r.words(k)
			}
		}
	case vitrine.ActDrag:
		r.drag(f, a)
	case vitrine.ActScroll:
		r.scroll(f, a)
	case vitrine.ActUpload:
		for k := range r.all(f, "into", "file") {
			if k.Key == "into" {
				a.Target = r.target(k)
			} else if a.Text = r.words(k); strings.ContainsAny(a.Text, "/\\\x00") {
				r.Fail(k, "want the name of a file such as photo.png, without folders: a stand-in is made")
			}
		}
	case vitrine.ActBack, vitrine.ActReload:
		r.yes(f)
	case vitrine.ActWait:
		a.MS = r.whole(f, 1, maxWait)
	default:
		a.Target = r.target(f)
	}
	return a
}

// all is entries of a mapping that has every one of these keys.
func (r *reader) all(f field, keys ...string) func(func(field) bool) {
	return func(yield func(field) bool) {
		seen := map[string]bool{}
		for k := range r.entries(f, keys...) {
			seen[k.Key] = true
			if !yield(k) {
				return
			}
		}
		for _, key := range keys {
			if !seen[key] {
				r.Fail(f, "%s is missing; it needs %s", key, strings.Join(keys, " and "))
			}
		}
	}
}

func (r *reader) press(f field, a *vitrine.Action) {
	if !f.IsMapping() {
		a.Text = r.key(f)
		return
	}
	for k := range r.entries(f, "key", "times", "in") {
		switch k.Key {
		case "key":
			a.Text = r.key(k)
		case "times":
			if n := r.whole(k, 1, maxTimes); n > 1 {
				a.Times = n
			}
		case "in":
			a.Target = r.target(k)
		}
	}
	if a.Text == "" {
		r.Fail(f, "key is missing: name one such as Enter, ArrowLeft, a or Control+z")
	}
}

// key reads the name of a key. A space is a key, too.
func (r *reader) key(f field) string {
	v := r.text(f)
	if n := len(v); n == 0 || n > 40 {
		r.Fail(f, "want the name of a key such as Enter, ArrowLeft, a or Control+z, got %q", strictyaml.Clip(v))
	}
	return v
}

func (r *reader) drag(f field, a *vitrine.Action) {
	for k := range r.entries(f, "from", "to", "by") {
		switch k.Key {
		case "from":
			a.Target = r.target(k)
		case "to":
			a.To = r.target(k)
		case "by":
			if by := r.pair(k, -maxMove, maxMove); by != nil {
				a.DX, a.DY = by[0], by[1]
			}
		}
	}
	if a.Target == nil || (a.To == nil) == (a.DX == 0 && a.DY == 0) {
		r.Fail(f, "want from, and either to (a target) or by ([right, down] in CSS pixels)")
	}
}

// scroll reads what scrolls by how much, or what is to be scrolled into the window:
// that is a target without a distance.
func (r *reader) scroll(f field, a *vitrine.Action) {
	into := false
	for k := range r.entries(f, "by", "in", "to") {
		switch k.Key {
		case "by":
			if a.DY = r.number(k, -maxMove, maxMove); a.DY == 0 {
				r.Fail(k, "want CSS pixels, above 0 for down and below 0 for up")
			}
		case "in":
			a.Target = r.target(k)
		case "to":
			a.Target, into = r.target(k), true
		}
	}
	if said := len(slices.Collect(r.entries(f, "by", "in", "to"))); into && said != 1 || !into && a.DY == 0 {
		r.Fail(f, "want either by (CSS pixels, down; in: what to scroll if it is not the window) or to (a target)")
	}
}

// pair reads a list of two numbers.
func (r *reader) pair(f field, low, high float64) []float64 {
	items := r.list(f, 2)
	if len(items) != 2 {
		r.Fail(f, "want two numbers such as [120, 0]")
		return nil
	}
	return []float64{r.number(items[0], low, high), r.number(items[1], low, high)}
}

// target reads what a step is done to: one of several ways to say it.
func (r *reader) target(f field) *vitrine.Target {
	t := &vitrine.Target{}
	ways := 0
	for k := range r.entries(f, "role", "name", "text", "label", "placeholder", "css", "point", "nth") {
		switch k.Key {
		case "role":
			t.Role = r.words(k)
		case "name":
			t.Name = r.words(k)
			ways--
		case "text":
			t.Text = r.words(k)
		case "label":
			t.Label = r.words(k)
		case "placeholder":
			t.Placeholder = r.words(k)
		case "css":
			t.CSS = r.words(k)
		case "point":
			t.Point = r.pair(k, 0, 1000)
		case "nth":
			t.Nth = r.whole(k, 0, 1000)
			ways--
		}
		ways++
	}
	switch {
	case ways != 1:
		r.Fail(f, "want one of role (with name), text, label, placeholder, css and point, got %d of them", ways)
	case t.Name != "" && t.Role == "":
		r.Fail(f, "name goes with role, such as {role: button, name: %q}; or say text or label", strictyaml.Clip(t.Name))
	case t.Nth != 0 && t.Point != nil:
		r.Fail(f, "a point takes no nth")
	}
	return t
}
