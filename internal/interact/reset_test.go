package interact

import (
	"context"
	"testing"

	"vitrine"
)

// A page that goes on writing until it is gone, and once more as it goes, leaves
// nothing to the next document, however that is reached.
func TestNothingIsLeftAfterAReset(t *testing.T) {
	html := `<p id="out"></p><script>
		out.textContent = 'left: ' + [localStorage.a, sessionStorage.a, window.name, document.cookie].join()
		const write = () => { localStorage.a = sessionStorage.a = window.name = 'x'; document.cookie = 'a=x' }
		for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange']) addEventListener(type, write)
		const { port1, port2 } = new MessageChannel()
		port1.onmessage = () => { write(); port2.postMessage(0) }
		port2.postMessage(0)
		</script>`
	play(t, director(t, body(html)), func(ctx context.Context, s *Stage) {
		first, err := s.Look(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range []string{"/", "/", "/#made-new", "/"} {
			if err := s.Reset(ctx, route); err != nil {
				t.Fatal(err)
			}
			if scene, err := s.Look(ctx); err != nil || scene.Text != first.Text {
				t.Errorf("%s: got %q, want %q; %v", route, scene.Text, first.Text, err)
			}
		}
	})
}

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
