package interact

import (
	"context"
	"fmt"
	"strings"

	"vitrine"
)

// A Scene is a page as it stands: what can be operated and what can be read. Boxes are
// in the window, in CSS pixels.
type Scene struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"` // visible text, white space collapsed, bounded
	// Controls are in reading order, those in the window first; Controls[i].Mark is i+1.
	Controls []vitrine.Control `json:"-"`
	// Facts are what it takes to operate Controls[i] sensibly.
	Facts      []Facts           `json:"-"`
	Texts      []TextBox         `json:"texts"`
	ScrollX    float64           `json:"scroll_x"`
	ScrollY    float64           `json:"scroll_y"`
	PageWidth  float64           `json:"page_width"`
	PageHeight float64           `json:"page_height"`
	Focus      string            `json:"focus"`   // path of the element that has the focus
	Storage    map[string]string `json:"storage"` // local; "session:" and "cookie:" before the keys of the others
	// Keyboard and Pointer: the window, the document or the body listens for it.
	Keyboard bool `json:"keyboard"`
	Pointer  bool `json:"pointer"`
	// Dialogs are those since the session was reset, and Errors what the page threw or
	// printed as an error, bounded.
	Dialogs []vitrine.Dialog `json:"-"`
	Errors  []string         `json:"-"`
}

// A TextBox is a text run and where it stands.
type TextBox struct {
	Text string      `json:"text"`
	Tag  string      `json:"tag"`
	Box  vitrine.Box `json:"box"`
}

// Facts are attributes and surroundings of a control.
type Facts struct {
	Href, Target                       string
	Pattern, Min, Max, Step            string
	Placeholder, InputMode, Autofill   string
	Accept, FieldName, List            string
	MinLength, MaxLength               int
	Form                               string   // path of the form that it belongs to
	Submits                            bool     // operating it submits the form
	Options                            []string // of a list; one that begins with NUL is disabled
	Draggable                          bool
	DropsAt                            []string // paths of places where it could be let fall
	Popup, Group, Context, Region      string   // aria-haspopup; name of a group of radio buttons; title; landmark
	Look                               string   // classes and fill of it and its first children
	Clicks, Keys, Hovers, Drags, Drops bool     // what scripts listen for on the element itself
	DoubleClicks, Menus, Moves         bool
}

const (
	maxControls = 400
	maxTexts    = 400
	maxText     = 20000
	maxNodes    = 6000
)

// seenControl is a control as scripts/look.js describes it.
type seenControl struct {
	vitrine.Control
	Kinds string `json:"kinds"`
	Facts struct {
		Href, Target, Pattern, Min, Max, Step, Placeholder, Inputmode, Autocomplete, Accept, Name, List string
		Minlength, Maxlength                                                                            int
		Form, Submits                                                                                   string
		Options, Drops                                                                                  []string
		Draggable, Grab, Popup, Group, Context, Region, Look                                            string
	} `json:"facts"`
}

func (c seenControl) facts() Facts {
	f, k := c.Facts, func(kind string) bool { return strings.Contains(c.Kinds, kind) }
	return Facts{
		Href: f.Href, Target: f.Target, Pattern: f.Pattern, Min: f.Min, Max: f.Max, Step: f.Step, Placeholder: f.Placeholder, InputMode: f.Inputmode,
		Autofill: f.Autocomplete, Accept: f.Accept, FieldName: f.Name, List: f.List, MinLength: f.Minlength, MaxLength: f.Maxlength, Form: f.Form,
		Submits: f.Submits != "", Options: f.Options, Draggable: f.Draggable != "", DropsAt: f.Drops, Popup: f.Popup, Group: f.Group, Context: f.Context, Region: f.Region, Look: f.Look,
		Clicks: k("c"), Keys: k("k"), Hovers: k("h"), Drags: k("g"), Drops: k("o"), DoubleClicks: k("d"), Menus: k("m"), Moves: k("v") || f.Grab != "",
	}
}

// Look reads the scene as it stands, without a picture.
func (s *Session) Look(ctx context.Context) (*Scene, error) {
	var listeners any
	if err := s.recorder.sync(ctx, s.page, "__vitrineRecorder.listening()", &listeners); err != nil {
		return nil, fmt.Errorf("ask who listens: %w", err)
	}
	var seen struct {
		Scene
		Controls []seenControl `json:"controls"`
	}
	if err := s.probe(ctx, &seen, "look", listeners, map[string]int{"controls": maxControls, "texts": maxTexts, "text": maxText}); err != nil {
		return nil, fmt.Errorf("look at the page: %w", err)
	}
	scene := &seen.Scene
	for _, c := range seen.Controls {
		scene.Controls = append(scene.Controls, c.Control)
		scene.Facts = append(scene.Facts, c.facts())
	}
	for _, t := range s.recorder.since(0) {
		if t.Dialog != nil {
			scene.Dialogs = append(scene.Dialogs, *t.Dialog)
		}
		if t.Threw != "" || strings.HasPrefix(t.Console, "error: ") {
			scene.Errors = bounded(scene.Errors, t.Threw+t.Console)
		}
	}
	s.scene = scene
	return scene, nil
}
