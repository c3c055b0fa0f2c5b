package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/queue"
)

// asAlone makes the test binary a process in which one job is scored.
const asAlone = "WORKER_TEST_ALONE"

// deaths are outputs that end the process in which they are scored.
var deaths = map[string]func(){
	"panics":             func() { go panic("index out of luck") },
	"aborts":             func() { _ = syscall.Kill(os.Getpid(), syscall.SIGABRT) },
	"reads what is none": func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV) },
	"is killed":          func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"is asked to end":    func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) },
}

// deadly scores an output, unless it ends the process.
func deadly(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
	if die := deaths[o.Text]; die != nil {
		die()
		<-ctx.Done()
	}
	if o.Text == "fails" {
		return vitrine.Sample{}, false, errors.New("index out of luck")
	}
	return scored(o), true, os.WriteFile(dir+"/manifest.json", []byte("{}"), 0o600)
}

// aloneProcess is what the test binary does as such a process.
func aloneProcess() int {
	if err := ScoreAlone(context.Background(), os.Stdin, os.Stdout, always(deadly)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func apart(t *testing.T) func(string) (Scorer, error) {
	t.Setenv(asAlone, "1")
	return func(recipe string) (Scorer, error) {
		return Process{Recipe: recipe, Path: os.Args[0], Args: os.Args[:1]}, nil
	}
}

func TestAProcessOfItsOwn(t *testing.T) {
	new := apart(t)
	for text, crashed := range map[string]bool{"panics": true, "aborts": true, "reads what is none": true, "is killed": false, "is asked to end": false, "fails": false, "<h1>a site": false} {
		p, _ := new("looks")
		s, evidence, err := p.Score(t.Context(), vitrine.Output{ID: "o", Text: text}, t.TempDir())
		var c crash
		switch f := vitrine.AsFault("x", err); {
		case errors.As(err, &c) != crashed:
			t.Errorf("%s: got %v, a crash: %v", text, err, crashed)
		case text == "panics" && !strings.Contains(c.how, "out of luck"):
			t.Errorf("a panic is told as %q", c.how)
		case strings.HasPrefix(text, "is ") && (f.Code != vitrine.FaultInterrupted || f.Fix == ""):
			t.Errorf("%s: got %v", text, err)
		case text == "fails" && (f.Code != vitrine.FaultInternal || !strings.Contains(f.Message, "out of luck")):
			t.Errorf("an error is told as %v", err)
		case text == "<h1>a site" && (err != nil || !evidence || s.Reward == nil || *s.Reward != 10):
			t.Errorf("got %+v, evidence %v, %v", s, evidence, err)
		}
	}
}

func TestAProcessEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := Process{Path: "/bin/sleep", Args: []string{"sleep", "600"}}
	ended := make(chan error)
	go func() { _, _, err := p.Score(ctx, vitrine.Output{}, ""); ended <- err }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A worker dies of one of the jobs that it has. All run again, each alone: the neighbours
// get their results, the one that did it is poison, and the next worker lives.
func TestNeighboursOfACrashGetTheirResults(t *testing.T) {
	alone := apart(t)
	t.Setenv(asWorker, "") // the process alone is none
	q := open(t, queue.Settings{Listen: "127.0.0.1:0", AckWait: 2 * time.Second})
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), asAlone+"=", asVictim+"="+q.URL(), "VITRINE_TEST_TOKEN="+q.Token())
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	results := map[string]queue.Result{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, text := range []string{"one", "two", "panics"} { // the worker begins all three before the last ends it
		all.Go(func() {
			j := job(text)
			j.Output.Text = text
			r, err := q.Do(t.Context(), j)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			results[text] = r
		})
	}
	if err := victim.Wait(); err == nil {
		t.Error("the first worker lived")
	}
	run(t, Worker{Queue: q, ID: "next", Slots: 3, Scorer: always(deadly), Alone: alone})
	all.Wait()
	for _, text := range []string{"one", "two"} {
		if r := results[text]; r.Sample.Reward == nil || r.Worker != "next" || r.Tries != 2 {
			t.Errorf("%s: got %+v with %v", text, r, r.Sample.Error)
		}
	}
	if r := results["panics"]; r.Sample.Reward != nil || r.Sample.Error == nil || r.Sample.Error.Code != vitrine.FaultPoison || !strings.Contains(r.Sample.Error.Message, "out of luck") {
		t.Errorf("got %+v with %v", r, r.Sample.Error)
	}
}

// asVictim makes the test binary a worker that dies once it has three jobs.
const asVictim = "WORKER_TEST_VICTIM"

func victimProcess(url string) int {
	ctx := context.Background()
	q, err := queue.Open(ctx, queue.Settings{URL: url, Auth: queue.Auth{Token: os.Getenv("VITRINE_TEST_TOKEN")}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 1
	}
	var begun sync.WaitGroup
	begun.Add(3)
	_ = Worker{Queue: q, Slots: 3, Scorer: always(func(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
		begun.Done()
		begun.Wait()
		if o.Text != "panics" {
			<-ctx.Done() // until the neighbour has ended all
		}
		return deadly(ctx, o, dir)
	})}.Run(ctx)
	return 0
}
