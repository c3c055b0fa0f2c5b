package own_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/own"
	"vitrine/internal/leak"
	"vitrine/internal/runs"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func written(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "b.yaml"), []byte(text), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "tasks.jsonl"), []byte(`{"id":"1","instruction":"A page","category":"x"}`+"\n"), 0o644))
	return filepath.Join(dir, "b.yaml")
}

const whole = "name: mine\ntasks: tasks.jsonl\ncolumns:\n  - {key: works, from: interact.function, times: 100, digits: 1}\n  - {key: valid, from: valid}\n  - {key: reward, from: reward, invalid: -1}\n"

func TestSamplesBecomeColumns(t *testing.T) {
	t.Parallel()
	b, err := own.Load(written(t, whole))
	must(t, err)
	l, err := bench.Load(b, b.Data(), t.TempDir())
	must(t, err)
	if len(l.Tasks) != 1 || b.Columns()[0].Times != 100 || b.Scoring().Recipe != "quality" {
		t.Errorf("%+v %+v", l, b.Columns())
	}
	dir := filepath.Join(t.TempDir(), "run")
	r, err := runs.Create(dir, runs.Header{})
	must(t, err)
	reward := 0.25
	for _, s := range []vitrine.Sample{
		{ID: "good", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: &reward, Scores: map[string]float64{"interact.function": 0.5}},
		{ID: "untried", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: &reward},
		{ID: "bad", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeNoArtifact, Reward: new(float64)},
		{ID: "lost", Status: vitrine.SampleUnjudged, Error: vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "gone")},
	} {
		must(t, r.Append(s))
	}
	must(t, r.Close())
	all, err := b.Measure(dir, nil)
	must(t, err)
	for _, w := range []struct {
		id, key string
		strict  *bench.Part
	}{
		{"good", "works", bench.One(0.5)}, {"good", "valid", bench.One(1)}, {"good", "reward", bench.One(0.25)}, {"untried", "works", nil},
		{"bad", "works", bench.One(0)}, {"bad", "valid", bench.One(0)}, {"bad", "reward", bench.One(0)}, {"lost", "valid", nil}, {"lost", "reward", nil},
	} {
		got := all[w.id].Strict[w.key]
		if (got == nil) != (w.strict == nil) || got != nil && *got != *w.strict {
			t.Errorf("%s of %s is %v, want %v", w.key, w.id, got, w.strict)
		}
		if all[w.id].Compat[w.key] == nil {
			t.Errorf("%s of %s has no value by compat", w.key, w.id)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "name: mine\n": "tasks", "name: My Own\ntasks: t\n": "small letters", "name: mine\ntasks: ../t\n": "beside this one", "name: mine\ntasks: t\n": "at least one",
		"name: mine\ntasks: t\ncolumns: [{key: a}]\n": "key and from", "name: mine\ntasks: t\ncolumns: [{key: a, from: b}, {key: a, from: c}]\n": "two columns",
		"name: mine\ncolour: red\n": "colour", "name: [\n": "",
	} {
		_, err := own.Load(written(t, text))
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, want) || f.Fix == "" {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(t.TempDir(), "b.yaml")
		must(t, os.WriteFile(name, b, 0o644))
		if x, err := own.Load(name); err == nil && len(x.Columns()) == 0 {
			t.Error("a benchmark without columns")
		}
	})
}
