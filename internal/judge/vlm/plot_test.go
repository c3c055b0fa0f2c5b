package vlm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The model is shown the drawn plot first, then the true one, each by its name.
func TestAPlotIsHeldAgainstTheTrueOne(t *testing.T) {
	t.Parallel()
	s := says(right["plot"].answer)
	got, err := (&Judge{Asker: s, Settings: settings("plot")}).Judge(t.Context(), site())
	if err != nil || got.Scores["plot"] != 82 {
		t.Fatalf("got %v, %v", got.Scores, err)
	}
	if diff := cmp.Diff([]string{"/@desktop@0", "truth"}, pictures(s.asked[0])); diff != "" {
		t.Error(diff)
	}
	for _, words := range []string{"Screenshot 1 of the drawn plot", "Screenshot 1 of the true plot"} {
		if !strings.Contains(sent(s.asked[0]), words) {
			t.Errorf("the prompt lacks %q", words)
		}
	}
}

// By hand, of five tasks: one fails, one is not judged; 90, 75 and 60 are left, so that the
// mean is 225 / 4 and one of four is above 75.
func TestFiguresOfPlots(t *testing.T) {
	t.Parallel()
	of := func(x float64) *float64 { return &x }
	got, ok := FiguresOfPlots([]PlotResult{{Score: of(90)}, {Failed: true}, {Score: of(75)}, {}, {Score: of(60)}})
	if want := (PlotFigures{N: 5, Unjudged: 1, Errors: 0.2, Mean: 56.25, Good: 0.25}); !ok || got != want {
		t.Errorf("got %+v %v, want %+v", got, ok, want)
	}
	for _, none := range [][]PlotResult{nil, {{}}} {
		if got, ok := FiguresOfPlots(none); ok {
			t.Errorf("of %v: %+v", none, got)
		}
	}
	if got, ok := FiguresOfPlots([]PlotResult{{Failed: true}}); !ok || got != (PlotFigures{N: 1, Errors: 1}) {
		t.Errorf("of a failure alone: %+v %v", got, ok)
	}
}
