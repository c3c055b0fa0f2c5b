package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/picture"
)

// frames takes the screenshots of one view at growing page times.
type frames struct {
	visit       *visit
	view        *vitrine.View
	at          int // page time of the last frame, in milliseconds after load
	first, last *shot
	thumb       errgroup.Group // drawn while the page is still looked at
}

// A shot is one screenshot, decoded when first looked at.
type shot struct {
	png           []byte
	hash          string
	width, height int
	capped        bool // the page is taller than what is shown
	image         func() (*image.RGBA, error)
}

func newShot(data []byte) *shot {
	sum := sha256.Sum256(data)
	decoded := sync.OnceValues(func() (*image.RGBA, error) { return picture.RGBA(data) })
	return &shot{png: data, hash: hex.EncodeToString(sum[:]), image: decoded}
}

// plain reports whether a picture may be of one color except for a speck. The PNG of such a
// picture has 1/225 of its raw bytes; one above 1/120 is not worth decoding.
func (s *shot) plain() bool { return len(s.png)*120 < s.width*s.height*4 }

// take lets page time pass until ms and takes a full-page frame. A page on which
// nothing stirred meanwhile still looks as it did.
func (f *frames) take(ctx context.Context, ms int) error {
	v := f.visit
	changed := f.last == nil
	var invalid *vitrine.Validity
	if n := len(f.view.Frames); n > 0 {
		invalid = f.view.Frames[n-1].Invalid
	}
	if ms > f.at {
		stirred, err := v.page.Advance(ctx, ms-f.at)
		if err != nil {
			return err
		}
		changed = changed || stirred
		f.at = ms
	}
	if changed {
		if err := f.shoot(ctx); err != nil {
			return fmt.Errorf("frame at %d ms: %w", ms, err)
		}
		if f.last != f.first {
			var err error
			if invalid, err = v.blankAgain(ctx, f.last); err != nil {
				return err
			}
		}
	}
	frame := vitrine.Frame{
		File: v.frameFile("frames", "@"+seconds(ms)+".png"), TimeMS: ms, Width: f.last.width, Height: f.last.height,
		SHA256: f.last.hash, Capped: f.last.capped, Invalid: invalid,
	}
	f.view.Frames = append(f.view.Frames, frame)
	return disk.WriteFile(filepath.Join(v.dir, frame.File), f.last.png, 0o644) // never into an existing file: the cache may share it
}

// sizeScript measures the document; a script may have removed all of it.
const sizeScript = `(({clientWidth, scrollHeight}) => ({Width: clientWidth, Height: scrollHeight, Window: innerHeight, Scrolled: scrollX !== 0 || scrollY !== 0}))
	(document.documentElement || {clientWidth: innerWidth, scrollHeight: innerHeight})`

// shoot takes a screenshot of the page as it stands.
func (f *frames) shoot(ctx context.Context) error {
	v := f.visit
	// What the clock moved since the last real frame must reach the compositor
	// first: it would show its own idea of an animation otherwise.
	if err := v.page.Clock(ctx, "painted()", nil); err != nil {
		return err
	}
	var size struct {
		Width, Height, Window int
		Scrolled              bool
	}
	// A screenshot shows what a window of this width shows: it does not grow
	// sideways with content that overflows.
	if err := v.page.Tab.EvalIsolated(ctx, sizeScript, &size); err != nil {
		return err
	}
	width, height := max(size.Width, 1), max(min(size.Height, v.settings.MaxHeight), 1)
	if f.first == nil {
		v.loadAxe(ctx) // while the frame is drawn and encoded by other processes
	}
	png, err := v.picture(ctx, width, height, size.Height > size.Window, size.Scrolled)
	if err != nil {
		return err
	}
	f.last = newShot(png)
	f.last.width, f.last.height, f.last.capped = width, height, size.Height > v.settings.MaxHeight
	if f.first == nil {
		f.first = f.last
		f.thumb.Go(f.drawThumb)
	}
	return nil
}

// picture takes a screenshot; of a scrolled page, until two in a row are the same. For one
// beyond the window the browser composes the layers of such a page again, and on a
// busy machine it leaves out one that sticks, once in several hundred times.
func (v *visit) picture(ctx context.Context, width, height int, beyond, scrolled bool) ([]byte, error) {
	png, err := v.page.Tab.Screenshot(ctx, width, height, beyond)
	for tries := 0; err == nil && scrolled && tries < 3; tries++ {
		if err := v.page.Clock(ctx, "painted()", nil); err != nil {
			return nil, err
		}
		before := png
		png, err = v.page.Tab.Screenshot(ctx, width, height, beyond)
		if bytes.Equal(before, png) {
			break
		}
	}
	return png, err
}

func (f *frames) drawThumb() error {
	img, err := f.first.image()
	if err != nil {
		return err
	}
	return writeThumb(filepath.Join(f.visit.dir, f.visit.thumbFile()), img)
}

// finish compares the first frame with the last and makes the thumbnail.
func (f *frames) finish() error {
	if f.first.hash != f.last.hash {
		a, errA := f.first.image()
		b, errB := f.last.image()
		if errA == nil && errB == nil {
			f.view.Moved = differing(a, b)
		}
	}
	f.view.Thumb = f.visit.thumbFile()
	return f.thumb.Wait()
}

const thumbWidth, thumbHeight = 360, 270

// writeThumb scales the top of a frame to a small JPEG for galleries.
func writeThumb(file string, img *image.RGBA) error {
	b := img.Bounds()
	top := image.Rect(0, 0, b.Dx(), min(b.Dy(), b.Dx()*thumbHeight/thumbWidth))
	small := image.NewRGBA(image.Rect(0, 0, thumbWidth, max(1, top.Dy()*thumbWidth/max(1, top.Dx()))))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, top, draw.Src, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: 82}); err != nil {
		return fmt.Errorf("thumbnail: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return disk.WriteFile(file, out.Bytes(), 0o644)
}

// differing is the share of pixels that are not equal; where one frame is
// larger, the rest counts as different.
func differing(a, b *image.RGBA) float64 {
	w, h := min(a.Rect.Dx(), b.Rect.Dx()), min(a.Rect.Dy(), b.Rect.Dy())
	all := max(a.Rect.Dx(), b.Rect.Dx()) * max(a.Rect.Dy(), b.Rect.Dy())
	n := all - w*h
	for y := range h {
		ra, rb := a.Pix[y*a.Stride:][:w*4], b.Pix[y*b.Stride:][:w*4]
		if bytes.Equal(ra, rb) {
			continue
		}
		for x := 0; x < w*4; x += 4 {
			if ra[x] != rb[x] || ra[x+1] != rb[x+1] || ra[x+2] != rb[x+2] {
				n++
			}
		}
	}
	return float64(n) / float64(max(all, 1))
}

// frameFile names a file of this view: <folder>/<route>@<viewport><rest>.
func (v *visit) frameFile(folder, rest string) string {
	return folder + "/" + slug(v.page.Route) + "@" + v.page.Settings.Viewport.Name + rest
}

func (v *visit) thumbFile() string { return v.frameFile("thumbs", ".jpg") }

// slug turns a route into a file name: "/" is index, "/a/b" is a~b. What a file
// name should not hold is replaced, and a hash keeps such names apart.
func slug(route string) string {
	name := strings.ReplaceAll(strings.Trim(route, "/"), "/", "~")
	if name == "" {
		return "index"
	}
	clean := strings.Map(func(r rune) rune {
		if r == '~' || r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if clean == name && len(clean) <= 80 {
		return clean
	}
	sum := sha256.Sum256([]byte(route))
	return clean[:min(len(clean), 60)] + "-" + hex.EncodeToString(sum[:4])
}

func seconds(ms int) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
