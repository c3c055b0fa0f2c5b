package behave

import (
	"testing"

	"vitrine"
	"vitrine/internal/interact"
)

func TestAClockBesideASignMakesNoneOfAMine(t *testing.T) {
	t.Parallel()
	page := func(field string, lines ...string) *view {
		return &view{
			Scene:  &interact.Scene{Controls: []vitrine.Control{{Path: "#f", Name: field}}, Facts: []interact.Facts{{}}},
			survey: &interact.Survey{Lines: lines},
		}
	}
	before := page("·", "💣 2 ⏱ 0:01", "Wins: 0")
	said := func(texts ...string) vitrine.Step { return vitrine.Step{Effect: vitrine.Effect{Appeared: texts}} }
	for name, c := range map[string]struct {
		after *view
		step  vitrine.Step
		want  bool
	}{
		"the clock goes on":         {page("1", "💣 2 ⏱ 0:02"), said("💣 2 ⏱ 0:02"), false},
		"the counter alone":         {page("1", "💣 1 ⏱ 0:02"), said("💣 1"), false},
		"in the field":              {page("💣", "💣 2 ⏱ 0:02"), vitrine.Step{}, true},
		"in a row of the board":     {page("", "💣 2 ⏱ 0:02", "1 💣 2"), vitrine.Step{}, true},
		"for a moment":              {page("", "💣 2 ⏱ 0:02"), said("💥"), true},
		"in a dialog":               {page("", "💣 2 ⏱ 0:02"), vitrine.Step{Effect: vitrine.Effect{Dialogs: []vitrine.Dialog{{Text: "💥 Boom"}}}}, true},
		"another field beside them": {page("2", "💣 2 ⏱ 0:02", "2"), said("2"), false},
	} {
		if got := anew(before, c.after, c.step, "#f", mineSign); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if anew(before, page("", "💣 2 ⏱ 0:02", "Wins: 0"), vitrine.Step{}, "#f", wonGame) || !anew(before, page("", "You won in 12 seconds"), vitrine.Step{}, "#f", wonGame) {
		t.Error("a game is won by what was said before, or not by what is said then")
	}
}
