package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/inputs"
	"vitrine/internal/runs"
)

// lines makes an input file of outputs.
func lines(t testing.TB, outputs ...vitrine.Output) string {
	t.Helper()
	var b strings.Builder
	for _, o := range outputs {
		must(t, json.NewEncoder(&b).Encode(o))
	}
	return b.String()
}

// from is an input of JSON lines.
func from(t testing.TB, text string) Input {
	t.Helper()
	in, err := inputs.Bytes("in.jsonl", []byte(text), inputs.Settings{})
	must(t, err)
	return in
}

// pages are n outputs, each a page of its own.
func pages(n int) []vitrine.Output {
	var all []vitrine.Output
	for i := range n {
		all = append(all, vitrine.Output{ID: fmt.Sprint("p", i), Text: strings.Replace(goodPage, "Tea shop", fmt.Sprint("Tea shop ", i), 1)})
	}
	return all
}

// told records what a run tells, and does as asked when it is told.
type told struct {
	started, finished []string
	bad               []string
	most              int // at work at once
	onStarted         func(n int)
	onFinished        func(n int)
}

func (p *told) Started(id string) {
	p.started = append(p.started, id)
	p.most = max(p.most, len(p.started)-len(p.finished))
	if p.onStarted != nil {
		p.onStarted(len(p.started))
	}
}

func (p *told) Finished(s vitrine.Sample) {
	p.finished = append(p.finished, s.ID)
	if p.onFinished != nil {
		p.onFinished(len(p.finished))
	}
}

func (p *told) Unusable(e *inputs.RowError) { p.bad = append(p.bad, e.Error()) }

func newRun(t testing.TB) *runs.Run {
	t.Helper()
	run, err := runs.Create(filepath.Join(t.TempDir(), "run"), runs.Header{Input: "in.jsonl", Started: time.Now()})
	must(t, err)
	t.Cleanup(func() { _ = run.Close() })
	return run
}

// reopen goes on with a run as another process would, once the first has ended.
func reopen(t testing.TB, first *runs.Run) (*runs.Run, RunSettings) {
	t.Helper()
	_ = first.Close()
	run, done, err := runs.Resume(first.Dir, first.Header.Provenance)
	must(t, err)
	t.Cleanup(func() { _ = run.Close() })
	return run, RunSettings{Done: done}
}

// wantRun holds a run folder against the samples it should have, as id/attempt.
func wantRun(t testing.TB, dir string, finished bool, want ...string) []vitrine.Sample {
	t.Helper()
	h, samples, err := runs.Read(dir)
	must(t, err)
	var got []string
	for _, s := range samples {
		got = append(got, fmt.Sprintf("%s/%d", s.ID, s.Attempt))
		ev, err := evidence.Load(filepath.Join(dir, s.Evidence))
		if s.Status == vitrine.SampleScored && (err != nil || ev.Instruction != "") || s.Status != vitrine.SampleScored && s.Evidence != "" {
			t.Errorf("%s: %s with evidence in %q: %v", s.ID, s.Status, s.Evidence, err)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if (h.Finished != nil) != finished {
		t.Errorf("the header says finished %v, want %v", h.Finished, finished)
	}
	folders, err := os.ReadDir(filepath.Join(dir, "evidence"))
	must(t, err)
	for _, f := range folders {
		if strings.HasPrefix(f.Name(), ".") {
			t.Errorf("%s is left behind", f.Name())
		}
	}
	return samples
}

func samplesFile(t testing.TB, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "samples.jsonl"))
	must(t, err)
	return b
}

func TestRunScoresEachOutput(t *testing.T) {
	t.Parallel()
	run, progress := newRun(t), &told{}
	input := lines(t, pages(6)...) + "\n{broken\n" + lines(t, vitrine.Output{ID: "lost", Text: goodPage, TaskID: "9"}, vitrine.Output{ID: "p1", Text: "again"}, vitrine.Output{ID: "../x", Text: goodPage})
	p := pipe(t, func(s *Settings) { s.Concurrency, s.Tasks = 3, map[string]vitrine.Task{} })
	must(t, p.Run(t.Context(), from(t, input), run, RunSettings{}, progress))
	samples := wantRun(t, run.Dir, true, "../x/1", "lost/1", "p0/1", "p1#2/1", "p1/1", "p2/1", "p3/1", "p4/1", "p5/1")
	for _, s := range samples {
		if (s.ID == "lost") != (s.Status == vitrine.SampleUnjudged) || strings.Contains(s.Evidence, "..") {
			t.Errorf("got %+v", s)
		}
		wantContract(t, s, []string{"looks"})
	}
	if progress.most != 3 || len(progress.started) != 9 || len(progress.finished) != 9 {
		t.Errorf("%d at once, want 3; started %v, finished %v", progress.most, progress.started, progress.finished)
	}
	h, _, err := runs.Read(run.Dir)
	must(t, err)
	var errs []string
	for _, e := range h.InputErrors {
		errs = append(errs, fmt.Sprintf("%d: %s", e.Line, e.Message))
	}
	if len(errs) != 1 || !strings.HasPrefix(errs[0], "8: in.jsonl:8:2: found no JSON: ") || len(progress.bad) != 1 || !strings.HasSuffix(errs[0], progress.bad[0]) {
		t.Errorf("the header has %q, told was %q", errs, progress.bad)
	}
}

func TestStopFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, concurrency := range []int{1, 2} {
		stop := make(chan struct{})
		progress := &told{}
		progress.onStarted = func(n int) {
			if n == concurrency {
				close(stop)
			}
		}
		run := newRun(t)
		p := pipe(t, func(s *Settings) { s.Concurrency = concurrency })
		must(t, p.Run(t.Context(), from(t, lines(t, pages(6)...)), run, RunSettings{Stop: stop}, progress))
		if len(progress.started) != concurrency || len(progress.finished) != concurrency {
			t.Errorf("with %d at once: started %v, finished %v", concurrency, progress.started, progress.finished)
		}
		before := samplesFile(t, run.Dir)
		wantRun(t, run.Dir, false, []string{"p0/1", "p1/1"}[:concurrency]...)

		again, settings := reopen(t, run)
		if left := settings.Left(6); left != 6-concurrency {
			t.Errorf("%d are left, want %d", left, 6-concurrency)
		}
		resumed := &told{}
		must(t, p.Run(t.Context(), from(t, lines(t, pages(6)...)), again, settings, resumed))
		wantRun(t, run.Dir, true, "p0/1", "p1/1", "p2/1", "p3/1", "p4/1", "p5/1")
		if len(resumed.started) != 6-concurrency || slices.Contains(resumed.started, "p0") {
			t.Errorf("resumed with %v", resumed.started)
		}
		if !bytes.HasPrefix(samplesFile(t, run.Dir), before) {
			t.Error("earlier lines changed")
		}
	}
}

func TestCancellationLosesNothingFinished(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	progress := &told{onFinished: func(n int) {
		if n == 3 {
			cancel()
		}
	}}
	run := newRun(t)
	p := pipe(t, nil)
	err := p.Run(ctx, from(t, lines(t, pages(8)...)), run, RunSettings{}, progress)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	var want []string
	for _, id := range progress.finished {
		want = append(want, id+"/1")
	}
	slices.Sort(want)
	wantRun(t, run.Dir, false, want...)
	before := samplesFile(t, run.Dir)
	again, settings := reopen(t, run)
	must(t, p.Run(t.Context(), from(t, lines(t, pages(8)...)), again, settings, &told{}))
	wantRun(t, run.Dir, true, "p0/1", "p1/1", "p2/1", "p3/1", "p4/1", "p5/1", "p6/1", "p7/1")
	if !bytes.HasPrefix(samplesFile(t, run.Dir), before) {
		t.Error("earlier lines changed")
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run := newRun(t)
	if err := pipe(t, nil).Run(ctx, from(t, lines(t, pages(2)...)), run, RunSettings{}, &told{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantRun(t, run.Dir, false)
}

func TestRetryUnjudged(t *testing.T) {
	t.Parallel()
	input := lines(t, append(pages(2), vitrine.Output{ID: "lost", Text: goodPage, TaskID: "8"}, vitrine.Output{ID: "task", Text: goodPage, TaskID: "7"})...)
	tasks := map[string]vitrine.Task{}
	run := newRun(t)
	p := pipe(t, func(s *Settings) { s.Tasks = tasks })
	must(t, p.Run(t.Context(), from(t, input), run, RunSettings{}, &told{}))
	wantRun(t, run.Dir, true, "lost/1", "p0/1", "p1/1", "task/1")

	again, settings := reopen(t, run)
	progress := &told{}
	must(t, p.Run(t.Context(), from(t, input), again, settings, progress))
	if len(progress.started) > 0 || settings.Left(4) != 0 {
		t.Errorf("a finished run was gone on with: %v", progress.started)
	}

	third, settings := reopen(t, again)
	settings.RetryUnjudged = true
	if left := settings.Left(4); left != 2 {
		t.Errorf("%d are left, want 2", left)
	}
	mended := pipe(t, func(s *Settings) { s.Tasks = map[string]vitrine.Task{"7": {ID: "7"}} })
	must(t, mended.Run(t.Context(), from(t, input), third, settings, &told{}))
	samples := runs.Newest(wantRun(t, run.Dir, true, "lost/1", "lost/2", "p0/1", "p1/1", "task/1", "task/2"))
	for _, s := range samples {
		if s.ID == "task" && (s.Status != vitrine.SampleScored || s.Attempt != 2) || s.ID == "lost" && s.Status != vitrine.SampleUnjudged || len(samples) != 4 {
			t.Errorf("of %d the newest of %s is %s, attempt %d", len(samples), s.ID, s.Status, s.Attempt)
		}
	}
}

// failing is an input whose disk fails after its outputs.
type failing struct{ Input }

func (b failing) Items() iter.Seq2[inputs.Item, error] {
	return func(yield func(inputs.Item, error) bool) {
		for item, err := range b.Input.Items() {
			if !yield(item, err) {
				return
			}
		}
		yield(inputs.Item{}, errors.New("the disk is gone"))
	}
}

func TestUnreadableInputIsAFault(t *testing.T) {
	t.Parallel()
	run := newRun(t)
	err := pipe(t, nil).Run(t.Context(), failing{from(t, lines(t, pages(1)...))}, run, RunSettings{}, &told{})
	if f := vitrine.AsFault("x", err); f.Stage != "input" || !strings.Contains(f.Error(), "the disk is gone") {
		t.Errorf("got %v", err)
	}
	wantRun(t, run.Dir, false, "p0/1")
}

// A place that cannot be written fails every sample alike: the run ends with the
// cause, and the samples stay to be done.
func TestUnwritableRunEnds(t *testing.T) {
	t.Parallel()
	run := newRun(t)
	must(t, os.RemoveAll(filepath.Join(run.Dir, "evidence")))
	must(t, os.WriteFile(filepath.Join(run.Dir, "evidence"), nil, 0o644))
	progress := &told{}
	err := pipe(t, nil).Run(t.Context(), from(t, lines(t, pages(5)...)), run, RunSettings{}, progress)
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultUnwritable || f.Fix == "" || len(progress.finished) > 0 {
		t.Errorf("got %v, finished %v", err, progress.finished)
	}
	if b := samplesFile(t, run.Dir); len(b) > 0 {
		t.Errorf("there are samples: %s", b)
	}
}

func TestSweptBeforeARun(t *testing.T) {
	t.Parallel()
	run := newRun(t)
	if _, err := run.NewEvidence(); err != nil { // as a killed process leaves it
		t.Fatal(err)
	}
	must(t, pipe(t, nil).Run(t.Context(), from(t, lines(t, pages(1)...)), run, RunSettings{}, &told{}))
	wantRun(t, run.Dir, true, "p0/1")
}

func TestConcurrencyIsChosenByTheMachine(t *testing.T) {
	t.Parallel()
	if n := pipe(t, func(s *Settings) { s.Concurrency = 0 }).Concurrency(); n < 1 || n > 1024 {
		t.Errorf("got %d", n)
	}
	if n := pipe(t, func(s *Settings) { s.Concurrency = 7 }).Concurrency(); n != 7 {
		t.Errorf("got %d", n)
	}
}
