package pictures

import (
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/evidence"
)

// TestTheFirstFrameIsThePicture also without a smaller one; none lies outside the folder.
func TestTheFirstFrameIsThePicture(t *testing.T) {
	for _, c := range []struct {
		file, thumb, small string
		ok                 bool
	}{
		{"frames/a.png", "thumbs/a.jpg", "thumbs/a.jpg", true},
		{"frames/a.png", "", "frames/a.png", true},
		{"../a.png", "", "", false},
		{"frames/a.png", "../a.jpg", "", false},
		{"", "", "", false},
	} {
		dir := t.TempDir()
		ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema, Views: []vitrine.View{{Route: "/", Thumb: c.thumb, Frames: []vitrine.Frame{{File: c.file}}}}}
		if err := evidence.Save(dir, ev); err != nil {
			t.Fatal(err)
		}
		found, ok := seen(dir)
		if ok != c.ok || ok && (found != Picture{filepath.Join(dir, c.file), filepath.Join(dir, c.small)}) {
			t.Errorf("%+v: %+v, %v", c, found, ok)
		}
	}
}
