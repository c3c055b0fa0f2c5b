package main

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/sandbox"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// The fixtures share one set of dependencies, so the registry is asked once.
func TestFixturesAreAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("installs packages and shows a dozen pages")
	}
	projects, err := readAll([]string{filepath.Join("..", "..", "testdata", "projects")})
	if err != nil || len(projects) < 3 {
		t.Fatalf("%d projects, %v", len(projects), err)
	}
	both, err := newPair(t.TempDir(), t.TempDir(), sandbox.Sandbox{})
	if err != nil {
		t.Fatal(err)
	}
	defer both.close()
	for _, p := range projects {
		r, err := both.compare(t.Context(), p)
		var fault *vitrine.Fault
		if errors.As(err, &fault) && slices.Contains([]vitrine.FaultCode{vitrine.FaultRegistry, vitrine.FaultInstallTimeout, vitrine.FaultNoNode, vitrine.FaultNoBrowser}, fault.Code) {
			t.Skipf("the fixtures cannot be installed and shown here: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Builder != "fast" || r.Verdict != alikeVerdict {
			t.Errorf("%s: built by %s (%s): %s; %.3f %% of %s differ; console %v", r.Project, r.Builder, r.Why, r.Verdict, 100*r.Differing, r.WorstRoute, r.Console)
		}
	}
}

func TestDiffering(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	draw := func(name string, w, h int, dots ...image.Point) string {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for i := range img.Pix {
			img.Pix[i] = 255
		}
		for _, d := range dots {
			img.Set(d.X, d.Y, color.RGBA{200, 0, 0, 255})
		}
		name = filepath.Join(dir, name)
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(png.Encode(f, img), f.Close()); err != nil {
			t.Fatal(err)
		}
		return name
	}
	plain := draw("plain.png", 10, 10)
	for name, test := range map[string]struct {
		other string
		want  float64
	}{
		"the same":      {draw("same.png", 10, 10), 0},
		"two dots":      {draw("dots.png", 10, 10, image.Pt(1, 1), image.Pt(9, 9)), 0.02},
		"one is taller": {draw("tall.png", 10, 20), 0.5},
	} {
		if got, err := differing(plain, test.other); err != nil || got != test.want {
			t.Errorf("%s: got %v, %v; want %v", name, got, err, test.want)
		}
	}
}
