package pixels

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// A canvas is a page that a test draws.
type canvas struct{ *image.RGBA }

func blank(w, h int, ground color.Color) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, w, h))}
	c.fill(0, 0, w, h, ground)
	return c
}

func (c canvas) fill(x, y, w, h int, paint color.Color) {
	draw.Draw(c, image.Rect(x, y, x+w, y+h), image.NewUniform(paint), image.Point{}, draw.Src)
}

// lines sets dark marks in rows, as text looks from afar.
func (c canvas) lines(x, y, w, h int, ink color.Color) {
	for ly := y; ly+8 < y+h; ly += 14 {
		for lx := x; lx+5 < x+w; lx += 7 {
			c.fill(lx, ly, 2, 8, ink)
			c.fill(lx, ly+4, 4, 2, ink)
		}
	}
}

// photograph paints noise of many colours over soft waves.
func (c canvas) photograph(x0, y0, w, h int) {
	random := rand.New(rand.NewPCG(1, 0))
	for y := y0; y < y0+h; y++ {
		for x := x0; x < x0+w; x++ {
			wave := 128 + 70*math.Sin(float64(x)/40)*math.Cos(float64(y)/60)
			c.Set(x, y, color.RGBA{uint8(wave + 50*random.Float64()), uint8(wave - 40*random.Float64()), uint8(90 + 100*random.Float64()), 255})
		}
	}
}

var (
	white  = color.RGBA{255, 255, 255, 255}
	navy   = color.RGBA{30, 50, 90, 255}
	teal   = color.RGBA{40, 120, 130, 255}
	garish = color.RGBA{255, 0, 255, 255}
)

func score(t *testing.T, j vitrine.Judgement, id string) *float64 {
	t.Helper()
	for _, f := range j.Findings {
		if f.Check == id {
			return f.Score
		}
	}
	t.Fatalf("no check %s", id)
	return nil
}

// Each pair is a page that is better by the checks named, and one that is worse.
func TestChecksTellGoodFromBad(t *testing.T) {
	page := func(drawn func(canvas)) canvas {
		c := blank(1024, 768, white)
		drawn(c)
		return c
	}
	seen := map[string]bool{}
	for checks, pair := range map[string][2]canvas{
		"color,saturated": {page(func(c canvas) { c.fill(0, 0, 1024, 400, teal) }), page(func(c canvas) { c.fill(0, 0, 1024, 400, color.Gray{90}) })},
		"garish,pure-colors,muted": {page(func(c canvas) { c.fill(0, 0, 1024, 200, teal) }), page(func(c canvas) {
			c.fill(0, 0, 1024, 400, garish)
			c.fill(0, 400, 1024, 368, color.RGBA{0, 255, 0, 255})
		})},
		"link-blue":          {page(func(c canvas) { c.lines(50, 50, 900, 600, navy) }), page(func(c canvas) { c.lines(50, 50, 900, 600, color.RGBA{0, 0, 238, 255}) })},
		"ground,white,tones": {page(func(c canvas) { c.photograph(0, 0, 1024, 500) }), page(func(c canvas) { c.lines(50, 50, 300, 100, navy) })},
		"calm,simple,little-text,plain,few-texts": {page(func(c canvas) { c.lines(300, 300, 400, 60, navy) }), page(func(c canvas) {
			for y := range 12 {
				for x := range 16 {
					c.lines(x*64, y*64, 46, 46, navy)
				}
			}
		})},
		"photo,large-picture,entropy":   {page(func(c canvas) { c.photograph(0, 0, 1024, 400) }), page(func(c canvas) { c.lines(50, 50, 900, 600, navy) })},
		"relief,spread":                 {page(func(c canvas) { c.fill(0, 0, 1024, 384, navy) }), page(func(c canvas) { c.fill(0, 0, 1024, 384, color.Gray{235}) })},
		"balance,centred,symmetry,fill": {page(func(c canvas) { c.lines(200, 50, 624, 650, navy) }), page(func(c canvas) { c.lines(0, 50, 300, 650, navy) })},
		"contrast":                      {page(func(c canvas) { c.lines(50, 50, 900, 600, navy) }), page(func(c canvas) { c.lines(50, 50, 900, 600, color.Gray{170}) })},
		"bare,some-text,used,rich":      {page(func(c canvas) { c.lines(50, 50, 900, 300, navy) }), page(func(c canvas) { c.fill(500, 300, 40, 40, navy) })},
		"margins":                       {page(func(c canvas) { c.lines(160, 50, 700, 650, navy) }), page(func(c canvas) { c.lines(0, 0, 1024, 768, navy) })},
		"many-colors": {page(func(c canvas) {
			for i := range 20 {
				c.fill(50*i, 100, 50, 200, color.RGBA{uint8(12 * i), uint8(240 - 12*i), 128, 255})
			}
		}), page(func(canvas) {})},
		"few-colors,hues": {page(func(c canvas) { c.fill(0, 0, 1024, 200, teal) }), page(func(c canvas) {
			for i := range 48 {
				c.fill(21*i, 100, 21, 500, color.RGBA{uint8(90 * (i % 3)), uint8(60 * (i / 3 % 4)), uint8(60 * (i / 12)), 255})
			}
		})},
		"smooth": {page(func(c canvas) {
			for y := range 768 {
				c.fill(0, y, 1024, 1, color.Gray{uint8(y)})
			}
		}), page(func(c canvas) { c.lines(50, 50, 900, 600, navy) })},
		"lines": {page(func(c canvas) { c.fill(100, 50, 300, 300, navy); c.fill(100, 400, 300, 300, teal) }), page(func(c canvas) {
			for i := range 25 {
				c.fill(7+40*i, 20+25*i, 33, 60, navy)
			}
		})},
		"drawing": {page(func(c canvas) { c.fill(100, 50, 300, 300, navy) }), page(func(c canvas) {
			for y := range 40 {
				c.fill(0, 20*y, 1024, 1, navy)
			}
		})},
	} {
		better, worse := Judge(pair[0], nil), Judge(pair[1], nil)
		for id := range strings.SplitSeq(checks, ",") {
			seen[id] = true
			good, bad := score(t, better, id), score(t, worse, id)
			if good == nil || bad == nil || *good <= *bad {
				t.Errorf("%s: %v for the good page, %v for the bad one", id, say(good), say(bad))
			}
		}
	}
	for _, id := range Checks() {
		if !seen[id] {
			t.Errorf("no pair of pages for %s", id)
		}
	}
}

func say(s *float64) any {
	if s == nil {
		return "no score"
	}
	return *s
}

// wellFormed holds what every judgement promises.
func wellFormed(t *testing.T, j vitrine.Judgement) {
	t.Helper()
	for _, f := range j.Findings {
		if (f.Status == vitrine.StatusScored) != (f.Score != nil) || f.Score != nil && !(*f.Score >= 0 && *f.Score <= 1) {
			t.Errorf("%s: status %s, score %v", f.Check, f.Status, say(f.Score))
		}
		if !strings.HasSuffix(f.Why, ".") || strings.Contains(f.Why, "%!") || strings.Contains(f.Why, "NaN") {
			t.Errorf("%s: %q is no sentence", f.Check, f.Why)
		}
	}
	for name, most := range map[string]float64{"aesthetics": 30, "appearance": 5} {
		if s, ok := j.Scores[name]; ok && !(s >= 0 && s <= most) {
			t.Errorf("%s is %v, want 0 to %v", name, s, most)
		}
	}
}

func TestOddImages(t *testing.T) {
	shifted := blank(900, 700, navy).SubImage(image.Rect(33, 21, 700, 600))
	for name, img := range map[string]image.Image{
		"white": blank(800, 600, white), "black": blank(800, 600, color.Black), "see-through": image.NewRGBA(image.Rect(0, 0, 800, 600)),
		"grey": image.NewGray(image.Rect(0, 0, 800, 600)), "not at the origin": shifted, "very tall": blank(200, 9000, teal),
		"very wide": blank(5000, 40, teal), "smallest": blank(32, 32, teal), "of a phone": blank(1170, 2532, teal),
	} {
		t.Run(name, func(t *testing.T) { wellFormed(t, Judge(img, nil)) })
	}
	for name, img := range map[string]image.Image{"empty": image.NewRGBA(image.Rectangle{}), "a dot": blank(1, 1, white), "a strip": blank(800, 20, white), "too wide to see": blank(9000, 40, teal)} {
		t.Run(name, func(t *testing.T) {
			j := Judge(img, nil)
			if len(j.Scores) != 0 || len(j.Findings) != 0 || !strings.HasPrefix(j.Unknown[len(j.Unknown)-1], "everything") || !math.IsNaN(Hand(j)) {
				t.Errorf("judged %+v, want no score", j)
			}
		})
	}
}

func TestOnlyTheFirstScreenCounts(t *testing.T) {
	short, long := blank(800, 800, white), blank(800, 4000, white)
	for _, c := range []canvas{short, long} {
		c.lines(100, 100, 600, 500, navy)
	}
	long.photograph(0, 900, 800, 1000)
	if diff := cmp.Diff(Judge(short, nil), Judge(long, nil)); diff != "" {
		t.Errorf("what lies below the first screen counts:\n%s", diff)
	}
}

func TestSameImageSameJudgement(t *testing.T) {
	c := blank(1024, 768, white)
	c.photograph(100, 100, 500, 300)
	c.lines(100, 450, 700, 200, navy)
	first := Judge(c, nil)
	wellFormed(t, first)
	for range 3 {
		if diff := cmp.Diff(first, Judge(c, nil)); diff != "" {
			t.Fatalf("judged twice (-first +again):\n%s", diff)
		}
	}
}

func TestCalibration(t *testing.T) {
	c := blank(1024, 768, white)
	c.lines(100, 450, 700, 200, navy)
	p := &calibrate.Calibration{Judge: Name, FittedOn: calibrate.FittedOn{Low: 1, High: 9}, Intercept: 1, Hand: 8, Map: []calibrate.Point{{Sum: 1, Rating: 1}, {Sum: 9, Rating: 9}}}
	plain, fitted := Judge(c, nil), Judge(c, p)
	want := 1 + 8*plain.Scores["aesthetics"]/30
	if got := fitted.Scores["calibrated"]; math.Abs(got-want) > 0.01 {
		t.Errorf("rating %v, want %v", got, want)
	}
	if got := fitted.Scores["appearance"]; math.Abs(got-5*(want-1)/8) > 0.01 || fitted.Scores["aesthetics"] != plain.Scores["aesthetics"] {
		t.Errorf("scores %v with a calibration, %v without", fitted.Scores, plain.Scores)
	}
	if fitted.Judge == plain.Judge {
		t.Error("a calibration does not show in the judge's name")
	}
}

func BenchmarkJudge(b *testing.B) {
	c := blank(1280, 800, white)
	c.photograph(100, 100, 700, 300)
	c.lines(100, 450, 900, 300, navy)
	for b.Loop() {
		Judge(c, nil)
	}
}
