package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/interact"
)

const (
	maxSort  = 12 // controls of the same role, sort of name and place in the structure
	maxAlike = 42 // the same with other names
	maxNamed = 2  // of the same role and name, of those that appear only later
	maxNew   = 14 // that one state adds to what is to be tried
)

// found enters the controls of a scene that were not seen before and says how many.
func (e *explorer) found(scene *interact.Scene, route string, path []vitrine.Action, state string, depth int) (added int) {
	for i, c := range scene.Controls {
		key := route + "|" + c.Role + "|" + fold(c.Name) + "|" + c.Path
		if e.known[key] || depth > 0 && added >= maxNew || e.alike(route, c, true) >= maxSort || e.alike(route, c, false) >= maxAlike {
			continue
		}
		if depth > 0 && e.named(route, c) >= maxNamed {
			continue
		}
		if depth > 0 && (c.Covered || e.known[route+"|"+c.Path]) {
			continue // it was there before under another name, or is not the new thing
		}
		e.known[key], e.known[route+"|"+c.Path] = true, true
		added++
		e.queue = append(e.queue, &candidate{
			route: route, path: path, from: state, control: c, facts: scene.Facts[i], depth: depth, at: -1, order: len(e.queue) + len(e.done),
			rank: e.importance(c, scene.Facts[i], scene, depth),
		})
	}
	return added
}

// named counts how many controls of the same role and name are known already: what
// appears later is often the same thing again.
func (e *explorer) named(route string, c vitrine.Control) (n int) {
	for _, list := range [][]*candidate{e.queue, e.done} {
		for _, o := range list {
			if o.route == route && o.control.Role == c.Role && o.control.Name == c.Name {
				n++
			}
		}
	}
	return n
}

var numbered = regexp.MustCompile(`:nth-of-type\(\d+\)`)

// alike counts how many controls of the same kind are known already: days of a
// calendar, cells of a board.
func (e *explorer) alike(route string, c vitrine.Control, named bool) (n int) {
	shape := func(c vitrine.Control) string { return c.Role + numbered.ReplaceAllString(c.Path, "") }
	for _, list := range [][]*candidate{e.queue, e.done} {
		for _, o := range list {
			if o.route == route && (!named || sortOf(o.control.Name) == sortOf(c.Name)) && shape(o.control) == shape(c) && strings.Contains(c.Path, ":nth-of-type") {
				n++
			}
		}
	}
	return n
}

var number = regexp.MustCompile(`\d+`)

// sortOf is a name without the numbers in it: "Like post 1" and "Like post 2" are of one
// sort, the days of a calendar are not.
func sortOf(name string) string {
	if bare := strings.TrimSpace(number.ReplaceAllString(name, "")); bare != "" {
		return bare
	}
	return name
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

var (
	wordy   = regexp.MustCompile(`[\p{L}\p{N}]{3,}`)
	primary = regexp.MustCompile(`(?i)\b(add|start|play|submit|search|send|buy|book|create|generate|calculate|save|sign|log in|login|register|next|new|open|order|checkout|contact|get started|convert|go|run|apply|subscribe)\b`)
)

func words(s string) map[string]bool {
	all := map[string]bool{}
	for _, w := range wordy.FindAllString(strings.ToLower(s), -1) {
		all[w] = true
	}
	return all
}

// weights of roles: what a page is for is rather behind its buttons and fields than
// behind its links.
var weights = map[string]float64{
	"button": 0.5, "canvas": 0.6, "textbox": 0.45, "searchbox": 0.5, "tab": 0.45, "combobox": 0.4, "slider": 0.4, "spinbutton": 0.4, "switch": 0.4, "checkbox": 0.35,
	"radio": 0.35, "link": 0.3, "clickable": 0.4, "keyboard": 0.5, "menuitem": 0.4, "option": 0.3,
}

// importance ranks a control in [0,1]: by role, place, size and whether the
// instruction speaks of it.
func (e *explorer) importance(c vitrine.Control, f interact.Facts, scene *interact.Scene, depth int) float64 {
	v := e.driver.Viewport
	score := weights[c.Role]
	if score == 0 {
		score = 0.3
	}
	top := (c.Box.Y + scene.ScrollY) / float64(max(v.Height, 1))
	score += 0.15 * math.Max(0, 1-top/2)
	score += 0.1 * math.Min(1, math.Sqrt(math.Max(c.Box.Area(), 0))/150)
	switch f.Region {
	case "main", "form", "dialog":
		score += 0.05
	case "footer":
		score -= 0.15
	}
	if f.Submits {
		score += 0.05
	}
	if primary.MatchString(c.Name) && c.Role != "link" {
		score += 0.1
	}
	for w := range words(c.Name) {
		if e.words[w] {
			score += 0.1
			break
		}
	}
	score -= 0.1 * float64(depth)
	return math.Round(1000*math.Min(1, math.Max(0.01, score))) / 1000
}

// stateID is a hash of what makes a state: its route, its controls and its texts.
func stateID(scene *interact.Scene) string {
	h := sha256.New()
	fmt.Fprintln(h, scene.URL, scene.Title, scene.Text)
	for _, c := range scene.Controls {
		fmt.Fprintln(h, c.Role, c.Name, c.States, c.Value)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

const maxStates = 60

// state enters a scene into the map and returns its id.
func (e *explorer) state(scene *interact.Scene, frame, from, by string) string {
	id := stateID(scene)
	if !e.states[id] && len(e.states) < maxStates {
		e.states[id] = true
		e.trace.States = append(e.trace.States, vitrine.State{ID: id, Route: interact.Route(e.driver.Site, scene.URL), Title: scene.Title, Frame: frame, From: from, By: by})
	}
	return id
}

// task says in words what is tried.
func task(c *candidate) string {
	verb := map[string]string{"textbox": "write into", "searchbox": "search with", "spinbutton": "write into", "combobox": "choose from", "checkbox": "tick", "slider": "move", "keyboard": "press"}[c.control.Role]
	if verb == "" {
		verb = "operate"
	}
	name := c.control.Name
	if name == "" {
		name = c.control.Path
	}
	text := fmt.Sprintf("%s the %s %q", verb, c.control.Role, name)
	if len(c.path) > 0 {
		text += fmt.Sprintf(" after %d other actions", len(c.path))
	}
	return text
}
