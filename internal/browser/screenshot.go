package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// WindowShot returns a PNG of what the window shows of the page, width × height CSS pixels from where
// it is scrolled to.
func (p *Page) WindowShot(ctx context.Context, width, height int) ([]byte, error) {
	m, err := cdp.Call(ctx, p, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	clip := page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}
	if v := m.CSSVisualViewport; v != nil {
		clip.X, clip.Y = v.PageX, v.PageY
	}
	return p.shot(ctx, clip, false)
}

// Screenshot returns a PNG of the top left width × height CSS pixels of the page.
// Beyond lets it reach beyond the window, for which Chromium resizes the window
// for a moment.
func (p *Page) Screenshot(ctx context.Context, width, height int, beyond bool) ([]byte, error) {
	return p.shot(ctx, page.Viewport{Width: float64(width), Height: float64(height), Scale: 1}, beyond)
}

func (p *Page) shot(ctx context.Context, clip page.Viewport, beyond bool) ([]byte, error) {
	yes := true
	res, err := cdp.Call(ctx, p, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatPng, CaptureBeyondViewport: &beyond, OptimizeForSpeed: &yes, Clip: &clip,
	})
	if err != nil {
		return nil, err
	}
	return res.Data, nil
}
