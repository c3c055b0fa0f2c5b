package capture

import (
	"context"
	"strings"

	"vitrine"
	"vitrine/internal/page"
)

// judgeValidity decides whether a render shows a site: not the error
// overlay of a framework, not blank, and nothing thrown before anything was
// mounted.
func judgeValidity(view *vitrine.View, dom *domAnswer, console *page.Console) vitrine.Validity {
	if dom.Overlay {
		return vitrine.Validity{Reason: vitrine.InvalidErrorOverlay, Why: overlayWhy}
	}
	why := blank(view, dom)
	if why == "" {
		return vitrine.Validity{Valid: true}
	}
	if thrown, ok := console.Threw(); ok {
		console.MarkBeforePaint()
		return vitrine.Validity{Reason: vitrine.InvalidThrewBeforePaint, Why: "a script threw before anything was mounted: " + thrown}
	}
	return vitrine.Validity{Reason: vitrine.InvalidBlank, Why: why}
}

// blankAgain says why a frame after the first shows no site, or nil. A page that went
// blank has nothing mounted any more, whatever was thrown.
func (v *visit) blankAgain(ctx context.Context, s *shot) (*vitrine.Validity, error) {
	dom, err := v.probeBriefly(ctx)
	if err != nil {
		return nil, err
	}
	if dom.Texts+dom.Media == 0 { // what there is may be in frames or shadow trees
		if dom, err = v.probeAll(ctx); err != nil {
			return nil, err
		}
	}
	if dom.Overlay {
		return &vitrine.Validity{Reason: vitrine.InvalidErrorOverlay, Why: overlayWhy}, nil
	}
	var seen vitrine.View
	if seen.Raster.Colors = 256; s.plain() {
		img, err := s.image()
		if err != nil {
			return nil, err
		}
		seen.Raster.Colors, seen.Palette = distinct(img), palette(img)
	}
	if why := blank(&seen, dom); why != "" {
		return &vitrine.Validity{Reason: vitrine.InvalidBlank, Why: why}, nil
	}
	return nil, nil
}

// probeBriefly reads of the page's own document whether it shows anything.
func (v *visit) probeBriefly(ctx context.Context) (*domAnswer, error) {
	return v.probe(ctx, v.page.Tab.Root(), probeLimits{Elements: maxElements, Text: maxText, Brief: true}, nil)
}

// probeAll reads whether any document of the page does.
func (v *visit) probeAll(ctx context.Context) (*domAnswer, error) {
	if err := v.reveal(ctx); err != nil {
		return nil, err
	}
	dom, err := v.probeBriefly(ctx)
	if err != nil {
		return nil, err
	}
	return dom, v.probeFrames(ctx, dom, probeLimits{Elements: maxElements, Text: maxText})
}

const overlayWhy = "the framework's error overlay covers the page"

// oneColor is the share of a frame from which on one color leaves nothing to look
// at where there is no text: the rest of a desktop window is a box of 32 × 32.
const oneColor = 0.999

// blank says why there is nothing to see, or "".
func blank(view *vitrine.View, dom *domAnswer) string {
	if view.Raster.Colors == 1 {
		return "the whole picture has one colour"
	}
	switch {
	case strings.TrimSpace(dom.Text) != "" || dom.Texts > 0 || dom.Media > 0:
		return ""
	case dom.Painted == 0:
		return "there is no visible text, picture or box"
	case len(view.Palette) > 0 && view.Palette[0].Share >= oneColor:
		return "there is no visible text or picture, and one colour covers all but a speck"
	}
	return ""
}
