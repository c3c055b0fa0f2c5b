package vitrine

import "encoding/json"

// Kind says what sort of website an output holds.
type Kind string

// The kinds of an output. KindUnknown asks the parser to find out.
const (
	KindUnknown   Kind = ""
	KindPage      Kind = "page"      // one HTML file
	KindProject   Kind = "project"   // many files with a package.json
	KindComponent Kind = "component" // one TSX page for a Next-style host
	KindSVG       Kind = "svg"       // one SVG drawing
	KindPlot      Kind = "plot"      // Python that draws a figure
)

// Kinds lists every kind a user may ask for, in the order of the documentation.
var Kinds = []Kind{KindPage, KindProject, KindComponent, KindSVG, KindPlot}

// An Output is the raw text a model returned, with what is known about how it
// came to be.
type Output struct {
	ID          string                     `json:"id"`
	TaskID      string                     `json:"task_id,omitempty"`
	Instruction string                     `json:"instruction,omitempty"`
	Text        string                     `json:"output"`
	Model       string                     `json:"model,omitempty"`
	Kind        Kind                       `json:"kind,omitempty"`
	GroupID     string                     `json:"group_id,omitempty"`
	Meta        map[string]json.RawMessage `json:"meta,omitempty"`
}
