package interact

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"vitrine"
	"vitrine/internal/disk"
	pictures "vitrine/internal/picture"
)

// picture is the window at a moment, decoded when first looked at.
type picture struct {
	png   []byte
	sum   string
	image func() (*image.RGBA, error)
}

func newPicture(data []byte) *picture {
	sum := sha256.Sum256(data)
	return &picture{data, hex.EncodeToString(sum[:8]), sync.OnceValues(func() (*image.RGBA, error) { return pictures.RGBA(data) })}
}

// shoot takes the window as it stands.
func (s *Session) shoot(ctx context.Context) (*picture, error) {
	if err := s.page.Clock(ctx, "painted()", nil); err != nil {
		return nil, err
	}
	v := s.driver.Viewport
	data, err := s.tab.WindowShot(ctx, v.Width, v.Height)
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	p := newPicture(data)
	for _, old := range s.pictures { // decoded already, maybe
		if old.sum == p.sum {
			return old, nil
		}
	}
	s.pictures = append(s.pictures[max(0, len(s.pictures)-maxPictures+1):], p)
	return p, nil
}

// maxPictures are remembered: the fresh state looks the same again and again.
const maxPictures = 6

// Frame takes the window as it stands, of the driver's size, and writes it to
// trace/<name>.png, which is returned relative to the evidence folder. Without a
// folder file is empty.
func (s *Session) Frame(ctx context.Context, name string) (file string, data []byte, err error) {
	p, err := s.shoot(ctx)
	if err != nil {
		return "", nil, err
	}
	file, err = s.write(name, p.png)
	return file, p.png, err
}

// Picture takes the window as it stands, of the driver's size, and writes nothing.
func (s *Session) Picture(ctx context.Context) ([]byte, error) {
	p, err := s.shoot(ctx)
	if err != nil {
		return nil, err
	}
	return p.png, nil
}

// keep writes a picture under a name that stands for its content, so that equal
// pictures are one file.
func (s *Session) keep(p *picture) (string, error) {
	if p == nil {
		return "", nil
	}
	return s.write(p.sum, p.png)
}

func (s *Session) write(name string, data []byte) (string, error) {
	if s.driver.Dir == "" {
		return "", nil
	}
	file := "trace/" + name + ".png"
	full := filepath.Join(s.driver.Dir, filepath.FromSlash(file))
	if old, err := os.ReadFile(full); err == nil && bytes.Equal(old, data) {
		return file, nil
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return "", err
	}
	return file, disk.WriteFile(full, data, 0o644)
}

const (
	cell       = 16 // pixels of the grid in which changes are gathered
	maxRegions = 8
)

// changes compares two frames cell by cell and says which share of the pixels differs
// and in which boxes, the largest first. Cells in skip are left out.
func changes(a, b *image.RGBA, skip map[image.Point]bool) (share float64, regions []vitrine.Box, cells map[image.Point]bool) {
	w, h := min(a.Rect.Dx(), b.Rect.Dx()), min(a.Rect.Dy(), b.Rect.Dy())
	cells = map[image.Point]bool{}
	n := 0
	for y := range h {
		ra, rb := a.Pix[y*a.Stride:][:w*4], b.Pix[y*b.Stride:][:w*4]
		if bytes.Equal(ra, rb) {
			continue
		}
		for x := 0; x < w*4; x += 4 {
			if near(ra[x], rb[x]) && near(ra[x+1], rb[x+1]) && near(ra[x+2], rb[x+2]) {
				continue
			}
			at := image.Pt(x/4/cell, y/cell)
			if skip[at] {
				continue
			}
			n++
			cells[at] = true
		}
	}
	return float64(n) / float64(max(w*h, 1)), boxesOf(cells, w, h), cells
}

// faint is a difference that no person sees: edges that are drawn again come out a shade
// lighter or darker.
const faint = 3

func near(a, b uint8) bool { return a == b || max(a, b)-min(a, b) <= faint }

// boxesOf joins cells that touch and boxes the groups.
func boxesOf(cells map[image.Point]bool, w, h int) []vitrine.Box {
	left := map[image.Point]bool{}
	var order []image.Point
	for c := range cells {
		left[c] = true
		order = append(order, c)
	}
	slices.SortFunc(order, func(p, q image.Point) int { return cmp.Or(p.Y-q.Y, p.X-q.X) })
	var boxes []vitrine.Box
	for _, c := range order {
		if !left[c] {
			continue
		}
		r := group(c, left)
		r = image.Rect(r.Min.X*cell, r.Min.Y*cell, min(r.Max.X*cell, w), min(r.Max.Y*cell, h))
		boxes = append(boxes, vitrine.Box{X: float64(r.Min.X), Y: float64(r.Min.Y), W: float64(r.Dx()), H: float64(r.Dy())})
	}
	slices.SortStableFunc(boxes, func(p, q vitrine.Box) int { return cmp.Compare(q.Area(), p.Area()) })
	return boxes[:min(len(boxes), maxRegions)]
}

// group takes the cells that touch c out of left and says what they span.
func group(c image.Point, left map[image.Point]bool) image.Rectangle {
	r := image.Rectangle{c, c.Add(image.Pt(1, 1))}
	delete(left, c)
	for todo := []image.Point{c}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				q := p.Add(image.Pt(dx, dy))
				if left[q] {
					delete(left, q)
					r = r.Union(image.Rectangle{q, q.Add(image.Pt(1, 1))})
					todo = append(todo, q)
				}
			}
		}
	}
	return r
}
