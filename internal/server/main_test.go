package server_test

import (
	"encoding/json"
	"os"
	"testing"

	"vitrine/internal/leak"
	"vitrine/internal/server"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// decoded reads a JSON answer.
func decoded[T any](t testing.TB, body string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return v
}

// answers are those of /v1/score.
type answers struct {
	Results []server.Result `json:"results"`
	Recipe  string          `json:"recipe"`
}

func jsonOf(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return string(b)
}
