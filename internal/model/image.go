package model

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"

	"golang.org/x/image/draw"

	"vitrine/internal/picture"
)

// An ImageBudget is what a picture may take of a conversation. The zero value of
// a field is its default.
type ImageBudget struct {
	MaxEdge   int // longest edge of a tile in pixels; 1568, which all three providers read unscaled
	MaxPixels int // pixels of a tile; 1568 × 1568
	MaxTiles  int // pictures that a long page becomes; 4
	Overlap   int // pixels that neighbouring tiles share, so that no line of text is cut in both; 64
	Quality   int // of JPEG, 1 to 100; 85. It is lowered to 40 before pictures are made smaller
	MaxBytes  int // of all tiles together, encoded; 4 MiB
}

func (b ImageBudget) filled() (ImageBudget, error) {
	or := func(v *int, otherwise int) {
		if *v == 0 {
			*v = otherwise
		}
	}
	or(&b.MaxEdge, 1568)
	or(&b.MaxPixels, b.MaxEdge*b.MaxEdge)
	or(&b.MaxTiles, 4)
	or(&b.Overlap, min(64, b.MaxEdge/8))
	or(&b.Quality, 85)
	or(&b.MaxBytes, 4<<20)
	if b.MaxEdge < 16 || b.MaxPixels < 256 || b.MaxTiles < 1 || b.Overlap < 0 || b.Overlap*2 > b.MaxEdge || b.Quality < 1 || b.Quality > 100 || b.MaxBytes < 256 {
		return b, fmt.Errorf("image budget: out of range: %+v", b)
	}
	return b, nil
}

// FitEncoded is [Fit] for a picture in PNG, JPEG or WebP.
func FitEncoded(data []byte, b ImageBudget) ([]Image, error) {
	img, err := picture.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return Fit(img, b)
}

// Fit makes JPEGs of a picture that keep to a budget: it is made smaller until its
// width fits; a page that is still too tall is cut into overlapping tiles from top
// to bottom, all of one size; one that needs more than MaxTiles is made smaller as
// a whole, so nothing of it is left out. What is transparent becomes white. Equal
// pictures and budgets give equal bytes.
func Fit(img image.Image, b ImageBudget) ([]Image, error) {
	b, err := b.filled()
	if err != nil {
		return nil, err
	}
	if img.Bounds().Empty() {
		return nil, errors.New("picture: it has no pixels")
	}
	whole := b.fit(img)
	for {
		images, size, err := b.encode(b.tile(whole))
		if err != nil || size <= b.MaxBytes {
			return images, err
		}
		w, h := whole.Bounds().Dx(), whole.Bounds().Dy()
		if w < leastWidth {
			return nil, fmt.Errorf("picture: it does not fit into %d bytes", b.MaxBytes)
		}
		// Bytes go with the pixels; the bounds see to it that this ends, and soon.
		scale := min(max(math.Sqrt(float64(b.MaxBytes)/float64(size)), 0.25), 0.9)
		whole = shrink(whole, int(float64(w)*scale), max(1, int(float64(h)*scale)))
	}
}

// leastWidth is the width in pixels under which a picture shows nothing any more.
const leastWidth = 32

// fit makes a picture so small that its tiles hold all of it.
func (b ImageBudget) fit(img image.Image) *image.RGBA {
	w, h := float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
	scale := min(1, float64(b.MaxEdge)/w)
	for w*scale >= 1 && h*scale > b.reach(w*scale) {
		scale *= 0.98
	}
	return shrink(img, max(1, int(w*scale)), max(1, int(h*scale)))
}

// tileHeight is the tallest tile of a width.
func (b ImageBudget) tileHeight(w float64) float64 {
	return math.Floor(min(float64(b.MaxEdge), float64(b.MaxPixels)/max(w, 1)))
}

// reach is how tall a page of a width all tiles together hold.
func (b ImageBudget) reach(w float64) float64 {
	t := b.tileHeight(w)
	return t + float64(b.MaxTiles-1)*max(t-float64(b.Overlap), 0)
}

// tile cuts a picture from top to bottom.
func (b ImageBudget) tile(whole *image.RGBA) []image.Image {
	w, h := whole.Bounds().Dx(), whole.Bounds().Dy()
	t := max(1, int(b.tileHeight(float64(w))))
	if h <= t {
		return []image.Image{whole}
	}
	step := max(1, t-b.Overlap)
	n := (h - t + step - 1) / step
	var tiles []image.Image
	for i := range n + 1 {
		top := (h - t) * i / n
		tiles = append(tiles, whole.SubImage(image.Rect(0, top, w, top+t)))
	}
	return tiles
}

// shrink draws a picture on white in another size.
func shrink(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	if img.Bounds().Dx() == w && img.Bounds().Dy() == h {
		draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(out, out.Bounds(), img, img.Bounds(), draw.Over, nil)
	}
	return out
}

// leastQuality is the quality under which text cannot be read.
const leastQuality = 40

// encode writes tiles in the best quality that keeps to the bytes, or in the least;
// size is what they take.
func (b ImageBudget) encode(tiles []image.Image) (images []Image, size int, err error) {
	for quality := b.Quality; ; quality = max(quality-15, leastQuality) {
		images, size = nil, 0
		for _, t := range tiles {
			var out bytes.Buffer
			if err := jpeg.Encode(&out, t, &jpeg.Options{Quality: quality}); err != nil {
				return nil, 0, fmt.Errorf("picture: %w", err)
			}
			images = append(images, Image{Type: "image/jpeg", Data: out.Bytes()})
			size += out.Len()
		}
		if size <= b.MaxBytes || quality <= leastQuality {
			return images, size, nil
		}
	}
}
