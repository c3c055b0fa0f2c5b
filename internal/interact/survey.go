package interact

import (
	"context"
	"fmt"

	"vitrine"
)

// A Survey is how what a page shows is arranged. Paths are CSS paths as in controls.
type Survey struct {
	Title    string   `json:"title"`
	Headings []string `json:"headings"`
	Lines    []string `json:"lines"` // visible text as it breaks into lines, bounded
	Main     string   `json:"main"`  // visible text outside of navigation, header and footer
	Groups   []Group  `json:"groups"`
	Forms    []Form   `json:"forms"`
	Found    []Found  `json:"found"` // where the texts that were asked for stand
	Canvases []Canvas `json:"canvases"`
	// Backgrounds are the computed background colours of root, body and its first element.
	Backgrounds []string `json:"backgrounds"`
	Shapes      int      `json:"shapes"`   // elements of drawings
	Pictures    int      `json:"pictures"` // that are loaded and shown
	Bars        string   `json:"bars"`     // hash of the outlines of what charts are made of
	Gauges      []Gauge  `json:"gauges"`   // bars of plain elements
	// Drawings are those that are large enough for a chart.
	Drawings []Drawing `json:"drawings"`
	// Face is what can be read without operating the page, in document order: texts that
	// are not clipped away, "picture" and the end of its address for each image, with its filter
	// and how it is turned; bounded.
	Face []string `json:"face"`
	// Styles are the texts of Face that are not parts of controls, with font and colour.
	Styles []string `json:"styles"`
	// Paint is the background behind each of 80 points of the window, row by row: a colour,
	// or the picture or gradient.
	Paint []string `json:"paint"`
	Tiles string   `json:"tiles"` // hash of where the smallest elements lie, and of their colours
	// Fields is how many fields the largest board of plain elements has.
	Fields  int      `json:"fields"`
	Written []string `json:"-"` // texts drawn on canvases, of the last moment at which each had some
}

// A Group is elements of one kind below one parent: rows of a list, cards, tabs.
type Group struct {
	Path   string `json:"path"` // of the parent
	Kind   string `json:"kind"` // tag, role and first class of the rows
	Region string `json:"region"`
	Total  int    `json:"total"` // rows that are shown; Rows is bounded
	Rows   []Row  `json:"rows"`
}

// A Row is one of a group.
type Row struct {
	Path     string   `json:"path"`
	Text     string   `json:"text"`
	Cells    []string `json:"cells"` // its texts, one for each element that has some
	Struck   bool     `json:"struck"`
	Ticked   bool     `json:"ticked"` // a box in it is checked
	Look     string   `json:"look"`   // its classes
	Controls []string `json:"controls"`
	Values   []string `json:"values"` // of its fields
	Pictures int      `json:"pictures"`
}

// A Form is fields that belong together, with the buttons among them.
type Form struct {
	Path    string   `json:"path"`
	Title   string   `json:"title"` // headings and labels
	Native  bool     `json:"native"`
	Fields  []string `json:"fields"`
	Buttons []string `json:"buttons"`
	Region  string   `json:"region"`
}

// Found is one place of a text that was asked for.
type Found struct {
	Token   string `json:"token"`
	Where   string `json:"where"` // "text", or "value" of a field
	Text    string `json:"text"`
	Path    string `json:"path"`
	Row     string `json:"row"` // the repeated element that it is in; empty outside of any
	RowText string `json:"row_text"`
	List    string `json:"list"` // parent of that element
	Region  string `json:"region"`
	// Editable is set for the text of an element that is edited in place (contenteditable).
	Editable bool `json:"editable"`
}

// A Canvas is a drawing area and a hash of its pixels; empty where they cannot be read.
type Canvas struct {
	Path string      `json:"path"`
	Sum  string      `json:"sum"`
	Box  vitrine.Box `json:"box"`
}

// A Gauge is a bar of a chart that is drawn by plain elements.
type Gauge struct {
	Length float64  `json:"length"` // percent of what it lies in
	Texts  []string `json:"texts"`  // of the row that it stands in
	List   string   `json:"list"`   // path of what holds the rows
}

// A Drawing is an SVG or a canvas.
type Drawing struct {
	Path   string   `json:"path"`
	Canvas bool     `json:"canvas"` // whose marks are not known
	Marks  int      `json:"marks"`  // bars or dots that differ, or corners of a line
	Spots  []Spot   `json:"spots"`  // where some marks are, or places all over it
	Texts  []string `json:"texts"`  // in it and around
	About  string   `json:"about"`  // headings and captions nearest to it
}

// A Spot is a place in a drawing, in CSS pixels from its middle.
type Spot struct{ X, Y float64 }

// Survey reads how the page is arranged, and where the given texts stand on it, in any case.
func (s *Session) Survey(ctx context.Context, texts ...string) (*Survey, error) {
	var seen Survey
	if texts == nil {
		texts = []string{}
	}
	err := s.probe(ctx, &seen, "survey", texts, map[string]int{"groups": 60, "rows": 80, "rows_in_all": 400, "found": 40, "fields": 120, "lines": 400, "face": 800, "text": maxText})
	if err != nil {
		return nil, fmt.Errorf("survey the page: %w", err)
	}
	if len(seen.Canvases) > 0 {
		if err := s.page.Ask(ctx, "__vitrineRecorder.written()", &seen.Written); err != nil {
			return nil, fmt.Errorf("read what is written on the drawing areas: %w", err)
		}
	}
	return &seen, nil
}
