package measured

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// evidence is a valid render of one desktop view with these elements.
func evidence(es ...vitrine.Element) *vitrine.Evidence {
	valid := vitrine.Validity{Valid: true}
	return &vitrine.Evidence{Validity: valid, Views: []vitrine.View{{
		Route: "/", Viewport: vitrine.Desktop, Validity: valid, HasViewport: true,
		PageWidth: vitrine.Desktop.Width, PageHeight: vitrine.Desktop.Height, Elements: es,
	}}}
}

var black = vitrine.Color{A: 255}

// text is a paragraph of black 16 px letters on white, as wide as its words.
func text(words string, x, y float64) vitrine.Element {
	b := vitrine.Box{X: x, Y: y, W: 7.5 * float64(len(words)), H: 18}
	return vitrine.Element{
		Parent: -1, Tag: "p", Text: words, Box: b, TextBox: b,
		Style: vitrine.Style{Color: black, Backdrop: white, BackdropKnown: true, FontSize: 16, FontWeight: 400, Display: "block", Opacity: 1},
	}
}

// with changes a copy of an element.
func with(e vitrine.Element, change func(*vitrine.Element)) vitrine.Element {
	change(&e)
	return e
}

func finding(t *testing.T, ev *vitrine.Evidence, id string) vitrine.Finding {
	t.Helper()
	for _, f := range Judge(ev).Findings {
		if f.Check == id {
			return f
		}
	}
	t.Fatalf("no finding of %s", id)
	return vitrine.Finding{}
}

// wellFormed holds what every judgement promises.
func wellFormed(t *testing.T, j vitrine.Judgement) {
	t.Helper()
	var ids []string
	for _, f := range j.Findings {
		ids = append(ids, f.Check)
		if (f.Status == vitrine.StatusScored) != (f.Score != nil) {
			t.Errorf("%s: status %s with score %v", f.Check, f.Status, f.Score)
		}
		if f.Score != nil && !(*f.Score >= 0 && *f.Score <= 1) {
			t.Errorf("%s: score %v is not in [0,1]", f.Check, *f.Score)
		}
		if !strings.HasSuffix(f.Why, ".") || strings.Contains(f.Why, "%!") {
			t.Errorf("%s: %q is no sentence", f.Check, f.Why)
		}
		if len(f.Where) > maxPlaces {
			t.Errorf("%s: %d places", f.Check, len(f.Where))
		}
	}
	if diff := cmp.Diff(Checks(), ids); diff != "" {
		t.Errorf("findings are not the panel (-panel +findings):\n%s", diff)
	}
	for name, most := range map[string]float64{"appearance": 5, "alignment": 40, "aesthetics": 30, "structure": 30, "total": 100, "content": 1} {
		if s, ok := j.Scores[name]; ok && !(s >= 0 && s <= most) {
			t.Errorf("%s is %v, want 0 to %v", name, s, most)
		}
	}
}

func TestOddEvidence(t *testing.T) {
	nan := math.NaN()
	odd := with(text("odd", 0, 0), func(e *vitrine.Element) {
		e.Box, e.TextBox, e.Style.FontSize = vitrine.Box{X: nan, W: math.Inf(1), H: 10}, vitrine.Box{W: nan, H: nan}, nan
	})
	flat := with(text("flat", 0, 0), func(e *vitrine.Element) { e.Box, e.TextBox = vitrine.Box{}, vitrine.Box{} })
	wild := with(text("wild", -5000, 1e9), func(e *vitrine.Element) { e.Parent, e.Box.W = 99, 1e12 })
	sizeless := evidence(text("a text", 0, 0))
	sizeless.Views[0].Viewport, sizeless.Views[0].PageWidth, sizeless.Views[0].PageHeight = vitrine.Viewport{}, 0, 0
	torn := evidence(text("a text", 0, 0))
	torn.Views[0].Raster = vitrine.Raster{Cols: 64, Rows: 40, Ink: []byte{1}}
	for name, ev := range map[string]*vitrine.Evidence{
		"nil": nil, "zero": {}, "no views": {Validity: vitrine.Validity{Valid: true}}, "no elements": evidence(),
		"not numbers": evidence(odd), "zero size": evidence(flat), "far away": evidence(wild), "no sizes": sizeless, "short raster": torn,
	} {
		t.Run(name, func(t *testing.T) { wellFormed(t, Judge(ev)) })
	}
}

func TestInvalidRender(t *testing.T) {
	tests := map[string]struct {
		validity vitrine.Validity
		scored   []string
	}{
		"blank":   {vitrine.Validity{Reason: vitrine.InvalidBlank, Why: "the whole picture has one colour"}, []string{"blank"}},
		"overlay": {vitrine.Validity{Reason: vitrine.InvalidErrorOverlay}, []string{"blank", "error-overlay"}},
		"nothing": {vitrine.Validity{}, []string{"blank"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ev := evidence(text("left over", 0, 0))
			ev.Validity = tt.validity
			j := Judge(ev)
			wellFormed(t, j)
			want := map[string]float64{"appearance": 0, "alignment": 0, "aesthetics": 0, "structure": 0, "total": 0, "content": 0}
			if diff := cmp.Diff(want, j.Scores); diff != "" {
				t.Errorf("scores (-want +got):\n%s", diff)
			}
			var scored []string
			for _, f := range j.Findings {
				if f.Score != nil {
					scored = append(scored, f.Check)
				}
			}
			if diff := cmp.Diff(tt.scored, scored); diff != "" {
				t.Errorf("scored checks (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNothingMeasurableGivesNoScores(t *testing.T) {
	j := Judge(&vitrine.Evidence{Validity: vitrine.Validity{Valid: true}})
	if len(j.Scores) != 0 {
		t.Errorf("scores %v, want none", j.Scores)
	}
	if last := j.Unknown[len(j.Unknown)-1]; !strings.HasPrefix(last, "everything") {
		t.Errorf("unknown ends with %q", last)
	}
}

func TestWithoutInstructionAlignmentIsUnknown(t *testing.T) {
	j := Judge(evidence(text("Bread, baked at night", 100, 100)))
	for _, id := range []string{"requested-features", "requested-colors", "instruction-words"} {
		for _, f := range j.Findings {
			if f.Check == id && f.Status != vitrine.StatusNotApplicable {
				t.Errorf("%s is %s", id, f.Status)
			}
		}
	}
	if !strings.Contains(strings.Join(j.Unknown, "\n"), "alignment: no check of it applies") {
		t.Errorf("unknown %q does not name alignment", j.Unknown)
	}
	mean := (j.Scores["aesthetics"] + j.Scores["structure"]) / 2 / 30
	if got := j.Scores["alignment"] / 40; math.Abs(got-mean) > 0.001 {
		t.Errorf("alignment is %.3f of its scale, want the mean of the others, %.3f", got, mean)
	}
}

func TestSameEvidenceSameJudgement(t *testing.T) {
	ev := evidence(manyElements(400)...)
	ev.Instruction = "Create a dashboard with a chart, a table and a search bar in navy and white."
	first := Judge(ev)
	wellFormed(t, first)
	for range 5 {
		if diff := cmp.Diff(first, Judge(ev)); diff != "" {
			t.Fatalf("judged twice (-first +again):\n%s", diff)
		}
	}
}

// manyElements is a page of cards with headings, texts, links and buttons.
func manyElements(n int) []vitrine.Element {
	es := make([]vitrine.Element, 0, n)
	for i := range n {
		x, y := float64(i%8)*150, float64(i/8)*60
		e := text("Card number "+strings.Repeat("x", i%7), x, y)
		switch i % 4 {
		case 1:
			e.Tag, e.Style.FontSize = "h2", 20
		case 2:
			e.Tag, e.Interactive, e.Style.Radius = "button", true, 6
			e.Style.Background = vitrine.Color{R: uint8(i), G: 80, B: 160, A: 255}
		case 3:
			e.Parent, e.Style.Display = i-1, "inline"
		}
		es = append(es, e)
	}
	return es
}

// A pile in one place is the worst case of comparing pairs.
func TestPileOfElementsIsBounded(t *testing.T) {
	pile := manyElements(3000)
	for i := range pile {
		pile[i].Parent = -1
		pile[i].Box = vitrine.Box{W: 1200, H: 700}
		pile[i].TextBox = pile[i].Box
	}
	g, visits := grid{}, 0
	for i := range pile {
		g.near(pile[i].Box, func(int) { visits++ })
		g.add(i, pile[i].Box)
	}
	if most := len(pile) * maxNeighbours; visits > most {
		t.Errorf("%d comparisons of %d boxes, want at most %d", visits, len(pile), most)
	}
	wellFormed(t, Judge(evidence(pile...)))
}

func BenchmarkJudge(b *testing.B) {
	for name, es := range map[string][]vitrine.Element{"300": manyElements(300), "3000": manyElements(3000)} {
		ev := evidence(es...)
		ev.Views[0].PageHeight = 24000
		ev.Instruction = "Create a dashboard with a chart, a table and a search bar. Use white for the background and navy for components."
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Judge(ev)
			}
		})
	}
}
