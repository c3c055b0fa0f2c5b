package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/meta"
	"vitrine/internal/runs"
	"vitrine/internal/stats"
)

// vitrineSays runs a command in this process.
func vitrineSays(t *testing.T, args ...string) (code int, out, talk string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), args, state{in: strings.NewReader(""), out: &stdout, err: &stderr, getenv: func(string) string { return "" }})
	return code, stdout.String(), stderr.String()
}

// drawnPage is a screenshot with a picture on top and n lines of text: the more
// text, the busier.
func drawnPage(n int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 320, 240))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(0, 0, 320, 100-2*n), image.NewUniform(color.RGBA{40, 90, 160, 255}), image.Point{}, draw.Src)
	for line := range n {
		for word := range 40 {
			x, y := 8+word*7, 105+line*3
			draw.Draw(img, image.Rect(x, y, x+5, y+2), image.Black, image.Point{}, draw.Src)
		}
	}
	return img
}

// ratedImages writes n pages and ratings that fall with the text on them.
func ratedImages(t *testing.T, n int) (ratings string) {
	t.Helper()
	dir := t.TempDir()
	var file strings.Builder
	file.WriteString("image,score,group\n")
	for i := range n {
		name := fmt.Sprintf("page-%d.png", i)
		var b bytes.Buffer
		if err := png.Encode(&b, drawnPage(i%37)); err != nil {
			t.Fatal(err)
		}
		mustWrite(t, filepath.Join(dir, name), b.Bytes())
		fmt.Fprintf(&file, "%s,%.2f,%s\n", name, 9-float64(i%37)/5+0.3*float64(i%3), []string{"even", "odd"}[i%2])
	}
	ratings = filepath.Join(dir, "ratings.csv")
	mustWrite(t, ratings, []byte(file.String()))
	return ratings
}

func mustWrite(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// withoutGroups takes the last column off, so that ten folds can be made.
func withoutGroups(t *testing.T, ratings string) {
	t.Helper()
	b, err := os.ReadFile(ratings)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []string{",group", ",even", ",odd"} {
		b = bytes.ReplaceAll(b, []byte(g), nil)
	}
	mustWrite(t, ratings, b)
}

func TestCalibrateImagesAndUseTheCalibration(t *testing.T) {
	ratings := ratedImages(t, 40)
	withoutGroups(t, ratings)
	calibration := filepath.Join(t.TempDir(), "calibration.yaml")
	code, out, talk := vitrineSays(t, "judge", "calibrate", "--ratings", ratings, "--out", calibration, "--folds", "5", "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	var said struct {
		Calibration calibrate.Calibration
		Unreadable  []meta.Unreadable
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatal(err)
	}
	if p := said.Calibration; p.FittedOn.Count != 40 || p.Folds != 5 || p.Calibrated.Pearson == nil || p.Calibrated.Pearson.Value < 0.8 || len(said.Unreadable) != 0 {
		t.Errorf("calibration %+v, unreadable %v", p, said.Unreadable)
	}
	if !strings.Contains(talk, "judged 40/40") || !strings.Contains(talk, "fitted 6/6") {
		t.Errorf("no progress in %q", talk)
	}
	first, err := os.ReadFile(calibration)
	if err != nil {
		t.Fatal(err)
	}
	if code, out, talk = vitrineSays(t, "judge", "calibrate", "--ratings", ratings, "--out", calibration, "--folds", "5"); code != 0 || !strings.Contains(out, "hand-set") || !strings.Contains(out, "calibrated, out of fold") {
		t.Fatalf("exit code %d: %s\n%s", code, out, talk)
	}
	if again, err := os.ReadFile(calibration); err != nil || !bytes.Equal(first, again) {
		t.Errorf("the same ratings gave another calibration (%v)", err)
	}
	code, out, talk = vitrineSays(t, "judge", "agree", "--ratings", ratings, "--calibration", calibration, "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	if got := agreementOf(t, out, "", "calibrated"); got.N != 40 || got.Pearson == nil || got.Pearson.Value < 0.8 {
		t.Errorf("calibrated agrees by %+v", got)
	}
}

func agreementOf(t *testing.T, out, group, score string) stats.Agreement {
	t.Helper()
	var said struct{ Groups []meta.GroupAgreement }
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatal(err)
	}
	for _, g := range said.Groups {
		if g.Group == group {
			return g.Scores[score]
		}
	}
	t.Fatalf("no group %q in %s", group, out)
	return stats.Agreement{}
}

func TestAgreeByGroup(t *testing.T) {
	ratings := ratedImages(t, 40)
	_, out, _ := vitrineSays(t, "judge", "agree", "--ratings", ratings, "--json")
	if n := agreementOf(t, out, "odd", "aesthetics").N; n != 20 {
		t.Errorf("the group odd has %d, want 20", n)
	}
	code, out, _ := vitrineSays(t, "judge", "agree", "--ratings", ratings)
	if code != 0 || !strings.Contains(out, "even   aesthetics  20") {
		t.Errorf("exit code %d, table\n%s", code, out)
	}
}

func TestFewBrokenImagesAreNamedAndLeftOut(t *testing.T) {
	ratings := ratedImages(t, 40)
	withoutGroups(t, ratings)
	dir := filepath.Dir(ratings)
	mustWrite(t, filepath.Join(dir, "page-3.png"), []byte("no image"))
	var b bytes.Buffer
	if err := png.Encode(&b, drawnPage(4)); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(dir, "page-4.png"), b.Bytes()[:b.Len()/2])
	code, out, talk := vitrineSays(t, "judge", "calibrate", "--ratings", ratings, "--out", filepath.Join(dir, "p.yaml"), "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	var said struct{ Unreadable []meta.Unreadable }
	if err := json.Unmarshal([]byte(out), &said); err != nil || len(said.Unreadable) != 2 || said.Unreadable[0].Name != "page-3.png" || said.Unreadable[0].Line != 5 {
		t.Errorf("unreadable %+v (%v)", said.Unreadable, err)
	}
	if !strings.Contains(talk, "skipped line 6, page-4.png: the picture is damaged") {
		t.Errorf("talk %q", talk)
	}
	for i := range 5 {
		mustWrite(t, filepath.Join(dir, fmt.Sprintf("page-%d.png", i)), nil)
	}
	code, _, talk = vitrineSays(t, "judge", "calibrate", "--ratings", ratings, "--out", filepath.Join(dir, "p.yaml"))
	if code != exitUsage || !strings.Contains(talk, "5 of 40 rated sites cannot be read, the first is page-0.png") {
		t.Errorf("exit code %d: %s", code, talk)
	}
}

func TestJPEGIsAnImage(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawnPage(5), nil); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(dir, "a.jpg"), b.Bytes())
	mustWrite(t, filepath.Join(dir, "r.csv"), []byte("image,score\na.jpg,3\n"))
	code, out, talk := vitrineSays(t, "judge", "agree", "--ratings", filepath.Join(dir, "r.csv"), "--json")
	if a := agreementOf(t, out, "", "aesthetics"); code != 0 || a.N != 1 || a.Pearson != nil {
		t.Errorf("exit code %d, agreement %+v: %s", code, a, talk)
	}
}

// ratedRun is a run folder of valid, invalid and unjudged samples, with ratings.
func ratedRun(t *testing.T) (dir, ratings string) {
	t.Helper()
	dir = t.TempDir()
	r, err := runs.Create(dir, runs.Header{})
	if err != nil {
		t.Fatal(err)
	}
	file := "id,score\n"
	for i := range 12 {
		id := fmt.Sprintf("s%d", i)
		reward := float64(i)
		s := vitrine.Sample{ID: id, Status: "scored", Reward: &reward, Evidence: "evidence/" + id}
		ev := vitrine.Evidence{Schema: vitrine.EvidenceSchema, Validity: vitrine.Validity{Valid: i > 0}}
		if i > 0 {
			ev.Views = []vitrine.View{{Route: "/", Viewport: vitrine.Desktop, Validity: vitrine.Validity{Valid: true}, PageWidth: 1280, PageHeight: 800, HasViewport: true,
				Links: make([]vitrine.Link, i)}}
		}
		if i == 11 {
			s.Evidence, s.Reward = "", nil
		} else {
			mustWrite(t, filepath.Join(dir, "evidence", id, ".keep"), nil)
			if err := evidence.Save(filepath.Join(dir, "evidence", id), &ev); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Append(s); err != nil {
			t.Fatal(err)
		}
		file += fmt.Sprintf("%s,%d\n", id, i)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	ratings = filepath.Join(t.TempDir(), "ratings.csv")
	mustWrite(t, ratings, []byte(file))
	return dir, ratings
}

func TestAgreeWithARun(t *testing.T) {
	dir, ratings := ratedRun(t)
	code, out, talk := vitrineSays(t, "judge", "agree", "--ratings", ratings, "--run", dir, "--json")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, talk)
	}
	if a := agreementOf(t, out, "", "reward"); a.N != 11 || a.Kendall.Value != 1 {
		t.Errorf("rewards agree by %+v, want 11 in the same order", a)
	}
	if a := agreementOf(t, out, "", "total"); a.N != 11 {
		t.Errorf("%d totals, want 11: an invalid render counts", a.N)
	}
	if !strings.Contains(talk, "skipped line 13, s11: the run has no evidence of it") {
		t.Errorf("talk %q", talk)
	}
}

func TestCalibrateAndAgreeRefuse(t *testing.T) {
	ratings := ratedImages(t, 40)
	dir := filepath.Dir(ratings)
	write := func(name, content string) string {
		mustWrite(t, filepath.Join(dir, name), []byte(content))
		return filepath.Join(dir, name)
	}
	few := write("few.csv", "image,score\npage-1.png,1\npage-2.png,2\n")
	ids := write("ids.csv", "id,score\na,1\n")
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no ratings":             {[]string{"calibrate"}, "--ratings is missing"},
		"agree, no ratings":      {[]string{"agree"}, "want one of --ratings"},
		"missing file":           {[]string{"calibrate", "--ratings", "nowhere.csv"}, "cannot read nowhere.csv"},
		"a folder":               {[]string{"calibrate", "--ratings", dir}, "is a directory"},
		"unknown column":         {[]string{"agree", "--ratings", write("c.csv", "image,stars\na,1\n")}, `no column "stars"`},
		"NaN":                    {[]string{"agree", "--ratings", write("n.csv", "image,score\na,NaN\n")}, "line 2: score"},
		"twice":                  {[]string{"agree", "--ratings", write("t.csv", "image,score\na,1\na,1\n")}, "rates a again"},
		"few":                    {[]string{"calibrate", "--ratings", few}, "2 ratings to fit on, want at least 30"},
		"constant":               {[]string{"calibrate", "--ratings", write("k.csv", constantRatings(40))}, "all ratings are 4"},
		"groups for folds":       {[]string{"calibrate", "--ratings", ratings}, "2 groups for 10 folds"},
		"one fold":               {[]string{"calibrate", "--ratings", ratings, "--folds", "1"}, "--folds: want 2 or more"},
		"ids without a run":      {[]string{"calibrate", "--ratings", ids}, "--run goes with the column id"},
		"a run without ids":      {[]string{"agree", "--ratings", ratings, "--run", dir}, "--run goes with the column id"},
		"no run":                 {[]string{"agree", "--ratings", ids, "--run", dir}, "is not a run folder"},
		"missing calibration":    {[]string{"agree", "--ratings", ratings, "--calibration", "nowhere.yaml"}, "cannot read nowhere.yaml"},
		"no calibration":         {[]string{"agree", "--ratings", ratings, "--calibration", few}, "is not a calibration for pixels@"},
		"unwritable calibration": {[]string{"calibrate", "--ratings", ratings, "--folds", "2", "--out", filepath.Join(few, "p.yaml")}, "--out: cannot write"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, talk := vitrineSays(t, append([]string{"judge"}, tt.args...)...)
			if code == 0 || out != "" || !strings.Contains(talk, tt.want) || !strings.Contains(talk, "\n  fix  ") || strings.Contains(talk, "judged ") {
				t.Errorf("exit code %d, said %q and %q, want %q and a fix before anything is judged", code, out, talk, tt.want)
			}
		})
	}
}

func constantRatings(n int) string {
	file := "image,score\n"
	for i := range n {
		file += fmt.Sprintf("page-%d.png,4\n", i)
	}
	return file
}
