package behave

import (
	"testing"

	"vitrine"
)

// A form or a row is foreign where it names what another requirement is about, and nothing
// of the own one.
func TestForeignNamesWhatOtherRequirementsAreAbout(t *testing.T) {
	t.Parallel()
	telegram := vitrine.Requirement{ID: "r1", Verb: "send", Entity: "telegram", Quote: "send short telegrams"}
	sender := vitrine.Requirement{ID: "r2", Verb: "manage", Entity: "information", Quote: "manage sender information"}
	p := &prover{need: telegram, others: []vitrine.Requirement{telegram, sender}}
	for text, want := range map[string]bool{
		"Add sender": true, "Senders": true, "New telegram to a sender": false, "All entries": false, "": false, "Send": false,
	} {
		if got := p.foreign(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	deleted := vitrine.Requirement{ID: "r3", Verb: "delete", Entity: "card", Quote: "delete them"}
	dragged := vitrine.Requirement{ID: "r4", Verb: "move", Entity: "card", Quote: "Kanban board"}
	if p = (&prover{need: deleted, others: []vitrine.Requirement{deleted, dragged}}); p.foreign("board") {
		t.Error("the board of cards is of others than who deletes cards")
	}
}
