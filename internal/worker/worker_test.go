package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/blob"
	"vitrine/internal/leak"
	"vitrine/internal/queue"
)

// asWorker makes the test binary a worker of the queue at this URL.
const asWorker = "WORKER_TEST_URL"

func TestMain(m *testing.M) {
	if url := os.Getenv(asWorker); url != "" {
		os.Exit(workerProcess(url))
	}
	if url := os.Getenv(asVictim); url != "" {
		os.Exit(victimProcess(url))
	}
	if os.Getenv(asAlone) != "" {
		os.Exit(aloneProcess())
	}
	os.Exit(leak.Run(m))
}

// A scorer of the tests is a function.
type scorer func(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error)

func (s scorer) Score(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
	return s(ctx, o, dir)
}

func always(s scorer) func(string) (Scorer, error) {
	return func(string) (Scorer, error) { return s, nil }
}

func scored(o vitrine.Output) vitrine.Sample {
	reward := float64(len(o.Text))
	return vitrine.Sample{ID: o.ID, Status: vitrine.SampleScored, Reward: &reward}
}

func plain(_ context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
	return scored(o), false, nil
}

func open(t *testing.T, s queue.Settings) *queue.Queue {
	t.Helper()
	if s.URL == "" {
		s.Dir = t.TempDir()
	}
	q, err := queue.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// run lets a worker work until stop is called or the test ends.
func run(t *testing.T, w Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); done.Wait() })
	t.Cleanup(stop)
	return stop
}

func job(key string) queue.Job {
	return queue.Job{Key: key, Recipe: "looks", Output: vitrine.Output{ID: key, Text: "<h1>" + key}}
}

func do(t *testing.T, q *queue.Queue, j queue.Job) queue.Result {
	t.Helper()
	r, err := q.Do(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEvidenceTravels(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{})
	work := t.TempDir()
	stop := run(t, Worker{Queue: q, ID: "w", Dir: work, Scorer: always(func(_ context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
		for name, content := range map[string]string{"manifest.json": `{"schema":1}`, "frames/b.png": "B", "frames/a.png": "A"} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				return vitrine.Sample{}, false, err
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
				return vitrine.Sample{}, false, err
			}
		}
		return scored(o), true, nil
	})})
	r := do(t, q, job("k"))
	if r.Worker != "w" || r.Tries != 1 || r.Sample.Attempt != 1 || r.Sample.Reward == nil || len(r.Frames) != 2 ||
		r.Frames[0] != (queue.Frame{File: "frames/a.png", SHA256: blob.Hash([]byte("A"))}) {
		t.Errorf("got %+v", r)
	}
	bundle, err := q.Blobs().Get(t.Context(), r.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := blob.Read(bundle, "frames/b.png", 1<<20); err != nil || string(got) != "B" {
		t.Errorf("got %q, %v", got, err)
	}
	stop()
	if left, _ := os.ReadDir(work); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// broken is a store that has no room.
type broken struct{ blob.Store }

func (broken) Put(context.Context, []byte) (string, error) { return "", errors.New("full") }

func TestAJudgementOutlivesItsEvidence(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]Worker{"no room": {Blobs: broken{}}, "too large": {MaxEvidence: 1}} {
		q := open(t, queue.Settings{})
		w.Queue = q
		w.Scorer = always(func(_ context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
			return scored(o), true, os.WriteFile(filepath.Join(dir, "dom.json"), []byte("[]"), 0o644)
		})
		run(t, w)
		if r := do(t, q, job("k")); r.Sample.Reward == nil || r.Evidence != "" || r.Frames != nil {
			t.Errorf("%s: got %+v", name, r)
		}
	}
}

// What a benchmark's own test measured is in the evidence alone.
func TestAMeasurementIsUnjudgedWithoutItsEvidence(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{MaxTries: 1})
	run(t, Worker{Queue: q, Blobs: broken{}, Scorer: always(func(_ context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
		s := scored(o)
		s.Reward = nil
		return s, true, os.WriteFile(filepath.Join(dir, "measured.json"), []byte("{}"), 0o644)
	})})
	if r := do(t, q, job("k")); r.Sample.Status != vitrine.SampleUnjudged || r.Sample.Error == nil || !strings.Contains(r.Sample.Error.Error(), "full") {
		t.Errorf("got %+v", r)
	}
}

func TestWhatCannotBeScored(t *testing.T) {
	t.Parallel()
	unjudged := vitrine.NewFault("capture", vitrine.FaultCaptureTimeout, nil, "no answer")
	for name, test := range map[string]struct {
		scorer func(string) (Scorer, error)
		code   vitrine.FaultCode
		says   string
		tries  int
	}{
		"no such recipe": {func(r string) (Scorer, error) {
			return nil, vitrine.NewFault("input", vitrine.FaultUsage, nil, "no recipe is called "+r)
		}, vitrine.FaultUsage, "looks", 1},
		"an unjudged sample": {always(func(context.Context, vitrine.Output, string) (vitrine.Sample, bool, error) {
			return vitrine.Sample{Status: vitrine.SampleUnjudged, Error: unjudged}, false, nil
		}), vitrine.FaultCaptureTimeout, "no answer", 1},
		"our bug": {always(func(context.Context, vitrine.Output, string) (vitrine.Sample, bool, error) {
			return vitrine.Sample{}, false, errors.New("index out of luck")
		}), vitrine.FaultInternal, "out of luck", 2},
		"a fault every time": {always(func(context.Context, vitrine.Output, string) (vitrine.Sample, bool, error) {
			return vitrine.Sample{}, false, vitrine.NewFault("build", vitrine.FaultRegistry, errors.New("refused"), "the registry is away")
		}), vitrine.FaultRegistry, "refused", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := open(t, queue.Settings{MaxTries: 2})
			run(t, Worker{Queue: q, Scorer: test.scorer})
			r := do(t, q, job("k"))
			s := r.Sample
			if s.Status != vitrine.SampleUnjudged || s.Reward != nil || s.Error == nil || s.Error.Code != test.code || !strings.Contains(s.Error.Message, test.says) || r.Tries != test.tries {
				t.Errorf("got %+v with %+v", r, s.Error)
			}
		})
	}
}

func TestAnErrorCostsATry(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{})
	var calls atomic.Int64
	run(t, Worker{Queue: q, Scorer: always(func(_ context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
		if calls.Add(1) < 3 {
			return vitrine.Sample{}, false, errors.New("not yet")
		}
		return scored(o), false, nil
	})})
	if r := do(t, q, job("k")); r.Sample.Reward == nil || r.Tries != 3 || r.Sample.Attempt != 3 {
		t.Errorf("got %+v", r)
	}
}

func TestWhatIsUnderWayIsFinished(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{})
	started, finish := make(chan struct{}), make(chan struct{})
	stop := run(t, Worker{Queue: q, Scorer: always(func(ctx context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
		close(started)
		<-finish
		return scored(o), false, ctx.Err()
	})})
	answer := make(chan queue.Result, 1)
	go func() {
		r, _ := q.Do(t.Context(), job("k"))
		answer <- r
	}()
	<-started
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
		t.Error("it did not wait for what was under way")
	case finish <- struct{}{}:
	}
	if r := <-answer; r.Sample.Reward == nil || r.Tries != 1 {
		t.Errorf("got %+v", r)
	}
	<-stopped
}

func TestWhatCannotBeFinishedIsGivenBackAtOnce(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{MaxTries: 1}) // AckWait is a minute: nobody waits for it here
	started := make(chan struct{})
	stop := run(t, Worker{Queue: q, Grace: time.Millisecond, Scorer: always(func(ctx context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
		close(started)
		<-ctx.Done()
		return vitrine.Sample{}, false, ctx.Err()
	})})
	answer := make(chan queue.Result, 1)
	go func() {
		r, _ := q.Do(t.Context(), job("k"))
		answer <- r
	}()
	<-started
	stop()
	run(t, Worker{Queue: q, ID: "next", Scorer: always(plain)})
	select {
	case r := <-answer:
		if r.Sample.Reward == nil || r.Tries != 1 || r.Worker != "next" {
			t.Errorf("got %+v", r)
		}
	case <-time.After(30 * time.Second):
		t.Error("the job was kept by a worker that is gone")
	}
}

func TestSlotsWorkAtOnce(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{})
	var meet sync.WaitGroup
	meet.Add(3)
	run(t, Worker{Queue: q, Slots: 3, Scorer: always(func(_ context.Context, o vitrine.Output, _ string) (vitrine.Sample, bool, error) {
		meet.Done()
		meet.Wait() // for the two others
		return scored(o), false, nil
	})})
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { do(t, q, job(fmt.Sprint(i))) })
	}
	all.Wait()
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	err := Worker{Queue: open(t, queue.Settings{}), Scorer: always(plain), Dir: filepath.Join(os.Args[0], "below a file")}.Run(t.Context())
	if err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultUnwritable {
		t.Errorf("got %v, want unwritable", err)
	}
}

func TestAClosedQueueEndsTheWorker(t *testing.T) {
	t.Parallel()
	q := open(t, queue.Settings{})
	ended := make(chan error)
	go func() { ended <- Worker{Queue: q, Slots: 2, Scorer: always(plain)}.Run(context.Background()) }()
	do(t, q, job("k"))
	q.Close()
	if err := <-ended; err == nil || vitrine.AsFault("x", err).Code != vitrine.FaultInterrupted {
		t.Errorf("got %v, want interrupted", err)
	}
}
