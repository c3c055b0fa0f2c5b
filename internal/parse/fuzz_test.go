package parse

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// FuzzOutput holds what every artifact promises, whatever the text.
func FuzzOutput(f *testing.F) {
	files, err := filepath.Glob("../../testdata/vectors/parse/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(data, &vectors); err != nil {
			f.Fatal(err)
		}
		for _, v := range vectors {
			f.Add(v.Output.Text, string(v.Output.Kind))
		}
	}
	f.Fuzz(func(t *testing.T, text, kind string) {
		o := vitrine.Output{Text: text, Kind: vitrine.Kind(kind)}
		a := Output(o)
		checkArtifact(t, o, a)
		if diff := cmp.Diff(a, Output(o)); diff != "" {
			t.Errorf("the second parse differs (-first +second):\n%s", diff)
		}
	})
}

// checkArtifact reports each promise that an artifact breaks.
func checkArtifact(t *testing.T, o vitrine.Output, a *vitrine.Artifact) {
	t.Helper()
	if a.Files == nil {
		t.Error("files are nil, want an empty list")
	}
	if len(a.Files) == 0 && len(a.Notes) == 0 {
		t.Error("no files and no note that says why")
	}
	for _, s := range []vitrine.FormatScore{a.CoT, a.Code, a.CodeStrict} {
		checkScore(t, s)
	}
	if a.CodeStrict.Score > a.Code.Score {
		t.Error("the strict profile passes what the published one fails")
	}
	source := clean(o.Text, &notes{})
	for i, f := range a.Files {
		checkPath(t, f.Path)
		if i > 0 && a.Files[i-1].Path >= f.Path {
			t.Errorf("%q is not sorted before %q, or is there twice", a.Files[i-1].Path, f.Path)
		}
		for folder := filepath.Dir(f.Path); folder != "."; folder = filepath.Dir(folder) {
			if _, ok := a.File(folder); ok {
				t.Errorf("%q is a file and a folder", folder)
			}
		}
		checkContent(t, source, f)
	}
}

// checkPath asks package filepath, which knows nothing of this one.
func checkPath(t *testing.T, path string) {
	t.Helper()
	switch {
	case !filepath.IsLocal(path), filepath.Clean(path) != path, path == ".":
		t.Errorf("path %q is not clean, relative and inside", path)
	case strings.ContainsAny(path, "\x00\n\r\\"), len(path) > vitrine.MaxPath:
		t.Errorf("path %q is not one for a file system", path)
	}
}

// checkContent holds that nothing is made up: every line of a file stands in the
// output. (Lines, because the indent of a fence is taken off each, and the blocks
// of a plot are joined.)
func checkContent(t *testing.T, source string, f vitrine.File) {
	t.Helper()
	if !utf8.ValidString(f.Content) || strings.ContainsAny(f.Content, "\x00\r") {
		t.Errorf("%q holds bytes that clean takes out", f.Path)
	}
	for line := range strings.SplitSeq(f.Content, "\n") {
		if !strings.Contains(source, line) {
			t.Errorf("%q holds a line that the output does not: %q", f.Path, line)
		}
	}
}

func checkScore(t *testing.T, s vitrine.FormatScore) {
	t.Helper()
	if (s.Score == 1) != (len(s.Failed) == 0) || s.Score < 0 || s.Score > 1 {
		t.Errorf("score %d with %d failed rules", s.Score, len(s.Failed))
	}
	seen := map[string]bool{}
	for _, f := range s.Failed {
		if f.Rule == "" || f.Why == "" || seen[f.Rule] {
			t.Errorf("failed rule %+v is nameless, without a reason or there twice", f)
		}
		seen[f.Rule] = true
	}
}
