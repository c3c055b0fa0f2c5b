package capture

import (
	"context"
	_ "embed"
	"fmt"

	"vitrine"
	"vitrine/internal/live"
)

//go:embed scripts/probe.js
var probeScript string

// domAnswer is what scripts/probe.js returns.
type domAnswer struct {
	Title        string            `json:"title"`
	Lang         string            `json:"lang"`
	Text         string            `json:"text"`
	PageWidth    int               `json:"page_width"`
	PageHeight   int               `json:"page_height"`
	HasViewport  bool              `json:"has_viewport_meta"`
	Elements     []vitrine.Element `json:"elements"`
	MoreElements int               `json:"more_elements"`
	Links        []domLink         `json:"links"`
	Media        int               `json:"media"`   // pictures, drawings and embedded pages that show something
	Painted      int               `json:"painted"` // elements with a background, border or shadow of their own
	Texts        int               `json:"texts"`   // elements with visible text
	Overlay      bool              `json:"overlay"`
}

type domLink struct {
	vitrine.Link
	Path  string `json:"path"`
	Found bool   `json:"found"`
}

// probeDOM reads the document.
func (v *visit) probeDOM(ctx context.Context, view *vitrine.View) (*domAnswer, error) {
	var dom domAnswer
	limits := map[string]int{"elements": maxElements, "links": maxLinks, "text": maxText}
	if err := v.EvalIsolated(ctx, probeScript+"("+live.OwnScript+","+quote(limits)+")", &dom); err != nil {
		return nil, fmt.Errorf("probe the document: %w", err)
	}
	var acts []bool
	if err := v.Clock(ctx, "acts()", &acts); err != nil {
		return nil, fmt.Errorf("probe the links: %w", err)
	}
	view.Title, view.Lang, view.Text = dom.Title, dom.Lang, dom.Text
	view.PageWidth, view.PageHeight, view.HasViewport = dom.PageWidth, dom.PageHeight, dom.HasViewport
	view.Elements, view.MoreElements = dom.Elements, dom.MoreElements
	view.Links = view.Links[:0]
	v.linked = nil
	for i, l := range dom.Links {
		view.Links = append(view.Links, v.link(l, i < len(acts) && acts[i]))
	}
	return &dom, nil
}

func (v *visit) link(l domLink, acts bool) vitrine.Link {
	switch {
	case l.Kind == vitrine.LinkEmpty && acts:
		l.Kind = vitrine.LinkAction
	case l.Kind == vitrine.LinkAnchor && !l.Found && !acts:
		l.Dead, l.Why = true, "no place on this page has that name"
	case l.Kind == vitrine.LinkInternal:
		l.Href = l.Path
		if reaches(v.Site, l.Path) {
			v.linked = append(v.linked, live.TrimBase(v.Site.Base, l.Path))
		}
	}
	return l.Link
}
