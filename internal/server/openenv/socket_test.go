package openenv

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestConnectionsAreBounded(t *testing.T) {
	all := &sockets{}
	all.open.Store(maxSockets)
	w := httptest.NewRecorder()
	all.serve(w, httptest.NewRequest("GET", "/ws", nil))
	if w.Code != 429 || !strings.Contains(w.Body.String(), `"code":"busy"`) || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if n := all.open.Load(); n != maxSockets {
		t.Errorf("%d are counted, want %d: this one was not opened", n, maxSockets)
	}
}
