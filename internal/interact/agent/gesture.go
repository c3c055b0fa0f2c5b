package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"vitrine"
)

// Coordinates says what the numbers of a GUI model's points mean.
type Coordinates string

// The meanings.
const (
	// Thousandths are 0 to 1000 of the width and of the height.
	Thousandths Coordinates = "thousandths"
	// Pixels are those of the picture that the model was sent, as UI-TARS-1.5 points.
	Pixels Coordinates = "pixels"
)

// A grid is the range of a picture's points.
type grid struct {
	coordinates   Coordinates
	width, height float64 // of the picture in pixels
}

func (g grid) limits() (w, h float64) {
	if g.coordinates == Pixels {
		return g.width, g.height
	}
	return 1000, 1000
}

func (g grid) words() string {
	if g.coordinates == Pixels {
		return fmt.Sprintf("pixels, 0 to %g and 0 to %g", g.width, g.height)
	}
	return "0 to 1000 of the width and 0 to 1000 of the height"
}

// target is the place of an argument. A point outside of the picture is an error.
func (g grid) target(text string) (*vitrine.Target, error) {
	x, y, err := parsePlace(text)
	if err != nil {
		return nil, err
	}
	w, h := g.limits()
	if x < 0 || y < 0 || x > w || y > h {
		return nil, fmt.Errorf("the point %g %g is outside of the picture, which goes from 0 0 to %g %g", x, y, w, h)
	}
	return &vitrine.Target{Point: []vitrine.Coord{x * 1000 / w, y * 1000 / h}}, nil
}

const (
	scrollBy  = 0.6  // of the window, for one scroll
	pixelWait = 5000 // ms of page time, for one wait
	markWait  = 1000 // the same in the other forms
)

// gestures are the actions of the action space with their arguments, each under any
// of the names that models of this family use.
var gestures = map[string][][]string{
	"click":        {{"point", "start_box"}},
	"left_double":  {{"point", "start_box"}},
	"right_single": {{"point", "start_box"}},
	"drag":         {{"start_point", "start_box"}, {"end_point", "end_box"}},
	"hotkey":       {{"key"}},
	"type":         {{"content"}},
	"scroll":       {{"point", "start_box"}, {"direction"}},
	"wait":         {},
	"finished":     {{"content"}},
}

// arguments are the values of a call in the order of its gesture. Every argument has
// to be there, and no other.
func (c call) arguments() ([]string, error) {
	wanted, known := gestures[c.name]
	if !known {
		return nil, fmt.Errorf("there is no action %q", c.name)
	}
	var values []string
	for _, names := range wanted {
		i := slices.IndexFunc(names, func(n string) bool { _, there := c.args[n]; return there })
		if i < 0 {
			return nil, fmt.Errorf("%s needs %s='…'", c.name, names[0])
		}
		values = append(values, c.args[names[i]])
	}
	if len(c.args) != len(wanted) {
		return nil, fmt.Errorf("%s takes %d arguments, not %d", c.name, len(wanted), len(c.args))
	}
	return values, nil
}

// move turns a call into what is done in the window.
func (g grid) move(c call, window vitrine.Viewport) (move, error) {
	args, err := c.arguments()
	if err != nil {
		return move{}, err
	}
	switch c.name {
	case "click":
		return g.point(vitrine.ActClick, args[0])
	case "left_double":
		return g.point(vitrine.ActDoubleClick, args[0])
	case "right_single":
		return g.point(vitrine.ActRightClick, args[0])
	case "drag":
		return g.drag(args[0], args[1])
	case "scroll":
		return g.scroll(args[0], args[1], window)
	case "hotkey":
		return hotkey(args[0])
	case "type":
		text, enter := strings.CutSuffix(args[0], "\n")
		if args[0] == "" {
			return move{}, errors.New("type needs a text")
		}
		return move{actions: typing(nil, text, enter)}, nil
	case "wait":
		return one(vitrine.Action{Kind: vitrine.ActWait, MS: pixelWait}), nil
	}
	return move{done: true, conclusion: conclusion{why: args[0]}}, nil
}

func one(a vitrine.Action) move { return move{actions: []vitrine.Action{a}} }

func (g grid) point(kind vitrine.ActionKind, at string) (move, error) {
	t, err := g.target(at)
	return one(vitrine.Action{Kind: kind, Target: t}), err
}

func (g grid) drag(from, to string) (move, error) {
	start, err := g.target(from)
	if err != nil {
		return move{}, err
	}
	end, err := g.target(to)
	return one(vitrine.Action{Kind: vitrine.ActDrag, Target: start, To: end}), err
}

func (g grid) scroll(at, direction string, window vitrine.Viewport) (move, error) {
	t, err := g.target(at)
	if err != nil {
		return move{}, err
	}
	a, err := scroll(t, direction, window)
	return one(a), err
}

// scroll moves what is at a target, or the window, towards a direction.
func scroll(at *vitrine.Target, direction string, window vitrine.Viewport) (vitrine.Action, error) {
	a := vitrine.Action{Kind: vitrine.ActScroll, Target: at}
	switch direction {
	case "down":
		a.DY = scrollBy * float64(window.Height)
	case "up":
		a.DY = -scrollBy * float64(window.Height)
	case "right":
		a.DX = scrollBy * float64(window.Width)
	case "left":
		a.DX = -scrollBy * float64(window.Width)
	default:
		return a, fmt.Errorf("%q is no direction; want up, down, left or right", direction)
	}
	return a, nil
}

// keys are the names that GUI models give to keys, and the browser's.
var keys = map[string]string{
	"ctrl": "Control", "control": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta", "cmd": "Meta", "command": "Meta", "win": "Meta",
	"enter": "Enter", "return": "Enter", "esc": "Escape", "escape": "Escape", "tab": "Tab", "space": "Space",
	"backspace": "Backspace", "delete": "Delete", "del": "Delete", "insert": "Insert", "home": "Home", "end": "End",
	"pageup": "PageUp", "pagedown": "PageDown", "page_up": "PageUp", "page_down": "PageDown",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft", "arrowright": "ArrowRight",
}

// hotkey is up to three keys with a space between, of which the last is pressed
// while the others are held.
func hotkey(text string) (move, error) {
	names := strings.Fields(text)
	if len(names) < 1 || len(names) > 3 {
		return move{}, fmt.Errorf("hotkey takes one to three keys with a space between, not %q", text)
	}
	for i, name := range names {
		key, known := keys[name]
		switch {
		case known:
			names[i] = key
		case len(name) != 1 || name[0] <= ' ' || name[0] > '~':
			return move{}, fmt.Errorf("there is no key %q", name)
		}
		if held := slices.Contains([]string{"Control", "Shift", "Alt", "Meta"}, names[i]); held != (i < len(names)-1) {
			return move{}, fmt.Errorf("%q is no hotkey: want keys to be held, then one to be pressed", text)
		}
	}
	return one(vitrine.Action{Kind: vitrine.ActPress, Text: strings.Join(names, "+")}), nil
}
