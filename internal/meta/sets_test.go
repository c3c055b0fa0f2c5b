package meta

import (
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func TestSetsAreReadRowByRow(t *testing.T) {
	t.Parallel()
	read := func(text string) (int, error) {
		file := t.TempDir() + "/set.jsonl"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := ReadPairs("--pairs", file)
		return len(rows), err
	}
	const row = `{"label":"A","a":"x","b":"y"}`
	if n, err := read(row + "\n" + strings.ReplaceAll(row, ",", ",\n ") + "\n"); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	for text, want := range map[string]string{
		"": "it is empty", row + "\n{": "row 2", `{"label":"model_a","a":"x","b":"y"}`: `row 1: the label is "model_a"; want A, B or tie`,
		`{"a":"x"}`: "a or b is missing", "null": "row 1", "[" + row + "]": "row 1",
	} {
		_, err := read(text)
		if f := vitrine.AsFault("command", err); f.Code != vitrine.FaultUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseSet(f *testing.F) {
	f.Add(`{"label":"A","a":"x","b":"y"}`)
	f.Add(`{"label":"tie"} {"label":"B","category":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := parseSet(strings.NewReader(text), func(*Pair) error { return nil })
		if (err == nil) != (len(rows) > 0) {
			t.Errorf("%d rows, %v", len(rows), err)
		}
	})
}
