package redteamrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/redteam"
)

func TestPagesComeToTheirTasks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tea/a.html": "<title>A</title><p>1", "tea/b.html": "<title>B</title><p>2", "to-do-gpt.html": "<title>C</title><p>3", "to.html": "<title>D &amp; d</title><p>4", "clock_1.html": "<title>E</title><p>5",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("<!DOCTYPE html><html><head>"+text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in, err := inputs.Open(dir, inputs.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tasks := map[string]vitrine.Task{}
	for _, id := range []string{"tea", "to-do", "clock", "do"} {
		tasks[id] = vitrine.Task{ID: id, Instruction: "Make " + id}
	}
	var said []string
	prompts, err := Read(in, tasks, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, p := range prompts {
		for _, o := range p.Honest {
			if o.Instruction != p.Task.Instruction || o.TaskID != p.Task.ID || o.Kind != vitrine.KindPage {
				t.Errorf("%+v is not of the task %+v", o, p.Task)
			}
		}
		got = append(got, fmt.Sprintf("%s: %s %d", p.Task.ID, p.Task.Instruction, len(p.Honest)))
	}
	want := []string{"clock: Make clock 1", "tea: Make tea 2", "to-do: Make to-do 1", "to.html: Make a page: D & d. 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(said) != 1 || !strings.HasSuffix(said[0], ": 1") {
		t.Errorf("it said %q", said)
	}
}

func TestOwnPromptsHaveInstructions(t *testing.T) {
	prompts, tasks, err := Own()
	if err != nil || len(prompts) != len(redteam.OwnPages()) || len(tasks) != len(prompts) {
		t.Fatalf("%d prompts, %d tasks, %v", len(prompts), len(tasks), err)
	}
	for _, p := range prompts {
		if p.Task.Instruction == "" || len(p.Honest) != 1 {
			t.Errorf("%+v", p.Task)
		}
	}
}

// A page about fences is not cut at them.
func TestAPageIsScoredAsItIs(t *testing.T) {
	for _, text := range []string{"<!DOCTYPE html><html><body><p>Tea</p></body></html>", "<!DOCTYPE html><html><body><pre>```html\n<p>Tea</p>\n```</pre></body></html>", "", "<p>"} {
		a := artifact(vitrine.Output{Text: text, Kind: vitrine.KindPage})
		if a.Kind != vitrine.KindPage || len(a.Files) != 1 || a.Files[0].Content != text {
			t.Errorf("%q became %+v", text, a.Files)
		}
	}
}
