package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/picture"
)

// pictureWindow is the viewport of pictures, which are looked at as they are and not in a
// browser. Its size is that of the first one.
const pictureWindow = "picture"

// IsPictures reports whether a site is pictures that a program drew: they are evidence
// themselves, and a browser would only put a page around them.
func IsPictures(site *vitrine.Site) bool {
	_, ok := site.Files[pictureOf("/")]
	return site.Kind == vitrine.KindPlot && ok
}

// pictureOf is the file that a route of a plot shows.
func pictureOf(route string) string {
	if route == "/" {
		return "picture-1.png"
	}
	return strings.TrimPrefix(route, "/")
}

// pictures fills in one view for each picture of the site.
func (c *Capturer) pictures(ctx context.Context, site *vitrine.Site, ev *vitrine.Evidence, dir string) error {
	for _, route := range site.Routes[:min(len(site.Routes), ev.Settings.MaxRoutes)] {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		view := newView(route, vitrine.Viewport{Name: pictureWindow})
		if err := lookAt(&view, site.Files[pictureOf(route)], ev.Settings.TimesMS, dir); err != nil {
			return fmt.Errorf("capture %s: %w", route, err)
		}
		if view.Viewport = (vitrine.Viewport{Name: pictureWindow, Width: view.PageWidth, Height: view.PageHeight}); len(ev.Views) > 0 {
			view.Viewport = ev.Views[0].Viewport
		}
		view.LoadMS = float64(time.Since(start).Microseconds()) / 1000
		ev.Views = append(ev.Views, view)
	}
	ev.Validity = ev.Views[0].Validity
	return nil
}

// lookAt fills a view with one picture, which is a frame at each of the times: it does not
// change. A picture of one color is blank.
func lookAt(view *vitrine.View, data []byte, times []int, dir string) error {
	img, err := picture.RGBA(data)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	size := img.Bounds().Size()
	view.PageWidth, view.PageHeight, view.Settled = size.X, size.Y, true
	view.Palette, view.Raster = palette(img), raster(img)
	view.Validity = vitrine.Validity{Valid: true}
	if view.Raster.Colors == 1 {
		view.Validity = vitrine.Validity{Reason: vitrine.InvalidBlank, Why: "the whole picture has one colour"}
	}
	for _, ms := range times {
		frame := vitrine.Frame{
			File:   "frames/" + slug(view.Route) + "@" + pictureWindow + "@" + seconds(ms) + ".png",
			TimeMS: ms, Width: size.X, Height: size.Y, SHA256: hex.EncodeToString(sum[:]),
		}
		if !view.Validity.Valid {
			frame.Invalid = new(view.Validity)
		}
		view.Frames = append(view.Frames, frame)
		if err := disk.WriteFile(filepath.Join(dir, frame.File), data, 0o644); err != nil {
			return err
		}
	}
	view.Thumb = "thumbs/" + slug(view.Route) + "@" + pictureWindow + ".jpg"
	return writeThumb(filepath.Join(dir, view.Thumb), img)
}
