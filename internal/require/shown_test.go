package require

import (
	"slices"
	"strings"
	"testing"

	"vitrine"
)

// What is only shown, drawn, denied or to be built is not asked of who operates the site.
func TestWhatIsNotToBeOperated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Make a report page for a bridge: a line chart of cyclists per day, a bar chart by hour and three key figures.":                "chart shown",
		"A page with a bar chart of sales per month and total revenue.":                                                                "chart shown",
		"A page with a bar chart of sales per month. Users can filter it by region.":                                                   "chart filter",
		"Make a report page about the harvest with three key figures and a short summary.":                                             "",
		"Make a simple personal website for Ada, a translator.":                                                                        "nav",
		"A single-page, responsive Markdown formatter.":                                                                                "calculate",
		"Create a cloth simulation: a grid of points that react to gravity. Drag the cloth with the mouse.":                            "live scene",
		"Create an interactive fireworks display. A click launches a rocket that bursts into particles with gravity and drag physics.": "scene",
		"Create a falling sand simulation in which stones stay still without changing size, shape, or merging.":                        "live scene",
		"A blog without ads and with search.":                                                                                          "detail list nav search",
		"A page with a list of parts suppliers.":                                                                                       "list",
		"A page titled Fruit. It lists Kiwi, Lemon and Pear.":                                                                          "list of Kiwi Lemon Pear",
		"A list of spices that begins with Clove and Black Pepper. A text field and a button add another one.":                         "create list of Clove Black Pepper",
	} {
		var got []string
		for _, q := range Read(text, nil, "").Behaviors {
			name := string(q.Behavior)
			if q.Shown {
				name += " shown"
			}
			if q.Behavior == vitrine.BehaviorList && len(q.Values) > 0 {
				name += " of " + strings.Join(q.Values, " ")
			}
			got = append(got, name)
		}
		slices.Sort(got)
		if all := strings.Join(slices.Compact(got), " "); all != want {
			t.Errorf("%s: got %q, want %q", text, all, want)
		}
	}
}
