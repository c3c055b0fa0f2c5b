package metarun

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/meta/answers"
)

// Pictures are graded from 0 to 30: one that is better by more than 0.3 of these is preferred,
// as a page is that is better by more than one point of 100.
func TestPicturesTieByTheirOwnScale(t *testing.T) {
	t.Parallel()
	m := Measured{Sites: &Sites{}}
	var pictures []answers.Thing
	var grades []float64
	for n := range 6 {
		p := answers.Thing{Picture: blocks(t, n)}
		a, err := m.Answer(t.Context(), answers.Question{Item: answers.Item{Kind: answers.Rating, Shown: []answers.Thing{p}}})
		if err != nil {
			t.Fatal(err)
		}
		pictures, grades = append(pictures, p), append(grades, a.Value.Number)
	}
	between := 0 // pairs that a tie of one point of 30 would hide
	for a := range pictures {
		for b := range pictures {
			got, err := m.Answer(t.Context(), answers.Question{Item: answers.Item{Kind: answers.Pair, Shown: []answers.Thing{pictures[a], pictures[b]}}})
			if err != nil {
				t.Fatal(err)
			}
			want, difference := "tie", grades[a]-grades[b]
			if math.Abs(difference) > 0.3 {
				want = map[bool]string{true: "A", false: "B"}[difference > 0]
				if math.Abs(difference) <= 1 {
					between++
				}
			}
			if got.Value.Text != want {
				t.Errorf("grades %v and %v: %q, want %q", grades[a], grades[b], got.Value.Text, want)
			}
		}
	}
	if between == 0 {
		t.Errorf("of the grades %v none differ by 0.3 to 1", grades)
	}
}

// blocks is a picture of n blocks of colour on white.
func blocks(t *testing.T, n int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 320, 200))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	for i := range n {
		block := image.Rect(20+50*i, 20+12*i, 50+52*i, 90+15*i)
		draw.Draw(img, block, image.NewUniform(color.RGBA{uint8(40 * i), 90, uint8(200 - 30*i), 255}), image.Point{}, draw.Src)
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.png", n))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	return path
}
