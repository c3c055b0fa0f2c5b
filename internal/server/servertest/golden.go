package servertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write what is answered to testdata")

// exchange is a golden file: what is asked, and what is answered.
type exchange struct {
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Request  json.RawMessage `json:"request,omitempty"`
	Status   int             `json:"status"`
	Response json.RawMessage `json:"response"`
}

// Golden sends the request of testdata/<name>.json and holds the answer against the
// one that is there. With -update it is written anew.
func (s *Service) Golden(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join("testdata", name+".json")
	raw, err := os.ReadFile(file)
	must(t, err)
	var want exchange
	must(t, json.Unmarshal(raw, &want))
	var body any
	if want.Request != nil {
		body = string(want.Request)
	}
	status, text := s.Ask(t, want.Method, want.Path, body)
	if !json.Valid([]byte(text)) {
		t.Fatalf("%s: the answer is no JSON: %s", name, text)
	}
	if *update {
		want.Status, want.Response = status, json.RawMessage(text)
		out, err := json.MarshalIndent(want, "", "  ")
		must(t, err)
		must(t, os.WriteFile(file, append(out, '\n'), 0o644))
		return
	}
	if status != want.Status || compact(t, text) != compact(t, string(want.Response)) {
		t.Errorf("%s: answered %d %s\nwant %d %s", name, status, compact(t, text), want.Status, compact(t, string(want.Response)))
	}
}

// compact writes JSON in one way: keys in order, without spaces.
func compact(t *testing.T, text string) string {
	t.Helper()
	var v any
	must(t, json.Unmarshal([]byte(text), &v))
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	must(t, enc.Encode(v))
	return out.String()
}
