package capture

import (
	"strings"

	"vitrine"
	"vitrine/internal/live"
)

// judgeValidity decides whether a render shows a site (SPEC §4): not the error
// overlay of a framework, not blank, and nothing thrown before anything was
// mounted.
func judgeValidity(view *vitrine.View, dom *domAnswer, console *live.Console) vitrine.Validity {
	if dom.Overlay {
		return vitrine.Validity{Reason: vitrine.InvalidErrorOverlay, Why: "the framework's error overlay covers the page"}
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

// oneColour is the share of a frame from which on one colour leaves nothing to look
// at where there is no text: the rest of a desktop window is a box of 32 × 32.
const oneColour = 0.999

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
	case len(view.Palette) > 0 && view.Palette[0].Share >= oneColour:
		return "there is no visible text or picture, and one colour covers all but a speck"
	}
	return ""
}
