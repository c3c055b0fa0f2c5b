package require

import (
	"slices"
	"strings"
	"testing"

	"vitrine"
)

func TestOneScreenIsAskedForNoNavigation(t *testing.T) {
	for text, want := range map[string]string{
		"Create a website for a bakery.":                                 "nav",
		"Build a portal for a town library.":                             "nav",
		"Build an online store for lamps.":                               "cart list detail nav",
		"Create a website for a law firm with its services and contact.": "nav list submit",
		"请做一个网站，介绍茶文化。":                                                  "nav",
		"Create a one-page site for a yoga studio with classes.":         "list",
		"A landing page for a coffee subscription.":                      "",
		"A page about the history of tea.":                               "",
		"Make a timetable of trains in one HTML page.":                   "",
		"Draw an SVG of a lighthouse at night.":                          "",
		"Design a poster for a jazz festival with songs.":                "",
		"Make a unit converter.":                                         "calculate",
		"A counter that starts at 0; a button adds 1.":                   "aggregate",
		"Make a portal of games.":                                        "game",
		"Make a website for games such as tetris and pong.":              "game",
		"A page titled Games with two tabs, Bingo and Chess.":            "panels",
		"A page titled Tools with a card for Plane: name and price.":     "",
		"A page titled Garden Flowers with a card for Rose.":             "",
		"Make a tip calculator: press Calculate and it shows the total.": "calculate",
	} {
		var got []string
		for _, r := range Read(text, nil, "").Behaviors {
			got = append(got, string(r.Behavior))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

func TestOneScreenInItsWords(t *testing.T) {
	for text, want := range map[string]string{
		"A habit planner in one page: add habits, tick them off, tabs for this week and last week.":                                     "create habit|status habit|panels week",
		"Make an app to keep track of daily spending: a form to add an entry with amount and category, a list of entries, and a total.": "create entry|list entry|aggregate",
		"A gym site with a booking panel that shows the chosen class and takes a name and an e-mail address.":                           "submit",
		"A help page with a list of common questions that open and close.":                                                              "list question|panels",
		"Make a pricing page with three plans and a switch between monthly and yearly prices.":                                          "setting",
		"A product card for a kettle: name, price and a short text.":                                                                    "",
		"A list of birds. A text field and a button add another one.":                                                                   "list bird|create",
		"A form where people enter a name and get a thank-you message.":                                                                 "submit",
		"Results should be listed, sorted by price and exported.":                                                                       "list result|order result|export result",
		"Could you create a dialog that unfolds?":                                                                                       "panels",
		"Create a 3D globe with floating islands.":                                                                                      "scene",
		"Build a tracker for birds. Users can track birds.":                                                                             "create bird",
		"Make a tool that tests website performance.":                                                                                   "report website performance",
		"Create a virtual 3D world where players can explore.":                                                                          "scene|game",
		"Create a platform for booking airline tickets.":                                                                                "submit airline ticket",
	} {
		if got := strings.Join(asked(Read(text, nil, "")), "|"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Who manages things may delete them; a store has a cart: neither was asked for in words.
func TestWhatIsOnlySuggestedWeighsLittle(t *testing.T) {
	for text, want := range map[string]vitrine.Behavior{
		"A tool that lets teachers manage pupils.": vitrine.BehaviorDelete,
		"Build an online store for lamps.":         vitrine.BehaviorCart,
	} {
		list := Read(text, nil, "").Behaviors
		i := slices.IndexFunc(list, func(r vitrine.Requirement) bool { return r.Behavior == want })
		if i < 0 || !slices.Equal(list[i].Cues, []string{"kind"}) || list[i].Weight != 0.4 {
			t.Errorf("%s: %+v", text, list)
		}
	}
}

func TestOpenInstructionsSayNotWhatIsToBeDone(t *testing.T) {
	for text, want := range map[string]bool{
		"Design the interface of a mail program.": true,
		"Create a website for a bakery.":          true, // navigation is a default
		"A page about the history of tea.":        true,
		"Design the interface of a music player.": false, // it plays
		"A todo list.":                                                                          false,
		"Draw an SVG of a lighthouse at night.":                                                 false,
		"Design a poster for a jazz festival.":                                                  false,
		"A scene in which leaves fall from a tree":                                              false,
		"Generate this mail interface in HTML, CSS and JavaScript.":                             true,
		"A landing page for a bakery, clean and modern.":                                        true,
		"A landing page with a clean, modern and simple look.":                                  true,
		"A brightly colored turtle.":                                                            false, // a picture
		"A page titled Fruit on a lavender background. It lists Kiwi, Lemon, Pear.":             false,
		"A page titled Rivers with a card for Tiber: name, price $4 and a short text about it.": false,
	} {
		if got := Open(text); got != want {
			t.Errorf("%s: open is %v, want %v", text, got, want)
		}
	}
}
