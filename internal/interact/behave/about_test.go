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
}
