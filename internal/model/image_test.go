package model

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// striped is a page with a mark in every row, so that rows can be told apart.
func striped(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(y * 255 / h), 40, 90, 255})
		}
	}
	return img
}

func noise(w, h int) *image.RGBA {
	img, r := image.NewRGBA(image.Rect(0, 0, w, h)), rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = uint8(r.UintN(256)) | 1
	}
	return img
}

func decoded(t *testing.T, i Image) image.Image {
	t.Helper()
	if i.Type != "image/jpeg" {
		t.Errorf("a tile is %s", i.Type)
	}
	img, err := jpeg.Decode(bytes.NewReader(i.Data))
	must(t, err)
	return img
}

func TestFitKeepsToTheBudget(t *testing.T) {
	t.Parallel()
	small := ImageBudget{MaxEdge: 200, MaxTiles: 3, Overlap: 20}
	for what, c := range map[string]struct {
		w, h   int
		budget ImageBudget
		tiles  int
		size   image.Point // of each tile
	}{
		"small enough":     {120, 80, small, 1, image.Pt(120, 80)},
		"too wide":         {800, 400, small, 1, image.Pt(200, 100)},
		"tall":             {200, 500, small, 3, image.Pt(200, 200)},
		"as tall as it is": {100, 560, small, 3, image.Pt(100, 200)},
		"one pixel":        {1, 1, small, 1, image.Pt(1, 1)},
		"one row":          {5000, 1, small, 1, image.Pt(200, 1)},
		"few pixels":       {200, 200, ImageBudget{MaxEdge: 200, MaxPixels: 10_000, MaxTiles: 4, Overlap: 2}, 5 - 1, image.Point{}},
		"the default":      {1280, 3000, ImageBudget{}, 2, image.Pt(1280, 1568)},
	} {
		tiles, err := Fit(striped(c.w, c.h), c.budget)
		must(t, err)
		b, err := c.budget.filled()
		must(t, err)
		if len(tiles) > b.MaxTiles || c.size != (image.Point{}) && len(tiles) != c.tiles {
			t.Errorf("%s: %d tiles, want %d", what, len(tiles), c.tiles)
		}
		for _, tile := range tiles {
			size := decoded(t, tile).Bounds().Size()
			if c.size != (image.Point{}) && size != c.size || size.X > b.MaxEdge || size.Y > b.MaxEdge || size.X*size.Y > b.MaxPixels {
				t.Errorf("%s: a tile is %v, want %v", what, size, c.size)
			}
		}
	}
}

// A page that is far too tall is made smaller as a whole: its top and its bottom
// are both seen, and neighbours overlap.
func TestTallPageIsSeenWhole(t *testing.T) {
	t.Parallel()
	tiles, err := Fit(striped(400, 20_000), ImageBudget{MaxEdge: 300, MaxTiles: 4, Overlap: 30})
	must(t, err)
	if len(tiles) != 4 {
		t.Fatalf("%d tiles", len(tiles))
	}
	shade := func(i int, bottom bool) uint32 {
		img := decoded(t, tiles[i])
		y := 0
		if bottom {
			y = img.Bounds().Dy() - 1
		}
		r, _, _, _ := img.At(img.Bounds().Dx()/2, y).RGBA()
		return r >> 8
	}
	if shade(0, false) > 6 || shade(3, true) < 248 {
		t.Errorf("the page is seen from shade %d to %d", shade(0, false), shade(3, true))
	}
	for i := range 3 {
		if shade(i, true) <= shade(i+1, false) {
			t.Errorf("tiles %d and %d do not overlap", i, i+1)
		}
	}
}

func TestFitKeepsToItsBytes(t *testing.T) {
	t.Parallel()
	const most = 60_000
	tiles, err := Fit(noise(600, 900), ImageBudget{MaxEdge: 400, MaxBytes: most})
	must(t, err)
	size := 0
	for _, tile := range tiles {
		size += len(tile.Data)
	}
	if size > most || size < most/8 {
		t.Errorf("%d bytes of %d", size, most)
	}
	if _, err := Fit(noise(200, 200), ImageBudget{MaxBytes: 300}); err == nil {
		t.Error("noise fits into what the head of a file takes")
	}
}

func TestFitIsDeterministicAndWhite(t *testing.T) {
	t.Parallel()
	clear := image.NewNRGBA(image.Rect(10, 10, 40, 30)) // transparent, and not at the origin
	first, err := Fit(clear, ImageBudget{})
	must(t, err)
	again, err := Fit(clear, ImageBudget{})
	must(t, err)
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error("equal pictures give different bytes")
	}
	if r, g, b, _ := decoded(t, first[0]).At(5, 5).RGBA(); r>>8 < 250 || g>>8 < 250 || b>>8 < 250 {
		t.Error("what is transparent is not white")
	}
}

func TestPicturesThatCannotBe(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	must(t, png.Encode(&bomb, image.NewGray(image.Rect(0, 0, 1, 1))))
	huge := bytes.Clone(bomb.Bytes())
	copy(huge[16:24], []byte{0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff}) // 65535 × 65535 in its header
	for what, data := range map[string][]byte{"nothing": nil, "text": []byte("hello"), "half": bomb.Bytes()[:40], "a bomb": huge} {
		if tiles, err := FitEncoded(data, ImageBudget{}); err == nil {
			t.Errorf("%s: %d tiles", what, len(tiles))
		}
	}
	if _, err := Fit(image.NewGray(image.Rect(0, 0, 0, 5)), ImageBudget{}); err == nil {
		t.Error("no pixels are a picture")
	}
	for _, b := range []ImageBudget{{MaxEdge: 1}, {MaxTiles: -1}, {Quality: 101}, {Overlap: 900}, {MaxBytes: 1}} {
		if _, err := Fit(striped(9, 9), b); err == nil {
			t.Errorf("%+v is a budget", b)
		}
	}
}

// The figures are worked examples of the providers' own pages where they have
// some.
func TestImageTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		protocol Protocol
		w, h     int
		want     int
	}{
		{OpenAI, 1024, 1024, 1659}, // 1024 patches × 1.62; by tiles it would be 765
		{OpenAI, 2048, 4096, 10_700},
		{Anthropic, 1000, 1000, 1334},
		{Anthropic, 8000, 8000, 4784},
		{Google, 100, 100, 1120},
		{Google, 960, 5400, 258 * 2 * 9},
	} {
		if got := ImageTokens(c.protocol, c.w, c.h); got != c.want {
			t.Errorf("%s: %d × %d are %d tokens, want %d", c.protocol, c.w, c.h, got, c.want)
		}
	}
	if openAITiles(1024, 1024) != 765 || openAITiles(2048, 4096) != 1105 {
		t.Errorf("tiles: %d and %d", openAITiles(1024, 1024), openAITiles(2048, 4096))
	}
}
