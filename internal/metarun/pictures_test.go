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
	"strings"
	"sync/atomic"
	"testing"

	"vitrine/internal/judge/vlm"
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

// Of two pages one is drawn, and the model asked about it with the screenshot after the instruction and before it
// (WebGen-R1 E.6).
func TestAlignmentIsAskedInBothOrders(t *testing.T) {
	t.Parallel()
	var all []answers.Line
	for n, task := range []string{"tea", "tax"} {
		all = append(all, answers.Line{Item: &answers.Item{
			ID: task, Kind: answers.Rating, Task: task, Instruction: "A page for " + task, Template: "alignment-2", Shown: []answers.Thing{{Picture: blocks(t, n)}},
		}})
	}
	var below, above atomic.Int32
	asker := &scripted{say: func(text string) (string, error) {
		if strings.Contains(text, "what was delivered comes below") {
			below.Add(1)
		}
		if strings.Contains(text, "what was delivered comes above") {
			above.Add(1)
		}
		return `{"reason":"Seen.","score":5}`, nil
	}}
	m := &Model{Asker: asker, Sites: &Sites{}, Settings: vlm.Settings{Protocol: "alignment", Model: "m/m"}}
	asking := answers.Asking{Kinds: []answers.Kind{answers.Rating}, Inputs: true, Tasks: 1}
	_, _, err := run(t, written(t, "pages.jsonl", all), filepath.Join(t.TempDir(), "answers.jsonl"), m, asking)
	if err != nil || asker.asked != 2 || below.Load() != 1 || above.Load() != 1 {
		t.Errorf("%d asked, %d with the screenshot below, %d with it above, %v", asker.asked, below.Load(), above.Load(), err)
	}
}
