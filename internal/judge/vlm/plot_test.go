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
