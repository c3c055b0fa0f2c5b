package interact

import (
	"testing"

	"vitrine"
)

// However much a page prints, what else it does is kept.
func TestLinesOfTheConsoleTakeNoRoomFromDialogs(t *testing.T) {
	r := &recorder{}
	for range 2 {
		for range 2 * maxLines {
			r.add(record{Console: "log: x"})
		}
		r.add(record{Dialog: &vitrine.Dialog{Text: "Saved"}})
		if all := r.since(0); len(all) != maxLines+1 || all[maxLines].Dialog == nil {
			t.Errorf("%d are kept, the last of them %+v", len(all), all[len(all)-1])
		}
		r.reset()
	}
}
