package parse

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// A vector is one case of testdata/vectors/parse, whose README tells the format.
type vector struct {
	Name     string          `json:"name"`
	Output   vitrine.Output  `json:"output"`
	Artifact json.RawMessage `json:"artifact"`
}

// vectorFields are the fields a vector may give, each made from an artifact in
// the form that vectors have.
func vectorFields(a *vitrine.Artifact) map[string]any {
	paths, notes := []string{}, []string{}
	for _, f := range a.Files {
		paths = append(paths, f.Path)
	}
	for _, n := range a.Notes {
		if !slices.Contains(notes, n.Code) {
			notes = append(notes, n.Code)
		}
	}
	return map[string]any{
		"kind": a.Kind, "id": a.ID, "title": a.Title, "reasoning": a.Reasoning,
		"files": a.Files, "paths": paths, "shell": a.Shell, "start": a.Start,
		"cot": vectorScore(a.CoT), "code": vectorScore(a.Code), "code_strict": vectorScore(a.CodeStrict),
		"notes": notes,
	}
}

func vectorScore(s vitrine.FormatScore) map[string]any {
	score := map[string]any{"score": s.Score}
	var failed []string
	for _, f := range s.Failed {
		failed = append(failed, f.Rule)
	}
	if failed != nil {
		score["failed"] = failed
	}
	return score
}

// plain brings a value into the form that JSON gives it.
func plain(t *testing.T, v any) map[string]any {
	t.Helper()
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestVectors(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/vectors/parse/*.json")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(data, &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		ran += len(vectors)
		for _, v := range vectors {
			t.Run(v.Output.ID, func(t *testing.T) {
				t.Parallel()
				got := plain(t, vectorFields(Output(v.Output)))
				for field, want := range plain(t, v.Artifact) {
					value, known := got[field]
					if !known {
						t.Errorf("unknown field %q", field)
					}
					if diff := cmp.Diff(want, value); diff != "" {
						t.Errorf("%s (-want +got):\n%s", field, diff)
					}
				}
			})
		}
	}
	if ran < 40 {
		t.Errorf("got %d vectors, want at least 40", ran)
	}
}
