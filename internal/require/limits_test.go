package require

import (
	"slices"
	"testing"

	"vitrine"
)

// Limits of acts are read with their words; limits of layout, of text lengths and of votes are not read as such.
func TestLimitsAreReadInTheirWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"An app where members sign up for boats. A boat seats at most 6 people and the same member can't be entered twice.":  {"A boat seats at most 6 people", "the same member can't be entered twice."},
		"Track my pantry: add items, take items out. You can never take out more than there is.":                             {"You can never take out more than there is."},
		"A board where I add cards and move them. The Doing column holds only 3 cards.":                                      {"The Doing column holds only 3 cards."},
		"Lend books to pupils. A pupil can have at most 2 books at once, and a book that is out can't be lent again.":        {"A pupil can have at most 2 books at once", "a book that is out can't be lent again."},
		"Book a room for a slot and cancel bookings. No double bookings please.":                                             {"No double bookings please."},
		"Sell tickets, no more than 8 per order, and stop selling when the show is sold out.":                                {"no more than 8 per order", "stop selling when the show is sold out."},
		"Add expenses with an amount. Don't let me spend more than my budget of 500.":                                        {"Don't let me spend more than my budget of 500."},
		"Enter expenses, see the list. If an expense is bigger than what I still have left the page has to refuse it.":       {"If an expense is bigger than what I still have left the page has to refuse it."},
		"I add shifts of nurses. Nobody works two shifts on the same day, and with five shifts a nurse's week is full.":      {"Nobody works two shifts on the same day", "with five shifts a nurse's week is full."},
		"Book the washing machine. Two bookings per flat is the maximum, and a taken slot can't be given away again.":        {"Two bookings per flat is the maximum", "a taken slot can't be given away again."},
		"Add players to a squad. The same shirt number mustn't turn up for two players.":                                     {"The same shirt number mustn't turn up for two players."},
		"Enter items with their cost, tick them as paid. If something new would take us over the 8000 it must not be added.": {"If something new would take us over the 8000 it must not be added."},
		"A landing page with max 3 colors and no more than two fonts, with a contact form.":                                  nil,
		"A blog with at most 10 posts per page and comments up to 200 characters.":                                           nil,
		"Upload up to 5 images and show them in a gallery.":                                                                  nil,
		"Vote for the class pet. Everyone can vote only once per day.":                                                       nil,
		"A memory game in which the player has at most 10 turns.":                                                            nil,
		"A form to order buns. It must not accept more than 12 buns.":                                                        nil, // validation
		"Add drinks to a menu. Never use more than two fonts, and never use the same colour for two buttons.":                nil,
		"Add notes to a list. The list is never more than 80vh high, and the animation runs only once.":                      nil,
		"A page for our bakery, open at most six days a week, with a contact form.":                                          nil,
		"A boat seats 12 guests. Our trips are shown as cards, with a contact form.":                                         nil,
		"The hall holds 120 guests. A page that introduces our inn.":                                                         nil,
	} {
		var got []string
		for _, q := range Read(text, nil, "").Behaviors {
			if q.Behavior == vitrine.BehaviorLimit {
				got = append(got, q.Quote)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
