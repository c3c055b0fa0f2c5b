package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"

	"vitrine/internal/page"
)

// maxAxeFrames are looked into by axe-core, which has to be loaded into each.
const maxAxeFrames = 12

// axePart runs axe-core in one document, after it listed the frames in which it is to run,
// too. It knows iframes, not objects or embeds. Where scripts are not allowed no timer ever
// ends, in our world neither; axe-core sets some of no length.
const axePart = `(async (context) => {
	if (matchMedia('(scripting: none)').matches) globalThis.setTimeout = (run) => { queueMicrotask(run); return 0; };
	const options = {iframes: true, ` + axeOptions + `;
	const frames = axe.utils.getFrameContexts(context, options).map((f) => ({
		owner: globalThis.vitrine?.owners.get(axe.utils.shadowSelect(f.frameSelector)) ?? -1, context: f.frameContext,
	}));
	return { frames, result: await axe.runPartial(context, options) };
})`

// axeInFrames runs axe-core in the documents of a page and puts together what it found, as
// it is done where frames do not trust each other.
func (v *visit) axeInFrames(ctx context.Context, answer *axeAnswer) error {
	r := axeRunner{visit: v, others: map[cdp.FrameID]page.Document{}}
	for _, d := range v.documents[1:] {
		r.others[d.Frame] = d
	}
	if err := r.in(ctx, v.documents[0], ";", "document"); err != nil {
		return err
	}
	parts := "[" + strings.Join(r.parts, ",") + "]"
	return v.page.Tab.EvalIsolated(ctx, ";axe.finishRun("+parts+", {iframes: true, "+axeOptions+axeReport, answer)
}

type axeRunner struct {
	visit  *visit
	others map[cdp.FrameID]page.Document
	ran    int
	parts  []string // of each document, before those inside of it; null without one
}

func (r *axeRunner) in(ctx context.Context, d page.Document, load, document string) error {
	var part struct {
		Frames []struct {
			Owner   int             `json:"owner"`
			Context json.RawMessage `json:"context"`
		} `json:"frames"`
		Result json.RawMessage `json:"result"`
	}
	if err := r.visit.page.Tab.EvalIsolatedIn(ctx, d.Frame, fmt.Sprintf("%s%s(%s)", load, axePart, document), &part); err != nil {
		return err
	}
	r.parts = append(r.parts, string(part.Result))
	for _, f := range part.Frames {
		at := len(r.parts)
		inner, known := page.Document{}, f.Owner >= 0 && f.Owner < len(d.Frames)
		if known {
			inner, known = r.others[d.Frames[f.Owner]]
		}
		if !known || r.ran == maxAxeFrames {
			r.parts = append(r.parts, "null")
			continue
		}
		r.ran++
		delete(r.others, inner.Frame)
		err := r.in(ctx, inner, axeLibrary+";", string(f.Context))
		switch {
		case page.Gone(err):
			r.parts = append(r.parts[:at], "null")
		case err != nil:
			return err
		}
	}
	return nil
}
