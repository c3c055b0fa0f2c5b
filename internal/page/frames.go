package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/runtime"

	"vitrine/internal/browser"
)

// MaxFrames are looked into, in the order of the document. A page needs no more.
const MaxFrames = 100

// frames are those inside of a page: what they show belongs to the artifact as much as
// the page does. A page without any costs nothing here.
type frames struct {
	count func() int64
	step  int                               // of page time
	known map[string]runtime.RemoteObjectID // document -> itself, in the world of its scripts
}

// HasFrames reports that the page has documents inside of its own.
func (p *Page) HasFrames() bool { return p.frames.count() > 0 }

// eachFrame calls do with every frame of the page. One that goes away meanwhile is left out.
func (p *Page) eachFrame(ctx context.Context, do func(browser.Frame) error) error {
	if !p.HasFrames() {
		return nil
	}
	all, err := p.Tab.Frames(ctx, MaxFrames)
	if err != nil {
		return err
	}
	for _, f := range all {
		if err := do(f); err != nil && !Gone(err) {
			return err
		}
	}
	return nil
}

// Gone reports that a frame or a document was replaced, or broke what scripts stand on,
// while it was asked.
func Gone(err error) bool {
	var thrown *browser.EvalError
	return isProtocolError(err) || errors.As(err, &thrown)
}

// CallIn calls a function in the world of a frame's scripts, with the frame's document as
// its this.
func (p *Page) CallIn(ctx context.Context, f browser.Frame, function string, out any, args ...runtime.RemoteObjectID) error {
	document, known := p.frames.known[f.Document]
	if !known {
		var err error
		if document, err = p.Tab.MainDocument(ctx, f.ID); err != nil {
			return err
		}
		p.frames.known[f.Document] = document
	}
	err := p.Tab.CallOn(ctx, document, function, out, args...)
	if isProtocolError(err) {
		delete(p.frames.known, f.Document)
	}
	return err
}

// follow lets page time pass in the frames that the page's clock cannot reach: those of
// another origin, such as sandboxed ones, and those in shadow trees.
func (p *Page) follow(ctx context.Context, ms int) error {
	return p.eachFrame(ctx, func(f browser.Frame) error {
		return p.CallIn(ctx, f, fmt.Sprintf("function () { return __vitrine.follow(%d, %d) }", ms, p.frames.step), nil)
	})
}

// ready is what a document still waits for.
type ready struct {
	Loaded bool `json:"loaded"`
	Images int  `json:"images"`
	Fonts  bool `json:"fonts"`
}

func (r ready) quiet() bool { return r.Loaded && r.Images == 0 && !r.Fonts }

// ready asks the page and its frames; the page's own document alone tells whether it loaded.
func (p *Page) ready(ctx context.Context) (r ready, err error) {
	if err := p.Tab.EvalIsolated(ctx, readyScript, &r); err != nil || !r.quiet() {
		return r, err
	}
	return r, p.eachFrame(ctx, func(f browser.Frame) error {
		var in ready
		err := p.Tab.EvalIsolatedIn(ctx, f.ID, readyScript, &in)
		r.Images, r.Fonts = r.Images+in.Images, r.Fonts || in.Fonts
		return err
	})
}
