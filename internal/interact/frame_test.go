package interact

import (
	"bytes"
	"context"
	"image/png"
	"testing"

	"vitrine"
)

// A picture is of the window, wherever the page is scrolled to: what is seen at a point is what is
// clicked there.
func TestPicturesAreOfTheWindow(t *testing.T) {
	d := driver(t, body(`<div style="height:1500px;background:#eee"></div><div id="end" style="height:300px;background:#0a0"></div>
		<div style="position:fixed;top:0;left:0;width:40px;height:40px;background:#00f"></div>`))
	run(t, d, func(ctx context.Context, s *Session) {
		at := func(x, y int) [3]uint32 {
			data, err := s.Picture(ctx)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			r, g, b, _ := img.At(x, y).RGBA()
			return [3]uint32{r >> 8, g >> 8, b >> 8}
		}
		if got := at(20, 20); got != [3]uint32{0, 0, 255} {
			t.Errorf("above, the fixed part is %v", got)
		}
		if step := do(t, ctx, s, vitrine.Action{Kind: vitrine.ActScroll, Target: &vitrine.Target{CSS: "#end"}}); step.Failed != "" {
			t.Fatal(step.Failed)
		}
		if got := at(20, 20); got != [3]uint32{0, 0, 255} {
			t.Errorf("scrolled down, the fixed part is %v", got)
		}
		if got := at(640, 700); got != [3]uint32{0, 170, 0} {
			t.Errorf("scrolled down, the end is %v", got)
		}
	})
}
