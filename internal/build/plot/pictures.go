package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"vitrine"
	"vitrine/internal/picture"
)

// Bounds of what a program draws.
const (
	maxPictures = 8
	maxPixels   = 12_000_000 // of one picture: what a reader of evidence takes at once
	maxBytes    = 32 << 20   // of its file, of it as we write it, and of all together
)

// readPage reads the part of a page that a figure of plotly is, where the program drew no
// pictures; nil without one. One that is too large or cannot be read is the program's failure.
func readPage(root *os.Root) ([]byte, *vitrine.BuildFailure) {
	entries, err := fs.ReadDir(root.FS(), outDir)
	if err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".png" }) {
		return nil, nil
	}
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".html" })
	if i < 0 {
		return nil, nil
	}
	part, err := readFile(root.FS(), path.Join(outDir, entries[i].Name()))
	if err != nil {
		return nil, unreadable("the figure", err)
	}
	return part, nil
}

// unreadable is the failure of a program that wrote what cannot be read.
func unreadable(what string, err error) *vitrine.BuildFailure {
	failure := &vitrine.BuildFailure{Code: vitrine.FailureNoPicture, Message: fmt.Sprintf("%s cannot be read: %v", what, err)}
	if errors.Is(err, picture.ErrTooLarge) {
		failure.Code = vitrine.FailureTooLarge
	}
	return failure
}

// readPictures reads the pictures of a program that has ended, in order. They are written
// again from their pixels: what a site serves was made by us, whatever the files were.
// Files that are not pictures, links out of the folder and devices are the program's failure.
func readPictures(root *os.Root) ([][]byte, *vitrine.BuildFailure) {
	entries, err := fs.ReadDir(root.FS(), outDir)
	if err != nil {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureNoPicture, Message: "the program removed the folder of its pictures"}
	}
	var pictures [][]byte
	all := 0
	for _, e := range entries {
		if path.Ext(e.Name()) != ".png" || len(pictures) == maxPictures {
			continue
		}
		data, err := readPicture(root.FS(), path.Join(outDir, e.Name()))
		if all += len(data); err == nil && all > maxBytes {
			err = fmt.Errorf("%w: its pixels take more than %d MB, with those of the pictures before it", picture.ErrTooLarge, maxBytes>>20)
		}
		if err != nil {
			return nil, unreadable(fmt.Sprintf("picture %d", len(pictures)+1), err)
		}
		pictures = append(pictures, data)
	}
	if len(pictures) == 0 {
		return nil, &vitrine.BuildFailure{Code: vitrine.FailureNoPicture, Message: "the program ended well and drew no picture"}
	}
	return pictures, nil
}

// readFile reads a file of a program that has ended: no link out of the folder, no device.
func readFile(folder fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(folder, name)
	if err != nil {
		return nil, errors.New("it is a link to nothing that may be read")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file")
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, errors.New("it may not be read")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%w: more than %d MB", picture.ErrTooLarge, maxBytes>>20)
	}
	return data, nil
}

// readPicture is a picture in PNG, on white where it is transparent. Its size is looked at
// before any pixel is decoded.
func readPicture(folder fs.FS, name string) ([]byte, error) {
	data, err := readFile(folder, name)
	if err != nil {
		return nil, err
	}
	if size, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && size.Width*size.Height > maxPixels {
		return nil, fmt.Errorf("%w: %d × %d pixels, of at most %d million", picture.ErrTooLarge, size.Width, size.Height, maxPixels/1_000_000)
	}
	img, err := picture.Decode(data)
	if err != nil {
		return nil, err
	}
	onWhite := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(onWhite, onWhite.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(onWhite, onWhite.Bounds(), img, img.Bounds().Min, draw.Over)
	var out bytes.Buffer
	err = png.Encode(&out, onWhite)
	return out.Bytes(), err
}
