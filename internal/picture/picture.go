// Package picture decodes pictures that others made: screenshots, rated images,
// frames of a folder that somebody handed over. What a picture costs is read from
// its header before any pixel is decoded.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // formats that are decoded
	_ "image/png"
	"io"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// Bounds of one picture. The largest frame that a page can ask for is of 10,000 × 8000
// pixels, by its viewport meta tag, and within MaxPixels; decoding takes at most 8 bytes for each, some 16 in a progressive JPEG.
const (
	MaxBytes  = 64 << 20
	MaxPixels = 100_000_000
	MaxEdge   = 65_535 // pixels
	maxScans  = 256    // of a progressive JPEG: each one goes over all of the picture
)

// ErrTooLarge is in the chain of the error of a picture that would take too much
// memory or time to decode. It was not decoded.
var ErrTooLarge = errors.New("the picture is too large")

// Decode decodes a picture in PNG, JPEG or WebP. The error says what else it is, or
// wraps [ErrTooLarge].
func Decode(data []byte) (image.Image, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: more than %d MB", ErrTooLarge, MaxBytes>>20)
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && !slices.Contains([]string{"png", "jpeg", "webp"}, format) { // other code may have registered it
		err = errors.New("it is a " + strings.ToUpper(format))
	}
	if err != nil {
		return nil, fmt.Errorf("not a picture in PNG, JPEG or WebP: %w", err)
	}
	if size.Width > MaxEdge || size.Height > MaxEdge || size.Width*size.Height > MaxPixels {
		return nil, fmt.Errorf("%w: %d × %d pixels, of at most %d million", ErrTooLarge, size.Width, size.Height, MaxPixels/1_000_000)
	}
	// In the coded data 0xff stands before 0x00 and markers only: this counts scans.
	if format == "jpeg" && bytes.Count(data, []byte{0xff, 0xda}) > maxScans {
		return nil, fmt.Errorf("%w: a JPEG of more than %d scans", ErrTooLarge, maxScans)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the picture is damaged: %w", err)
	}
	return img, nil
}

// RGBA is [Decode] with the pixels as RGBA.
func RGBA(data []byte) (*image.RGBA, error) {
	img, err := Decode(data)
	if err != nil {
		return nil, err
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		rgba = image.NewRGBA(img.Bounds())
		draw.Draw(rgba, rgba.Bounds(), img, image.Point{}, draw.Src)
	}
	return rgba, nil
}

// ReadFile is [Decode] for a file of a folder, of which no more than [MaxBytes] are
// read. A device or a pipe is an error.
func ReadFile(folder fs.FS, name string) (image.Image, error) {
	if info, err := fs.Stat(folder, name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return Decode(data)
}
