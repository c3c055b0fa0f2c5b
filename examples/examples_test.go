package examples_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/examples"
)

type sample struct {
	vitrine.Output
	Meta struct {
		Shows  string
		Expect struct {
			Outcome vitrine.Outcome
			Lowest  []string
		}
	} `json:"meta"`
}

func samples(t *testing.T) []sample {
	t.Helper()
	var all []sample
	for line := range bytes.Lines(examples.Demo) {
		var s sample
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("line %d: %v", len(all)+1, err)
		}
		all = append(all, s)
	}
	return all
}

func TestDemoIsFresh(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "demo.jsonl")
	if out, err := exec.Command("go", "run", "gen.go", path).CombinedOutput(); err != nil {
		t.Fatalf("go run gen.go: %v\n%s", err, out)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(examples.Demo, want) {
		t.Error("demo.jsonl is not what the folders of demo hold: run go generate ./examples")
	}
}

func TestDemoSaysWhatItShows(t *testing.T) {
	t.Parallel()
	outcomes := map[vitrine.Outcome]int{}
	var ids []string
	for _, s := range samples(t) {
		ids = append(ids, s.ID)
		outcomes[s.Meta.Expect.Outcome]++
		if s.Instruction == "" || s.Text == "" || s.Model != "demo" || s.Meta.Shows == "" {
			t.Errorf("%s: instruction, output, model or meta.shows is missing", s.ID)
		}
	}
	if len(ids) < 18 || !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids: got %v, want at least 18, sorted, each once", ids)
	}
	for _, o := range []vitrine.Outcome{vitrine.OutcomeRendered, vitrine.OutcomeInvalidRender, vitrine.OutcomeBuildFailed, vitrine.OutcomeNoArtifact} {
		if outcomes[o] == 0 {
			t.Errorf("no output shows the outcome %s", o)
		}
		delete(outcomes, o)
	}
	if len(outcomes) > 0 {
		t.Errorf("unknown outcomes: %v", outcomes)
	}
}

// The demo must look the same on a machine without a network.
func TestDemoNeedsNoNetwork(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`(https?:)?//[a-z0-9-]+\.[a-z]+[^\s"')]*`)
	for _, s := range samples(t) {
		for _, url := range address.FindAllString(s.Text, -1) {
			if url != "http://www.w3.org/2000/svg" { // a name, never fetched
				t.Errorf("%s asks for %s", s.ID, url)
			}
		}
	}
}

// One install serves all projects.
func TestProjectsShareTheirDependencies(t *testing.T) {
	t.Parallel()
	versions := map[string][]string{}
	for _, s := range samples(t) {
		_, rest, ok := strings.Cut(s.Text, `"dependencies": {`)
		if !ok {
			continue
		}
		deps, _, _ := strings.Cut(rest, "\n</webAction>")
		versions[deps] = append(versions[deps], s.ID)
	}
	if len(versions) != 1 {
		t.Errorf("got %d sets of dependencies, want 1: %v", len(versions), versions)
	}
	for _, ids := range versions {
		if len(ids) < 3 {
			t.Errorf("projects: got %v, want at least three", ids)
		}
	}
}
