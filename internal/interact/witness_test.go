package interact

import (
	"testing"

	"vitrine"
)

// However much a page prints, what else it does is kept.
func TestLinesOfTheConsoleTakeNoRoomFromDialogs(t *testing.T) {
	w := &witness{}
	for range 2 {
		for range 2 * maxLines {
			w.add(told{Console: "log: x"})
		}
		w.add(told{Dialog: &vitrine.Dialog{Text: "Saved"}})
		if all := w.since(0); len(all) != maxLines+1 || all[maxLines].Dialog == nil {
			t.Errorf("%d are kept, the last of them %+v", len(all), all[len(all)-1])
		}
		w.renew()
	}
}
