package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestSpreadAndMedian(t *testing.T) {
	t.Parallel()
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for n, want := range map[int][]int{0: all, 3: {0, 3, 6}, 5: {0, 2, 4, 6, 8}, 10: all, 11: all} {
		if diff := cmp.Diff(want, spread(all, n)); diff != "" {
			t.Errorf("%d of 10: %s", n, diff)
		}
	}
	for _, test := range []struct {
		all  []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(test.all); got != test.want {
			t.Errorf("median of %v is %v", test.all, got)
		}
	}
}

func frame(t *testing.T, w, h int, dots ...image.Point) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for _, p := range dots {
		img.Set(p.X, p.Y, color.White)
	}
	var b bytes.Buffer
	name := filepath.Join(t.TempDir(), "frame.png")
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, other string
		share       float64
		box         string
	}{
		{"the same", frame(t, 10, 10), 0, "0x0+0+0"},
		{"two dots", frame(t, 10, 10, image.Pt(2, 3), image.Pt(5, 4)), 0.02, "4x2+2+3"},
		{"taller", frame(t, 10, 20), 0.5, "10x10+0+10"},
	} {
		share, box, err := compare(frame(t, 10, 10), test.other)
		if err != nil || share != test.share || box != test.box {
			t.Errorf("%s: %v %s %v, want %v %s", test.name, share, box, err, test.share, test.box)
		}
	}
}

func TestVariedPagesDiffer(t *testing.T) {
	t.Parallel()
	o := vitrine.Output{ID: "a", Text: "<body><p>Tea</p></body></html>"}
	a, b := varied(o, 1), varied(o, 2)
	if a.ID == b.ID || a.Text == b.Text || !strings.HasSuffix(a.Text, "</body></html>") {
		t.Errorf("got %+v and %+v", a, b)
	}
}

// What a way's children use counts, and what it did before it was ready does not.
func TestMeasure(t *testing.T) {
	script := func(text string) *exec.Cmd { return exec.CommandContext(t.Context(), "sh", "-c", text) }
	r, err := measure(context.Background(), script(`echo '{"event":"ready"}'
		(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done)
		echo '{"id":"a","ms":5,"ok":true}'; echo '{"id":"b","ms":1,"ok":false,"error":"broken"}'; echo '{"event":"done"}'`))
	if err != nil || r.CPU <= 0 || r.Seconds <= 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	if diff := cmp.Diff(round{MS: []float64{5}, Failed: []string{"b: broken"}}, round{MS: r.MS, Failed: r.Failed}); diff != "" {
		t.Error(diff)
	}
	if _, err := measure(context.Background(), script(`echo '{"event":"ready"}'`)); err == nil {
		t.Error("a way that broke off is no error")
	}
}

// A process that runs is left over; one that was killed soon is not, though nobody has
// waited for it yet.
func TestLeftOver(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if left := leftOver(0); len(left) != 1 || left[cmd.Process.Pid] == "" {
		t.Errorf("left over are %v, want %d alone", left, cmd.Process.Pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if left := leftOver(time.Minute); len(left) > 0 {
		t.Errorf("left over are %v", left)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended by itself")
	}
}
