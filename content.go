package vitrine

// Content is what a page says, in reading order, and what it hides or only paints: the text
// of all its documents. It is bounded.
type Content struct {
	Blocks []Block `json:"blocks"`           // text that can be seen
	Hidden []Block `json:"hidden,omitempty"` // text that no person comes to see, with its Cause
	// Closed counts the words that an action may show: closed menus, dialogs, tabs.
	Closed   int     `json:"closed,omitempty"`
	More     int     `json:"more,omitempty"`     // blocks that the bound left out
	Controls int     `json:"controls,omitempty"` // parts that look like a button
	Inert    []Block `json:"inert,omitempty"`    // those of them that nothing handles
	Listens  bool    `json:"listens,omitempty"`  // something handles presses or keys
}

// A Block is a run of text that is read as one: a paragraph, a heading, a cell.
type Block struct {
	Text string `json:"text"` // white space collapsed, bounded
	// Role is heading, link, button, label, field, option, item, cell, caption, code,
	// drawing or alt; empty for running text.
	Role  string      `json:"role,omitempty"`
	Cause HiddenCause `json:"cause,omitempty"` // why it cannot be seen
	Row   int         `json:"row,omitempty"`   // number of the list item or table row that it is in; 0: none
	List  int         `json:"list,omitempty"`  // number of the list or table; 0: none
	Size  float64     `json:"size,omitempty"`  // of its letters, in CSS pixels
	Bold  bool        `json:"bold,omitempty"`
	Box   Box         `json:"box,omitzero"`
}

// HiddenCause says why text cannot be seen.
type HiddenCause string

// The causes of hidden text.
const (
	HiddenTransparent HiddenCause = "transparent"
	HiddenTiny        HiddenCause = "tiny"       // letters below 6 pixels
	HiddenOffScreen   HiddenCause = "off-screen" // left of or above the page, where nothing scrolls to
	HiddenClipped     HiddenCause = "clipped"    // cut off by a box that does not scroll
	HiddenCovered     HiddenCause = "covered"    // another part lies on it, or it lies behind its own ground
	HiddenPale        HiddenCause = "pale"       // the picture shows nothing where it stands
	HiddenAttribute   HiddenCause = "attribute"  // more than 25 words in a picture's alt, a title or a label
)
