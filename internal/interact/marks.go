package interact

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"vitrine"
	pictures "vitrine/internal/picture"
)

// Marked takes the window as it stands and draws a numbered box over each control of
// the scene that is in it. The page itself is not touched. It writes trace/<name>.png
// as [Session.Frame] does.
func (s *Session) Marked(ctx context.Context, scene *Scene, name string) (file string, data []byte, err error) {
	p, err := s.shoot(ctx)
	if err != nil {
		return "", nil, err
	}
	if data, err = Mark(p.png, scene.Controls); err != nil {
		return "", nil, err
	}
	file, err = s.write(name, data)
	return file, data, err
}

// inks are colors that differ from each other and from most pages.
var inks = []color.RGBA{{200, 30, 30, 255}, {20, 90, 200, 255}, {10, 120, 50, 255}, {140, 40, 160, 255}, {170, 90, 0, 255}, {0, 110, 130, 255}}

// Mark draws the numbers and boxes of controls over a PNG of the window.
func Mark(frame []byte, controls []vitrine.Control) ([]byte, error) {
	base, err := pictures.RGBA(frame)
	if err != nil {
		return nil, err
	}
	img := image.NewRGBA(base.Rect)
	draw.Draw(img, img.Rect, base, base.Rect.Min, draw.Src)
	var labels []image.Rectangle
	for _, c := range controls {
		r := image.Rect(int(c.Box.X), int(c.Box.Y), int(c.Box.X+c.Box.W), int(c.Box.Y+c.Box.H))
		if !r.Overlaps(img.Rect) || c.Covered {
			continue
		}
		ink := inks[c.Mark%len(inks)]
		outline(img, r.Inset(-2), color.RGBA{255, 255, 255, 255})
		outline(img, r.Inset(-1), ink)
		text := strconv.Itoa(c.Mark)
		at := place(labelSize(text), r, img.Rect, labels)
		labels = append(labels, at)
		label(img, at, text, ink)
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img)
	return out.Bytes(), err
}

func outline(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	fill := func(x0, y0, x1, y1 int) {
		draw.Draw(img, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1)
	fill(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y)
	fill(r.Min.X, r.Min.Y, r.Min.X+1, r.Max.Y)
	fill(r.Max.X-1, r.Min.Y, r.Max.X, r.Max.Y)
}

// place finds room for a label at a corner of its box where no other label is.
func place(size image.Point, box, window image.Rectangle, taken []image.Rectangle) image.Rectangle {
	corners := []image.Point{
		{box.Min.X - 1, box.Min.Y - size.Y + 1}, {box.Max.X - size.X + 1, box.Min.Y - size.Y + 1}, {box.Min.X - size.X, box.Min.Y}, {box.Max.X, box.Min.Y},
		{box.Min.X - 1, box.Max.Y - 1}, {box.Max.X - size.X + 1, box.Max.Y - 1}, {box.Min.X, box.Min.Y},
	}
	var first image.Rectangle
	for i, c := range corners {
		r := image.Rectangle{c, c.Add(size)}
		r = r.Add(image.Pt(max(window.Min.X-r.Min.X, 0)+min(window.Max.X-r.Max.X, 0), max(window.Min.Y-r.Min.Y, 0)+min(window.Max.Y-r.Max.Y, 0)))
		if i == 0 {
			first = r
		}
		free := true
		for _, t := range taken {
			free = free && !t.Overlaps(r)
		}
		if free {
			return r
		}
	}
	return first
}

// digits are drawn in a grid of 5 by 7, row by row.
var digits = [10][7]uint8{
	{14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14}, {14, 17, 1, 6, 8, 16, 31}, {14, 17, 1, 6, 1, 17, 14}, {2, 6, 10, 18, 31, 2, 2},
	{31, 16, 30, 1, 1, 17, 14}, {6, 8, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 8, 8, 8}, {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 2, 12},
}

const dot = 2 // pixels of a dot of a digit

func labelSize(text string) image.Point { return image.Pt(len(text)*6*dot+2*dot, 9*dot) }

func label(img *image.RGBA, at image.Rectangle, text string, ink color.RGBA) {
	draw.Draw(img, at.Inset(-1), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(img, at, image.NewUniform(ink), image.Point{}, draw.Src)
	for i, r := range text {
		for y, row := range digits[r-'0'] {
			for x := range 5 {
				if row&(16>>x) == 0 {
					continue
				}
				p := at.Min.Add(image.Pt((i*6+x+1)*dot+dot/2, (y+1)*dot))
				draw.Draw(img, image.Rectangle{p, p.Add(image.Pt(dot, dot))}, image.NewUniform(color.White), image.Point{}, draw.Src)
			}
		}
	}
}
