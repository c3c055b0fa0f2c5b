package answers

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// The shipped answers of behave are of the shipped labels: who labelled is a reader of the
// same label, and each answer is about a pair that counts.
func TestShippedAnswersOfBehaveFitTheLabels(t *testing.T) {
	const folder = "../../../testdata/truth/"
	raw, err := os.ReadFile(folder + "pages.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(folder + "behave.jsonl")
	if err != nil || len(s.Notes) > 0 {
		t.Fatalf("%v, %q", err, s.Notes)
	}
	items := map[string]*item{}
	for _, i := range s.questions[0].items {
		items[i.ID] = i
	}
	for line := range bytes.Lines(raw) {
		var l struct {
			Page, Behavior, Label, Readers string
			Outside                        bool `json:"cannot_check_offline"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		i := items[l.Page+"#"+l.Behavior]
		delete(items, l.Page+"#"+l.Behavior)
		works := Bool(l.Label == "works")
		switch {
		case i == nil || i.Task != l.Page:
			t.Errorf("of %s %s there is nothing", l.Page, l.Behavior)
		case l.Outside && (i.truth() != nil || len(i.answers) > 0):
			t.Errorf("%s is settled, and its readers differ", i.ID)
		case l.Outside:
		case !equal(i.truth(), works) || len(i.answers) != 2 || (l.Readers == "AB") != (len(i.labels) == 2):
			t.Errorf("%s is %v by %d readers, want %v by %s, with two answers", i.ID, i.truth(), len(i.labels), works, l.Readers)
		}
	}
	if len(items) > 0 {
		t.Errorf("%d items have no label", len(items))
	}
}
