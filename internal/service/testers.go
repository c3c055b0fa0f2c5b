package service

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
	"vitrine/internal/worker"
)

// ofBenchmark is how the recipe of a job begins that is tested by a benchmark's own
// evaluation; the name of the benchmark follows. No recipe of rewards has a colon.
const ofBenchmark = "benchmark:"

// measuredFile is the file of the evidence in which a worker says what a test measured.
const measuredFile = "measured.json"

// Testers are the benchmarks with an evaluation of their own whose answers a worker tests.
// Each is made ready when its first answer comes. They are safe for concurrent use.
type Testers struct {
	Benchmarks []bench.Benchmark
	Machine    bench.Machine

	mu    sync.Mutex // guards the rest, and lets one be made ready at a time
	ready map[string]bench.Tester
}

// scorer is that of jobs of one benchmark.
func (t *Testers) scorer(name string) (worker.Scorer, error) {
	b, err := bench.Find(t.Benchmarks, name)
	if err != nil {
		return nil, err
	}
	tested, is := b.(bench.Tested)
	if !is {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, nil, name+" has no evaluation of its own")
	}
	return tests{t, tested}, nil
}

// open makes the tester of a benchmark ready, once.
func (t *Testers) open(ctx context.Context, b bench.Tested) (bench.Tester, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := b.Info().Name
	if ready, there := t.ready[name]; there {
		return ready, nil
	}
	ready, err := b.Tester(ctx, t.Machine)
	if err != nil {
		return nil, err // the next answer tries again
	}
	if t.ready == nil {
		t.ready = map[string]bench.Tester{}
	}
	t.ready[name] = ready
	return ready, nil
}

// tests has jobs of one benchmark tested.
type tests struct {
	*Testers
	benchmark bench.Tested
}

// Score implements [worker.Scorer]. What was measured is the evidence.
func (t tests) Score(ctx context.Context, o vitrine.Output, dir string) (s vitrine.Sample, evidence bool, err error) {
	defer cache.Hold(t.Machine.CacheDir)()
	tester, err := t.open(ctx, t.benchmark)
	if err != nil {
		return s, false, err
	}
	var task vitrine.Task
	if err := json.Unmarshal(o.Meta[taskMeta], &task); err != nil {
		return s, false, fmt.Errorf("task of a job: %w", err)
	}
	m, err := tester.Test(ctx, task, o)
	if err != nil {
		return s, false, err
	}
	// without a reward: what was measured is in the evidence alone
	s = vitrine.Sample{ID: o.ID, Status: vitrine.SampleScored, Parts: map[string]float64{}, Findings: []vitrine.Finding{}, Error: m.Error, Cost: vitrine.Free()}
	if m.Error != nil {
		s.Status = vitrine.SampleUnjudged // such an answer is not kept
	}
	return s, true, disk.Fault(disk.WriteJSON(filepath.Join(dir, measuredFile), m))
}

// Tester has the workers of the queue test answers to a benchmark.
func (e *Elsewhere) Tester(b bench.Tested) bench.Tester { return away{e, ofBenchmark + b.Info().Name} }

// away is a tester elsewhere.
type away struct {
	*Elsewhere
	recipe string
}

// Test implements [bench.Tester].
func (a away) Test(ctx context.Context, t vitrine.Task, o vitrine.Output) (m bench.Measured, err error) {
	o = vitrine.Output{ID: o.ID, TaskID: o.TaskID, Text: o.Text, Meta: map[string]json.RawMessage{}}
	if err := put(o.Meta, taskMeta, t); err != nil {
		return m, err
	}
	r, err := a.do(ctx, a.recipe, o)
	if err != nil {
		return m, err
	}
	if f := r.Sample.Error; f != nil && f.Code.Stops() {
		return m, f
	}
	if r.Evidence == "" {
		return bench.Measured{Outcome: string(vitrine.SampleUnjudged), Strict: bench.Parts{}, Compat: bench.Parts{}, Error: noEvidence(r.Sample.Error)}, nil
	}
	dir, err := os.MkdirTemp("", "vitrine-measured-")
	if err != nil {
		return m, disk.Fault(err)
	}
	defer os.RemoveAll(dir)
	if err := a.unpack(ctx, r.Evidence, dir); err != nil {
		return m, fmt.Errorf("what was measured of %s: %w", o.ID, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, measuredFile))
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	return m, err
}

// noEvidence is why a worker does not say what it measured.
func noEvidence(f *vitrine.Fault) *vitrine.Fault {
	if f != nil {
		return f
	}
	return vitrine.NewFault("queue", vitrine.FaultInternal, nil, "the worker kept nothing of what it measured").WithFix("run the same command again; the worker's log says why")
}
