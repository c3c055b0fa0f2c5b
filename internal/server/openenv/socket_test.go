package openenv

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestConnectionsAreBounded(t *testing.T) {
	all := &sockets{open: map[string]int{}}
	for range maxSockets / 2 {
		if !all.enter("10.0.0.1") {
			t.Fatal("half of the connections are not let in")
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/ws", nil)
	r.RemoteAddr = "10.0.0.1:4711"
	all.serve(w, r)
	if w.Code != 429 || !strings.Contains(w.Body.String(), `"code":"busy"`) || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if all.all != maxSockets/2 {
		t.Errorf("%d are counted, want %d: this one was not opened", all.all, maxSockets/2)
	}
	if !all.enter("10.0.0.2") {
		t.Error("one client has taken the connections of the others")
	}
	all.leave("10.0.0.2")
	if _, there := all.open["10.0.0.2"]; there {
		t.Error("a client that has none is kept")
	}
}
