package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
)

// compare returns the share of pixels that differ between two PNG files, and the
// box around them. Where one is larger, the rest counts as different.
func compare(fileA, fileB string) (share float64, box string, err error) {
	a, err := readPNG(fileA)
	if err != nil {
		return 0, "", err
	}
	b, err := readPNG(fileB)
	if err != nil {
		return 0, "", err
	}
	var where image.Rectangle
	n, both := 0, a.Bounds().Union(b.Bounds())
	for y := both.Min.Y; y < both.Max.Y; y++ {
		for x := both.Min.X; x < both.Max.X; x++ {
			p := image.Pt(x, y)
			if p.In(a.Bounds()) && p.In(b.Bounds()) && a.At(x, y) == b.At(x, y) {
				continue
			}
			n++
			where = where.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return float64(n) / float64(both.Dx()*both.Dy()), fmt.Sprintf("%dx%d+%d+%d", where.Dx(), where.Dy(), where.Min.X, where.Min.Y), nil
}

func readPNG(name string) (image.Image, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}
