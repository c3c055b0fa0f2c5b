package capture

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/cdp"

	"vitrine"
	"vitrine/internal/page"
)

//go:embed scripts/probe.js
var probeScript string

// domAnswer is what scripts/probe.js returns of one document.
type domAnswer struct {
	Title        string            `json:"title"`
	Lang         string            `json:"lang"`
	Text         string            `json:"text"`
	PageWidth    int               `json:"page_width"`
	PageHeight   int               `json:"page_height"`
	Excess       float64           `json:"excess"` // pixels that a frame has to be scrolled sideways
	HasViewport  bool              `json:"has_viewport_meta"`
	Elements     []vitrine.Element `json:"elements"`
	MoreElements int               `json:"more_elements"`
	Links        []domLink         `json:"links"`
	Media        int               `json:"media"`   // pictures, drawings and embedded pages that show something
	Painted      int               `json:"painted"` // elements with a background, border or shadow of their own
	Texts        int               `json:"texts"`   // elements with visible text
	Overlay      bool              `json:"overlay"`
	Frames       []frameSpot       `json:"frames"` // visible ones
}

type domLink struct {
	vitrine.Link
	Path  string `json:"path"`
	Found bool   `json:"found"`
	Acts  bool   `json:"-"` // a script handles it
}

// probeLimits bound what the probe answers with.
type probeLimits struct {
	Elements int `json:"elements"`
	Links    int `json:"links"`
	Text     int `json:"text"`
	// Brief ends the probe at the first thing that shows.
	Brief bool `json:"brief"`
}

// probe runs the DOM probe in a document; place is nil for the page's own.
func (v *visit) probe(ctx context.Context, frame cdp.FrameID, limits probeLimits, place json.RawMessage) (*domAnswer, error) {
	call := page.UnclobberScript + "," + page.Literal(limits)
	if place != nil {
		call += "," + string(place)
	}
	var dom domAnswer
	if err := v.page.Tab.EvalIsolatedIn(ctx, frame, probeScript+"("+call+")", &dom); err != nil {
		return nil, fmt.Errorf("probe the document: %w", err)
	}
	return &dom, nil
}

// probeDOM reads the page with all documents that it is made of.
func (v *visit) probeDOM(ctx context.Context, view *vitrine.View) (*domAnswer, error) {
	limits := probeLimits{Elements: maxElements, Links: maxLinks, Text: maxText}
	dom, err := v.probe(ctx, v.page.Tab.Root(), limits, nil)
	if err != nil {
		return nil, err
	}
	var acts []bool
	if err := v.page.Clock(ctx, "acts()", &acts); err != nil {
		return nil, fmt.Errorf("probe the links: %w", err)
	}
	dom.note(acts)
	if err := v.probeFrames(ctx, dom, limits); err != nil {
		return nil, err
	}
	view.Title, view.Lang, view.Text = dom.Title, dom.Lang, dom.Text
	view.PageWidth, view.PageHeight, view.HasViewport = dom.PageWidth, dom.PageHeight, dom.HasViewport
	view.Elements, view.MoreElements = dom.Elements, dom.MoreElements
	view.Links = view.Links[:0]
	v.linked = nil
	for _, l := range dom.Links {
		view.Links = append(view.Links, v.link(l))
	}
	return dom, nil
}

// note says of each link whether a script handles it.
func (d *domAnswer) note(acts []bool) {
	for i := range d.Links[:min(len(d.Links), len(acts))] {
		d.Links[i].Acts = acts[i]
	}
}

func (v *visit) link(l domLink) vitrine.Link {
	switch {
	case l.Kind == vitrine.LinkEmpty && l.Acts:
		l.Kind = vitrine.LinkAction
	case l.Kind == vitrine.LinkAnchor && !l.Found && !l.Acts:
		l.Dead, l.Why = true, "no place on this page has that name"
	case l.Kind == vitrine.LinkInternal:
		l.Href = l.Path
		if reaches(v.page.Settings.Site, l.Path) {
			v.linked = append(v.linked, page.TrimBase(v.page.Settings.Site.Base, l.Path))
		}
	}
	return l.Link
}
