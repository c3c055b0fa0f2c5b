package webbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const tiny = "testdata/tiny"

// tinyTask is the project of the tests: first files and two tasks.
func tinyTask(t *testing.T) vitrine.Task {
	t.Helper()
	tasks, err := Benchmark{}.Tasks(os.DirFS(tiny))
	if err != nil || len(tasks) != 1 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	return tasks[0]
}

func TestTasksAreProjectsWithSteps(t *testing.T) {
	t.Parallel()
	task := tinyTask(t)
	if got := fmt.Sprintln(task.ID, task.Category, Benchmark{}.StepIDs(task)); got != "tiny standard [tiny/init tiny/task-1 tiny/task-2]\n" {
		t.Error(got)
	}
	if s := stepsOf(task)[2]; s.Level != "challenging" || !strings.HasPrefix(s.Description, "A click") {
		t.Errorf("%+v", s)
	}
}

// journal is that of a run of its own.
func journal(t *testing.T) *bench.Journal {
	t.Helper()
	run, err := bench.Open(t.TempDir(), bench.Header{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := run.OpenJournal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

// said makes tests that pass where the page has the name of the spec, and a walker with them.
func said(published bool) *walker {
	return &walker{data: tiny, asPublished: published, test: func(_ context.Context, _ string, files map[string]string, _ string, specs []string) (tested, error) {
		r := tested{Specs: map[string]spec{}}
		for _, s := range specs {
			if r.Specs[s] = (spec{Passed: 1, Total: 1}); !strings.Contains(files["index.html"], s) {
				r.Specs[s] = spec{Total: 1, Message: "no " + s}
			}
		}
		return r, nil
	}}
}

// page answers with a page of these words.
func page(words string) string { return "```html\nindex.html\n" + words + "\n```" }

// answers are by step, then by try.
type answers map[string][]string

func (a answers) ask(_ context.Context, s vitrine.Task, try int, _ generate.Prompt) (*vitrine.Output, error) {
	if try >= len(a[s.ID]) {
		return nil, nil
	}
	if a[s.ID][try] == "down" {
		return nil, vitrine.NewFault("judge", vitrine.FaultModelError, nil, "the model does not answer")
	}
	return &vitrine.Output{Text: a[s.ID][try]}, nil
}

func TestStepsInSequence(t *testing.T) {
	t.Parallel()
	task := tinyTask(t)
	for name, test := range map[string]struct {
		answers      answers
		pass1, pass2 float64 // of 2; -1: not judged
		kept         float64 // -1: nothing passed
		outcome, why string
		published    float64 // pass@2 as published
	}{
		"all at once":                   {answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init task-1")}, "tiny/task-2": {page("init task-1 task-2")}}, 2, 2, 2, "passed", "", 2},
		"a second try":                  {answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init"), page("init task-1")}, "tiny/task-2": {page("init task-1 task-2")}}, 0, 2, 2, "passed", "", 2},
		"the second step fails twice":   {answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init task-1")}, "tiny/task-2": {page("init task-1"), page("init task-1")}}, 1, 1, 1, "failed", "task-2, test: task-2: no task-2", 1},
		"the first files fail twice":    {answers{"tiny/init": {page(""), page("")}, "tiny/task-1": {"nothing", "nothing"}}, 0, 0, -1, "failed", "task-1, test: task-1: no task-1", 0},
		"what was there is broken":      {answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init task-1")}, "tiny/task-2": {page("init task-2"), page("init task-2")}}, 1, 1, 1, "failed", "task-1 fails at the end: no task-1", 1},
		"one try was recorded":          {answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init")}}, 0, -1, -1, "failed", "task-1, test: task-1: no task-1", -1},
		"the record ends":               {answers{"tiny/init": {page("init")}}, -1, -1, -1, "unjudged", "", -1},
		"the model does not answer":     {answers{"tiny/init": {page("init")}, "tiny/task-1": {"down"}}, -1, -1, -1, "unjudged", "", -1},
		"a step that nobody got so far": {answers{"tiny/init": {page("init")}, "tiny/task-1": {"", ""}, "tiny/task-2": {page("init task-1 task-2")}}, 0, 0, -1, "failed", "task-1, test: task-1: no task-1", 0},
	} {
		m, err := said(false).Walk(t.Context(), task, test.answers.ask, journal(t))
		if err != nil {
			t.Fatal(name, err)
		}
		if m.Outcome != test.outcome || m.Why != test.why || (m.Error != nil) != (test.outcome == "unjudged") {
			t.Errorf("%s: %s (%s), %v", name, m.Outcome, m.Why, m.Error)
		}
		for key, want := range map[string]float64{"pass1": test.pass1, "pass2": test.pass2, "kept": test.kept} {
			if got := sum(m.Strict, key); got != want {
				t.Errorf("%s: %s is %g, want %g", name, key, got, want)
			}
		}
		if m, err = said(true).Walk(t.Context(), task, test.answers.ask, journal(t)); err != nil || sum(m.Compat, "pass2") != test.published {
			t.Errorf("%s: pass@2 as published is %g, want %g (%v)", name, sum(m.Compat, "pass2"), test.published, err)
		}
	}
}

// sum is that of a part, -1 without one.
func sum(p bench.Parts, key string) float64 {
	if p[key] == nil {
		return -1
	}
	return p[key].Sum
}

// The second question has the errors of the first, and the files as its answer left them;
// what the project hides is in none.
func TestQuestions(t *testing.T) {
	t.Parallel()
	var asked []generate.Prompt
	a := answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init one"), page("init task-1")}, "tiny/task-2": {"", ""}}
	_, err := said(false).Walk(t.Context(), tinyTask(t), func(ctx context.Context, s vitrine.Task, try int, p generate.Prompt) (*vitrine.Output, error) {
		asked = append(asked, p)
		return a.ask(ctx, s, try, p)
	}, journal(t))
	if err != nil || len(asked) != 5 {
		t.Fatalf("%d questions, %v", len(asked), err)
	}
	if second := asked[2].Text; !strings.Contains(second, "init one") || !strings.Contains(second, "no task-1") || !strings.Contains(second, "text off") {
		t.Errorf("the second try is asked for by %q", second)
	}
	if strings.Contains(asked[1].Text, "no task-1") {
		t.Error("a first try has errors")
	}
	w := said(false)
	files, err := w.filesIn("tiny", "src-init")
	if err != nil || files["secret.txt"] == "" || files["assets/note.txt"] == "" {
		t.Fatalf("%v, %v", files, err)
	}
	k := &walk{walker: w, task: tinyTask(t), files: files}
	if text := k.prompt(step{}, "").Text; strings.Contains(text, "secret") || !strings.Contains(text, "assets/note.txt") {
		t.Errorf("the question shows %q", text)
	}
}

// What was tested is not tested again, and a fault of ours ends the run.
func TestGoingOn(t *testing.T) {
	t.Parallel()
	j, task, n := journal(t), tinyTask(t), 0
	w := said(false)
	inner := w.test
	w.test = func(ctx context.Context, name string, files map[string]string, at string, specs []string) (tested, error) {
		if n++; n == 3 {
			return tested{}, errors.New("the disk is full")
		}
		return inner(ctx, name, files, at, specs)
	}
	a := answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init task-1")}, "tiny/task-2": {page("init task-1 task-2")}}
	if _, err := w.Walk(t.Context(), task, a.ask, j); err == nil || n != 3 {
		t.Fatalf("%v after %d tests", err, n)
	}
	m, err := w.Walk(t.Context(), task, a.ask, j)
	if err != nil || sum(m.Strict, "pass1") != 2 || n != 5 { // task-2, and all at the end
		t.Errorf("%v, %+v after %d tests", err, m, n)
	}
}

// Specs that cannot all run within one limit are tested one at a time at the end.
func TestALongEnd(t *testing.T) {
	t.Parallel()
	w := said(false)
	inner := w.test
	w.test = func(ctx context.Context, name string, files map[string]string, at string, specs []string) (tested, error) {
		if len(specs) > 1 {
			return tested{Message: "it did not end within 10m0s", Limit: vitrine.FailureTimeout}, nil
		}
		return inner(ctx, name, files, at, specs)
	}
	for want, last := range map[float64]string{2: "init task-1 task-2", 1: "init task-2"} {
		a := answers{"tiny/init": {page("init")}, "tiny/task-1": {page("init task-1")}, "tiny/task-2": {page(last)}}
		m, err := w.Walk(t.Context(), tinyTask(t), a.ask, journal(t))
		if err != nil || sum(m.Strict, "kept") != want || sum(m.Strict, "pass2") != want {
			t.Errorf("%q: %+v, %v, want %g", last, m, err, want)
		}
	}
}

// A test of the reference that fails now and then is run again alone.
func TestReference(t *testing.T) {
	t.Parallel()
	n := 0
	w := &walker{data: tiny, test: func(_ context.Context, _ string, files map[string]string, _ string, specs []string) (tested, error) {
		r := tested{Specs: map[string]spec{}}
		for _, s := range specs {
			n++
			r.Specs[s] = spec{Total: 1, Message: "too slow"}
			if s == "task-1" && n > 3 {
				r.Specs[s] = spec{Passed: 1, Total: 1}
			}
		}
		return r, nil
	}}
	m, err := w.Reference(t.Context(), tinyTask(t), journal(t))
	if err != nil || m.Outcome != "failed" || sum(m.Strict, "pass1") != 1 || n != 2+2+3 {
		t.Errorf("%+v, %v, %d tests", m, err, n)
	}
	if m.Why != "task-1 passes in run 2 alone\ntask-2, test: task-2: too slow" {
		t.Error(m.Why)
	}
}
