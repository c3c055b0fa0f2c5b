package vitrine

import (
	"encoding/hex"
	"fmt"
)

// EvidenceSchema is the version of the evidence folder. A reader upgrades older
// versions and refuses newer ones.
const EvidenceSchema = 1

// Evidence is everything that was seen of one site. It is saved as a folder and
// read back without a browser: judging can be repeated from it alone.
type Evidence struct {
	Schema   int             `json:"schema"`
	Tool     string          `json:"tool"`    // vitrine version
	Browser  string          `json:"browser"` // product and version; empty if none ran
	Settings CaptureSettings `json:"settings"`
	// Instruction is what the model was asked; judges hold the site against it.
	Instruction string `json:"instruction,omitempty"`
	SiteHash    string `json:"site_hash,omitempty"`
	// Site says what was built, or why nothing was. Its files are not part of it.
	Site     Site     `json:"site"`
	Validity Validity `json:"validity"` // of the site: its first view decides
	// Views are in order of routes, then viewports: Views[0] is "/" at the first
	// viewport.
	Views    []View           `json:"views,omitempty"`
	Console  []ConsoleMessage `json:"console,omitempty"`
	Requests []Request        `json:"requests,omitempty"`
	Hint     Hint             `json:"hint"`
}

// CaptureSettings determine a capture, together with the site.
type CaptureSettings struct {
	Viewports []Viewport `json:"viewports"`  // default: desktop only
	TimesMS   []int      `json:"times_ms"`   // page time of each frame; default 0, 1000, 2000
	MaxRoutes int        `json:"max_routes"` // default 8
	MaxHeight int        `json:"max_height"` // cap of a full-page frame in CSS pixels; default 8000
}

// A Viewport is a named window size in CSS pixels.
type Viewport struct {
	Name   string `json:"name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// The viewports with a name.
var (
	Desktop = Viewport{"desktop", 1280, 800}
	Mobile  = Viewport{"mobile", 390, 844}
	Tablet  = Viewport{"tablet", 768, 1024}
)

// Validity says whether a render shows a site.
type Validity struct {
	Valid  bool          `json:"valid"`
	Reason InvalidReason `json:"reason,omitempty"`
	Why    string        `json:"why,omitempty"`
}

// InvalidReason is the typed cause of an invalid render.
type InvalidReason string

// The causes of an invalid render.
const (
	InvalidLoadFailed       InvalidReason = "load_failed"
	InvalidTimeout          InvalidReason = "timeout"
	InvalidBlank            InvalidReason = "blank"
	InvalidErrorOverlay     InvalidReason = "error_overlay"
	InvalidThrewBeforePaint InvalidReason = "threw_before_paint"
	InvalidCrashed          InvalidReason = "renderer_crashed"
)

// A View is one route at one viewport.
type View struct {
	Route    string   `json:"route"`
	Viewport Viewport `json:"viewport"`
	Validity Validity `json:"validity"`
	Frames   []Frame  `json:"frames"` // in order of time
	Thumb    string   `json:"thumb,omitempty"`
	Title    string   `json:"title"`
	Lang     string   `json:"lang,omitempty"`
	// Text is the visible text of the whole page, white space collapsed, bounded.
	Text string `json:"text"`
	// PageWidth and PageHeight are the scrollable size of the document in CSS
	// pixels; PageWidth above Viewport.Width means sideways scrolling.
	PageWidth     int         `json:"page_width"`
	PageHeight    int         `json:"page_height"`
	HasViewport   bool        `json:"has_viewport_meta"`
	Elements      []Element   `json:"elements"`      // visible ones, in document order, bounded
	MoreElements  int         `json:"more_elements"` // how many the bound left out
	Links         []Link      `json:"links"`         // every <a>, bounded
	Palette       []Swatch    `json:"palette"`       // of the first frame, largest share first
	Raster        Raster      `json:"raster"`        // where the first frame has something drawn
	Moved         float64     `json:"moved"`         // share of pixels that differ between first and last frame
	Accessibility []AXNode    `json:"accessibility,omitempty"`
	Axe           []AxeResult `json:"axe,omitempty"`
	AxeRan        bool        `json:"axe_ran"`
	AxePasses     int         `json:"axe_passes"`        // rules that found something to test and passed
	Content       *Content    `json:"content,omitempty"` // nil in evidence of older captures
	LoadMS        float64     `json:"load_ms"`
	Settled       bool        `json:"settled"` // false: the page was still busy when time ran out
}

// A Frame is one screenshot. File is relative to the evidence folder.
type Frame struct {
	File   string `json:"file"`
	TimeMS int    `json:"time_ms"` // page time after load
	Width  int    `json:"width"`
	Height int    `json:"height"`
	SHA256 string `json:"sha256"`
	Capped bool   `json:"capped,omitempty"` // the page is taller than the cap
	// Invalid says why no site is seen at this time; nil where one is.
	Invalid *Validity `json:"invalid,omitempty"`
}

// A Box is a rectangle in page pixels (CSS), origin at the top left of the page.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Area is the number of CSS pixels in the box.
func (b Box) Area() float64 { return b.W * b.H }

// Intersect returns the box that both share; it is empty if they do not touch.
func (b Box) Intersect(o Box) Box {
	x, y := max(b.X, o.X), max(b.Y, o.Y)
	w, h := min(b.X+b.W, o.X+o.W)-x, min(b.Y+b.H, o.Y+o.H)-y
	if w <= 0 || h <= 0 {
		return Box{}
	}
	return Box{x, y, w, h}
}

// A Color is an sRGB color with straight alpha. It is written #rrggbb, or
// #rrggbbaa when not opaque.
type Color struct{ R, G, B, A uint8 }

// MarshalText writes #rrggbb or #rrggbbaa.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *Color) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(trimHash(text)))
	if err != nil || len(b) != 3 && len(b) != 4 {
		return fmt.Errorf("color %q: want #rrggbb or #rrggbbaa", text)
	}
	*c = Color{b[0], b[1], b[2], 255}
	if len(b) == 4 {
		c.A = b[3]
	}
	return nil
}

func trimHash(text []byte) []byte {
	if len(text) > 0 && text[0] == '#' {
		return text[1:]
	}
	return text
}

func (c Color) String() string {
	if c.A == 255 {
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
}

// An Element is one visible element of a page.
type Element struct {
	// Parent is the index in View.Elements of the nearest ancestor that is also
	// listed, -1 if none.
	Parent int    `json:"parent"`
	Tag    string `json:"tag"`            // lower case
	Role   string `json:"role,omitempty"` // explicit, or implied by the tag
	Name   string `json:"name,omitempty"` // accessible name, approximated in the page
	// Text is the element's own text (not its children's), white space
	// collapsed, bounded; TextBox is the box around just that text.
	Text    string            `json:"text,omitempty"`
	TextBox Box               `json:"text_box,omitzero"`
	Attrs   map[string]string `json:"attrs,omitempty"` // id class type name href src alt placeholder for title aria-* value
	Box     Box               `json:"box"`
	Style   Style             `json:"style"`
	// Interactive: a person can act on it (link, button, field, handler, pointer
	// cursor set on this very element). Labelled: a form field has a label.
	Interactive bool `json:"interactive,omitempty"`
	Disabled    bool `json:"disabled,omitempty"`
	Labelled    bool `json:"labelled,omitempty"`
	// Broken: an image or video that did not load.
	Broken bool `json:"broken,omitempty"`
	// Natural is the intrinsic size of an image in pixels.
	NaturalWidth  int `json:"natural_width,omitempty"`
	NaturalHeight int `json:"natural_height,omitempty"`
	// Clipped: own text is cut off by this element's or an ancestor's edge, and
	// not by an ellipsis or a scroll container.
	Clipped bool `json:"clipped,omitempty"`
	// Covered is the share of sampled points of the element's text (or of an
	// interactive element's box) at which another, unrelated element is on top.
	Covered float64 `json:"covered,omitempty"`
	// Fixed: position fixed or sticky, itself or by an ancestor.
	Fixed bool `json:"fixed,omitempty"`
	// Painted: a canvas that has something drawn on it.
	Painted bool `json:"painted,omitempty"`
	// Document: it shows a document of the artifact, such as an iframe does, or most of it is
	// an svg's foreignObject. What can be seen of that are the elements below it.
	Document bool `json:"document,omitempty"`
}

// Style is the computed style of an element, in CSS pixels.
type Style struct {
	Color      Color `json:"color"`
	Background Color `json:"background"` // own; alpha 0 if none
	// Backdrop is the color behind the text, blended through all ancestors. It
	// is not known where an image or a gradient lies behind.
	Backdrop      Color   `json:"backdrop"`
	BackdropKnown bool    `json:"backdrop_known"`
	FontFamily    string  `json:"font_family,omitempty"` // first family of the list
	FontSize      float64 `json:"font_size"`
	FontWeight    int     `json:"font_weight"`
	LineHeight    float64 `json:"line_height,omitempty"` // 0 for normal
	TextAlign     string  `json:"text_align,omitempty"`
	Display       string  `json:"display"`
	Position      string  `json:"position,omitempty"` // empty for static
	Overflow      string  `json:"overflow,omitempty"` // empty for visible
	Opacity       float64 `json:"opacity"`
	Radius        float64 `json:"radius,omitempty"`
	Shadow        bool    `json:"shadow,omitempty"`
	Gradient      bool    `json:"gradient,omitempty"`
	Image         bool    `json:"image,omitempty"` // background image that is not a gradient
	Border        float64 `json:"border,omitempty"`
	PaddingTop    float64 `json:"padding_top,omitempty"`
	PaddingLeft   float64 `json:"padding_left,omitempty"`
}

// A Link is one <a> of a page and whether it leads anywhere.
type Link struct {
	Href string   `json:"href"` // as written
	Text string   `json:"text"`
	Kind LinkKind `json:"kind"`
	Dead bool     `json:"dead,omitempty"`
	Why  string   `json:"why,omitempty"` // why it is dead
	Box  Box      `json:"box"`
}

// LinkKind says where a link leads.
type LinkKind string

// The kinds of links.
const (
	LinkInternal LinkKind = "internal" // same origin, another path
	LinkAnchor   LinkKind = "anchor"   // a place on the same page
	LinkExternal LinkKind = "external" // another origin: not followed
	LinkAction   LinkKind = "action"   // handled by a script
	LinkEmpty    LinkKind = "empty"    // no href, "#" or "javascript:" without a handler
)

// A Swatch is a color and the share of the frame it covers, in [0,1].
type Swatch struct {
	Color Color   `json:"color"`
	Share float64 `json:"share"`
}

// A Raster is a coarse map of a frame: cell by cell, row by row, how much of it
// differs from the page's background, 0 (nothing drawn) to 255.
type Raster struct {
	Cols int    `json:"cols"`
	Rows int    `json:"rows"`
	Ink  []byte `json:"ink"` // Cols*Rows bytes
	// Colors is the number of distinct colors in the frame, counted up to 256:
	// 1 is a uniform image.
	Colors int `json:"colors"`
}

// An AXNode is one node of Chromium's accessibility tree.
type AXNode struct {
	Depth int    `json:"depth"`
	Role  string `json:"role"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	Level int    `json:"level,omitempty"` // of a heading
}

// An AxeResult is one rule of axe-core that found violations.
type AxeResult struct {
	ID     string   `json:"id"`
	Impact string   `json:"impact"` // minor, moderate, serious, critical
	Help   string   `json:"help"`
	Count  int      `json:"count"`
	Nodes  []string `json:"nodes"` // selectors of the first few
}

// Hint is what HTMLHint says of the source, before any browser runs. Ran is
// false for kinds that have no HTML source of their own.
type Hint struct {
	Ran      bool          `json:"ran"`
	Messages []HintMessage `json:"messages,omitempty"` // empty: it passes
	More     int           `json:"more,omitempty"`     // messages beyond the bound
}

// A HintMessage is one rule broken at one place.
type HintMessage struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
}

// A ConsoleMessage is a line of the console or an uncaught exception.
type ConsoleMessage struct {
	Route    string  `json:"route"`
	Viewport string  `json:"viewport"`
	Level    string  `json:"level"` // log, info, warning, error, exception
	Text     string  `json:"text"`
	URL      string  `json:"url,omitempty"`
	Line     int     `json:"line,omitempty"`
	AtMS     float64 `json:"at_ms"` // since navigation
	// BeforePaint: it came before anything was mounted.
	BeforePaint bool `json:"before_paint,omitempty"`
}

// A Request is one resource a page asked for.
type Request struct {
	Route    string  `json:"route"`
	Viewport string  `json:"viewport"`
	URL      string  `json:"url"`
	Method   string  `json:"method"`
	Type     string  `json:"type"` // Document, Script, Image, …
	Status   int     `json:"status,omitempty"`
	Result   string  `json:"result"` // site, fixture, blocked, missing, failed
	Bytes    int     `json:"bytes,omitempty"`
	AtMS     float64 `json:"at_ms"`
	// Fixture says what stood in for the outside; nil where nothing did.
	Fixture *Fixture `json:"fixture,omitempty"`
}

// A Fixture is what a request to another host was answered with.
type Fixture struct {
	Name  string `json:"name"`            // npm package; fonts; or what was drawn: photo, placeholder, avatar
	Asked string `json:"asked,omitempty"` // version or range of the URL
	Given string `json:"given,omitempty"` // version that was served
	// StandIn: a drawing that has the size of what was asked for, and no more.
	StandIn bool     `json:"stand_in,omitempty"`
	Missing []string `json:"missing,omitempty"` // font families that are not mirrored
	// Unsigned: the page's integrity attribute is of other bytes and was dropped.
	Unsigned bool `json:"unsigned,omitempty"`
}
