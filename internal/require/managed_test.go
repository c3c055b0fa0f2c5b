package require

import (
	"strings"
	"testing"
)

func TestHowThingsAreManaged(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"how it is managed", "A site for readers. Readers should be able to manage their loans by extending or returning them, and view statistics.", "status loan|aggregate statistic"},
		{"how it is managed, in brackets", "A clinic app. Staff can manage appointments (complete, reschedule, or cancel), and view statistics.", "status appointment|edit appointment|aggregate statistic"},
		{"what is managed has parts in brackets", "Hosts can manage rooms (rate, type, capacity).", "create room|edit room|delete room"},
		{"managed in ways that are none", "Admins can manage orders by viewing order details.", "create order|edit order|delete order|detail order"},
		{"managed by a state", "Admins can manage orders by updating their status.", "status order"},
		{"a second thing that is managed", "Admins can manage products (add, edit, delete) and orders.", "create product|edit product|delete product|create order|edit order|delete order"},
		{"where one returns to", "Users can open a book and return to the book list.", ""},
		{"a part that is changed", "Guests can manage their bookings by changing the party size or cancelling.", "edit booking|status booking"},
		{"what is managed is a state", "Staff can manage the status on a board.", "status status"},
		{"verbs that begin a sentence", "A planner for beds. I need to add, rename and delete beds.", "create bed|edit bed|delete bed"},
		{"a clause of its own", "Friends can change or delete entries later, and it tells us who comes.", "edit entry|delete entry"},
		{"on behind a verb", "Users should be able to submit reports with a location, and comment on issues.", "create report|reply issue"},
		{"step by step", "Users can book places step by step.", "submit place"},
		{"a record of somebody", "Nurses can view a patient record.", "detail patient"},
	} {
		if got := strings.Join(asked(Read(c.text, nil, "")), "|"); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}
