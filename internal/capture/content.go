package capture

import (
	"context"
	_ "embed"
	"fmt"
	"image"

	"github.com/chromedp/cdproto/cdp"

	"vitrine"
	"vitrine/internal/page"
)

//go:embed scripts/content.js
var contentScript string

// contentLimits bound what the content probe answers with.
type contentLimits struct {
	Blocks int `json:"blocks"`
	Block  int `json:"block"` // letters of one
	Text   int `json:"text"`  // letters of all
}

// wiring says which elements of a document handle being pressed; see scripts/clock.js.
type wiring struct {
	All  bool  `json:"all"`
	At   []int `json:"at"`
	Keys bool  `json:"keys"`
}

// probeContent reads what the page says and hides, in its own document and in its frames.
func (v *visit) probeContent(ctx context.Context, view *vitrine.View, s *shot) error {
	var w wiring
	if err := v.page.Clock(ctx, "wired()", &w); err != nil {
		return fmt.Errorf("probe what is wired: %w", err)
	}
	content, err := v.readContent(ctx, v.page.Tab.Root(), w)
	if err != nil {
		return err
	}
	if img, err := s.image(); err == nil {
		content.Hidden = append(content.Hidden, unseen(content, img)...)
	}
	for _, d := range v.documents[min(1, len(v.documents)):] {
		if err := v.probeFrameContent(ctx, d, content); err != nil && !page.Gone(err) {
			return err
		}
	}
	view.Content = content
	return nil
}

func (v *visit) readContent(ctx context.Context, frame cdp.FrameID, w wiring) (*vitrine.Content, error) {
	limits := contentLimits{Blocks: 1500, Block: 2000, Text: 2 * maxText}
	call := contentScript + "(" + page.UnclobberScript + "," + page.Literal(limits) + "," + page.Literal(w) + ")"
	var c vitrine.Content
	if err := v.page.Tab.EvalIsolatedIn(ctx, frame, call, &c); err != nil {
		return nil, fmt.Errorf("probe the content: %w", err)
	}
	return &c, nil
}

// probeFrameContent adds what a frame says. Its boxes are of another place and are dropped.
func (v *visit) probeFrameContent(ctx context.Context, d page.Document, all *vitrine.Content) error {
	var w wiring
	if err := v.page.Tab.CallOn(ctx, d.Main, "function () { return __vitrine.wired() }", &w); err != nil {
		return err
	}
	c, err := v.readContent(ctx, d.Frame, w)
	if err != nil {
		return err
	}
	for _, list := range [][]vitrine.Block{c.Blocks, c.Hidden, c.Inert} {
		for i := range list {
			list[i].Box = vitrine.Box{}
		}
	}
	all.Blocks, all.Hidden, all.Inert = append(all.Blocks, c.Blocks...), append(all.Hidden, c.Hidden...), append(all.Inert, c.Inert...)
	all.Controls, all.Closed, all.More = all.Controls+c.Controls, all.Closed+c.Closed, all.More+c.More
	all.Listens = all.Listens || c.Listens
	return nil
}

// unseen takes the blocks of text out of the content of which a frame shows nothing, since
// they have the color of what lies behind them, and returns them.
func unseen(c *vitrine.Content, img *image.RGBA) (gone []vitrine.Block) {
	shown := c.Blocks[:0]
	for _, b := range c.Blocks {
		if b.Role != "drawing" && b.Box.Area() > 0 && plain(img, b.Box) {
			b.Cause = vitrine.HiddenPale
			gone = append(gone, b)
			continue
		}
		shown = append(shown, b)
	}
	c.Blocks = shown
	return gone
}

// plain: a part of a picture has one color, as far as eyes can tell. A part that is not
// wholly in the picture is not plain.
func plain(img *image.RGBA, box vitrine.Box) bool {
	const apartFrom = 17 // of 255: a contrast of about 1.15 on white
	area := image.Rect(int(box.X), int(box.Y), int(box.X+box.W), int(box.Y+box.H))
	if area.Empty() || !area.In(img.Rect) {
		return false
	}
	first := img.Pix[img.PixOffset(area.Min.X, area.Min.Y):]
	stepY := max(1, area.Dy()/60)
	for y := area.Min.Y; y < area.Max.Y; y += stepY {
		row := img.Pix[img.PixOffset(area.Min.X, y):]
		for x := 0; x < area.Dx(); x++ {
			if apart(first, row[x*4:]) > apartFrom {
				return false
			}
		}
	}
	return true
}
