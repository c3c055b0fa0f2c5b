package measured

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestAskedColors(t *testing.T) {
	tests := map[string][]string{
		"Set the background color to white and the component color to navy.":                  {"white as background", "navy on components"},
		"Apply mint cream as the background; style all components with teal.":                 {"mint cream as background", "teal on components"},
		"Configure the background color to honeydew, with components using dark olive green.": {"honeydew as background", "dark olive green on components"},
		"Style all pages with a light cyan background and cadet blue components.":             {"light cyan as background", "cadet blue on components"},
		"Specify beige as the base color and saddle brown for all components.":                {"beige as background", "saddle brown on components"},
		"Use a black and turquoise color scheme.":                                             {"black somewhere", "turquoise somewhere"},
		"The header should be #0a2540 with #fff text.":                                        {"#0a2540 on components", "#ffffff on components"},
		"Players manage gold, iron, wheat and wood.":                                          nil,
		"A site with an interactive black hole theme and yellow taxis.":                       nil,
		"Use a green background, no red buttons.":                                             {"green as background"},
	}
	for text, want := range tests {
		var got []string
		for _, a := range askedColors(text) {
			got = append(got, a.name+" "+string(a.role))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestTopicsAreNoActs(t *testing.T) {
	tests := map[string][]string{
		"A to-do list where I can add tasks, mark them as done and delete them; it is still there after a reload.": nil,
		"A catalogue of books: remove a book, undo that, and keep the shelves.":                                    {"catalogue", "books", "shelves"},
	}
	for text, want := range tests {
		if diff := cmp.Diff(want, parseRequest(text).topics()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestLikeness(t *testing.T) {
	color := func(hex string) lab {
		var c vitrine.Color
		if err := c.UnmarshalText([]byte(hex)); err != nil {
			t.Fatal(err)
		}
		return toLab(c)
	}
	ask := func(name string) colorAsk {
		a, _ := colorAt(words(name))
		return a
	}
	tests := []struct {
		asked, shown string
		least, most  float64
	}{
		{"navy", "#000080", 1, 1},
		{"navy", "#1e3a8a", 0.5, 0.95}, // the navy of a common palette
		{"navy", "#dc2626", 0, 0},
		{"blue", "#2563eb", 0.9, 1}, // an everyday word: any blue
		{"blue", "#16a34a", 0, 0.1},
		{"white", "#fafafa", 0.9, 1},
		{"white", "#111111", 0, 0},
		{"ivory", "#ffffff", 0.3, 0.9}, // near, but not what was asked for
		{"black", "#111827", 0.7, 1},
	}
	for _, tt := range tests {
		if got := ask(tt.asked).likeness(color(tt.shown)); got < tt.least || got > tt.most {
			t.Errorf("%s as %s: likeness %.2f, want %.2f to %.2f", tt.asked, tt.shown, got, tt.least, tt.most)
		}
	}
}

func TestAskedFeatures(t *testing.T) {
	tests := map[string][]string{
		"The website should have a search bar, a contact form and a data table.":        {"search", "form", "table", "contact"},
		"No login or sign up is needed, only a pricing page.":                           {"pricing"},
		"Do not use a carousel. Include a footer.":                                      {"footer"},
		"A research platform that transforms the form of news.":                         {"news"},
		"Books about roadmaps and basketball video games at a round table.":             nil,
		"Generate accurate and professional replies and include comments in your code.": nil,
		"A shopping cart with checkout, filtering and sorting of products by category.": {"cart", "filter", "sort"},
		"Not only a chat but also a calendar.":                                          {"calendar", "chat"},
		"Users can vote in polls, see a leaderboard, and switch to dark mode.":          {"dark theme", "leaderboard", "voting"},
		"Enjoy a slice of pizza.":                                                       nil,
	}
	for text, want := range tests {
		r := parseRequest(text)
		var got []string
		for i := range features {
			if r.wants(phrases(features[i].ask, singular), phrases(features[i].except, singular)) {
				got = append(got, features[i].name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestStem(t *testing.T) {
	for _, group := range [][]string{
		{"search", "searches", "searching", "searched"}, {"category", "categories"}, {"shop", "shops", "shopping"},
		{"house", "houses"}, {"box", "boxes"}, {"schedule", "scheduling", "schedules"}, {"news"}, {"canvas"},
	} {
		for _, w := range group {
			if got := stem(w); got != stem(group[0]) {
				t.Errorf("stem(%q) = %q, but stem(%q) = %q", w, got, group[0], stem(group[0]))
			}
		}
	}
	if stem("new") == stem("news") || stem("card") == stem("care") {
		t.Error("different words have one stem")
	}
}
