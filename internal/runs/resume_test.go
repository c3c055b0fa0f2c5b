package runs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func TestResumeGoesOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tail string // what a killed process left behind the whole lines
		want []string
	}{
		"whole":                {"", []string{"a/1", "b/1", "c/1"}},
		"torn":                 {`{"id":"x","status":"sco`, []string{"a/1", "b/1", "c/1"}},
		"torn before its end":  {`{"id":"x","attempt":1}`, []string{"a/1", "b/1", "c/1"}},
		"torn after one byte":  {`{`, []string{"a/1", "b/1", "c/1"}},
		"torn in a character":  {"{\"id\":\"\xe6\xbc", []string{"a/1", "b/1", "c/1"}},
		"torn with zero bytes": {"\x00\x00\x00", []string{"a/1", "b/1", "c/1"}},
	} {
		run := create(t)
		must(t, run.Append(sample("a", 1)))
		must(t, run.Append(sample("b", 1)))
		must(t, run.Close())
		file := filepath.Join(run.Dir, samplesFile)
		before, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(file, append(before, test.tail...), 0o644))

		if _, samples, err := Read(run.Dir); err != nil || len(samples) != 2 {
			t.Errorf("%s: read %v, %v", name, ids(samples), err)
		}
		again, done, err := Resume(run.Dir, header().Provenance)
		must(t, err)
		if len(done) != 2 || done["a"].ID != "a" || done["b"].ID != "b" {
			t.Errorf("%s: done are %v", name, done)
		}
		must(t, again.Append(sample("c", 1)))
		must(t, again.Close())
		_, samples, err := Read(run.Dir)
		if diff := cmp.Diff(test.want, ids(samples)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if after, _ := os.ReadFile(file); !strings.HasPrefix(string(after), string(before)) {
			t.Errorf("%s: earlier lines changed", name)
		}
	}
}

func TestARunIsResumedByTheSameMeansOnly(t *testing.T) {
	t.Parallel()
	run := create(t)
	must(t, run.Close())
	other := header().Provenance
	other.Browser, other.Files = "Chromium 2", map[string]string{"prompt": "p2"}
	_, _, err := Resume(run.Dir, other)
	if err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultUsage {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"another browser (none, now Chromium 2)", "another prompt (p1, now p2)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	other = header().Provenance
	other.Build = "a later commit"
	again, _, err := Resume(run.Dir, other)
	must(t, err)
	must(t, again.Close())
}

func TestBrokenLineInTheMiddleIsNamed(t *testing.T) {
	t.Parallel()
	run := create(t)
	must(t, run.Append(sample("a", 1)))
	must(t, run.Close())
	file := filepath.Join(run.Dir, samplesFile)
	b, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, append(b, "{torn\n"...), 0o644))
	_, _, err = Resume(run.Dir, header().Provenance)
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "line 2") || !strings.Contains(f.Message, samplesFile) {
		t.Errorf("got %v", err)
	}
}

func TestRunThatEndedBeforeItsFirstSample(t *testing.T) {
	t.Parallel()
	run := create(t)
	must(t, os.Remove(filepath.Join(run.Dir, samplesFile)))
	must(t, os.RemoveAll(filepath.Join(run.Dir, evidenceDir)))
	again, done, err := Resume(run.Dir, header().Provenance)
	must(t, err)
	defer again.Close()
	if _, err := again.NewEvidence(); err != nil || len(done) != 0 {
		t.Errorf("got %v, %v", done, err)
	}
	must(t, again.Append(sample("a", 1)))
	if _, samples, err := Read(run.Dir); err != nil || len(samples) != 1 {
		t.Errorf("got %v, %v", ids(samples), err)
	}
}

// Two processes at one run would take away what the other gathers.
func TestARunIsOfOneProcessAtATime(t *testing.T) {
	t.Parallel()
	run, err := Create(filepath.Join(t.TempDir(), "run"), header())
	must(t, err)
	must(t, run.Append(sample("a", 1)))
	_, _, err = Resume(run.Dir, header().Provenance)
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUsage || !strings.Contains(f.Message, "another process") || f.Fix == "" {
		t.Errorf("got %v", err)
	}
	if _, samples, err := Read(run.Dir); err != nil || len(samples) != 1 {
		t.Errorf("looking at it is free: %v, %v", ids(samples), err)
	}
	must(t, run.Close())
	again, done, err := Resume(run.Dir, header().Provenance)
	if err != nil || len(done) != 1 {
		t.Fatalf("got %v, %v", done, err)
	}
	must(t, again.Close())
}

func FuzzResume(f *testing.F) {
	f.Add([]byte(`{"id":"x"`))
	f.Add([]byte("{\"id\":\"x\"}\n{"))
	f.Add([]byte("\n\x00"))
	f.Fuzz(func(t *testing.T, tail []byte) {
		run := create(t)
		must(t, run.Append(sample("a", 1)))
		must(t, run.Close())
		file := filepath.Join(run.Dir, samplesFile)
		whole, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(file, append(whole, tail...), 0o644))
		again, _, err := Resume(run.Dir, header().Provenance)
		if err != nil {
			return
		}
		_, before, err := Read(run.Dir)
		must(t, err)
		must(t, again.Append(sample("b", 7)))
		must(t, again.Close())
		_, after, err := Read(run.Dir)
		if err != nil || len(after) != len(before)+1 || after[len(after)-1].ID != "b" {
			t.Errorf("after resuming %q: %v, %v", tail, ids(after), err)
		}
	})
}
