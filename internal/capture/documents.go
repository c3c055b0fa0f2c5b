package capture

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/chromedp/cdproto/cdp"

	"vitrine"
	"vitrine/internal/page"
)

// A frameSpot is where a document shows another.
type frameSpot struct {
	Owner   int             `json:"owner"`   // index of page.Document.Frames
	Element int             `json:"element"` // index of the element that holds it
	Place   json.RawMessage `json:"place"`   // for the probe there
}

// A part is a document that is looked into, and what is left to look into.
type part struct {
	visit    *visit
	document page.Document
	others   map[cdp.FrameID]page.Document
	limits   probeLimits
}

// reveal finds the documents that the page is made of, for the probes that follow.
func (v *visit) reveal(ctx context.Context) (err error) {
	v.documents, err = v.page.Reveal(ctx)
	return err
}

// settleTrees finds the documents before the first frame. Animations in shadow trees stood
// still so far, since none was known: they get the time in which the others ended.
func (v *visit) settleTrees(ctx context.Context) error {
	if err := v.reveal(ctx); err != nil {
		return err
	}
	if !slices.ContainsFunc(v.documents, func(d page.Document) bool { return d.HasShadow }) {
		return nil
	}
	if _, err := v.page.Advance(ctx, settleMS); err != nil {
		return err
	}
	return v.reveal(ctx)
}

// probeFrames looks into the frames of the page: what they show is the page's.
func (v *visit) probeFrames(ctx context.Context, dom *domAnswer, limits probeLimits) error {
	if len(v.documents) == 0 {
		return nil
	}
	others := map[cdp.FrameID]page.Document{}
	for _, d := range v.documents[1:] {
		others[d.Frame] = d
	}
	limits.Elements -= len(dom.Elements)
	if err := (&part{v, v.documents[0], others, limits}).into(ctx, dom); err != nil {
		return err
	}
	dom.Text = page.Bounded(dom.Text, limits.Text)
	dom.Links = dom.Links[:min(len(dom.Links), limits.Links)]
	return nil
}

// into looks into the frames of one document and makes them part of what is known of it.
// A frame that goes away meanwhile shows nothing.
func (p *part) into(ctx context.Context, dom *domAnswer) error {
	dom.MoreElements += p.document.SkippedTrees
	inside := map[int]*domAnswer{}
	for _, spot := range dom.Frames {
		if spot.Owner >= len(p.document.Frames) {
			continue
		}
		there, known := p.others[p.document.Frames[spot.Owner]]
		if !known {
			continue
		}
		delete(p.others, there.Frame)
		answer, err := p.look(ctx, there, spot.Place)
		if page.Gone(err) {
			continue
		}
		if err != nil {
			return err
		}
		inside[spot.Element] = answer
		dom.absorb(answer, p.visit.page.Settings.Viewport)
	}
	dom.Elements = splice(dom.Elements, inside)
	return nil
}

// look probes the document of a frame and those inside of it.
func (p *part) look(ctx context.Context, there page.Document, place json.RawMessage) (*domAnswer, error) {
	dom, err := p.visit.probe(ctx, there.Frame, p.limits, place)
	if err != nil {
		return nil, err
	}
	p.limits.Elements -= len(dom.Elements)
	var acts []bool
	if err := p.visit.page.Tab.CallOn(ctx, there.Main, "function () { return __vitrine.acts() }", &acts); err != nil && !page.Gone(err) {
		return nil, err
	}
	dom.note(acts)
	inner := &part{p.visit, there, p.others, p.limits}
	err = inner.into(ctx, dom)
	p.limits = inner.limits
	return dom, err
}

// absorb adds what a frame shows, except for its elements.
func (d *domAnswer) absorb(in *domAnswer, window vitrine.Viewport) {
	d.Text += " " + in.Text
	d.Media, d.Painted, d.Texts = d.Media+in.Media, d.Painted+in.Painted, d.Texts+in.Texts
	d.MoreElements += in.MoreElements
	d.Overlay = d.Overlay || in.Overlay
	d.Links = append(d.Links, in.Links...)
	if in.Excess > 0 {
		d.PageWidth = max(d.PageWidth, window.Width+int(in.Excess))
	}
	d.Excess = max(d.Excess, in.Excess)
}

// splice puts the elements of frames after the elements that hold them, so that all are in
// document order.
func splice(outer []vitrine.Element, inside map[int]*domAnswer) []vitrine.Element {
	if len(inside) == 0 {
		return outer
	}
	var all []vitrine.Element
	moved := make([]int, len(outer))
	for i, e := range outer {
		if e.Parent >= 0 {
			e.Parent = moved[e.Parent]
		}
		moved[i] = len(all)
		all = append(all, e)
		in, ok := inside[i]
		if !ok {
			continue
		}
		first := len(all)
		for _, e := range in.Elements {
			if e.Parent >= 0 {
				e.Parent += first
			} else {
				e.Parent = moved[i]
			}
			all = append(all, e)
		}
	}
	return all
}
