package queue

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vitrine/internal/polltest"

	"vitrine"
)

// by is a provenance that differs from others in its browser.
func by(browser string) vitrine.Provenance {
	return vitrine.Provenance{Vitrine: "1", Browser: browser}
}

// together is a service and a worker of the same provenance, and a worker of another.
func together(t *testing.T, s Settings) (service, same, other *Queue) {
	t.Helper()
	s.Listen, s.Service, s.Provenance = "127.0.0.1:0", "http://service", by("old")
	service = start(t, s)
	join := func(browser string) *Queue {
		return start(t, Settings{URL: service.URL(), Auth: Auth{Token: service.Token()}, Provenance: by(browser)})
	}
	return service, join("old"), join("new")
}

func TestAWorkerGetsNoJobsOfAnotherProvenance(t *testing.T) {
	t.Parallel()
	service, same, other := together(t, Settings{})
	var mu sync.Mutex
	var who []string
	for name, q := range map[string]*Queue{"same": same, "other": other} {
		serve(t, q, 4, func(j Job) Result {
			mu.Lock()
			defer mu.Unlock()
			who = append(who, name)
			return scored(j)
		})
	}
	for i := range 20 {
		if r := mustDo(t, service, job("k"+string(rune('a'+i)))); r.Sample.Status != vitrine.SampleScored {
			t.Errorf("got %+v", r)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(who) != 20 || slices.Contains(who, "other") {
		t.Errorf("worked on by %q", who)
	}
}

func TestAJobThatNoWorkerMayTakeIsAnsweredInTime(t *testing.T) {
	t.Parallel()
	service, same, other := together(t, Settings{WorkerWait: time.Millisecond})
	serve(t, other, 1, scored)
	polltest.Until(t, "the other worker is seen", func() bool { return len(health(t, service).Others) == 1 })
	r, err := service.Do(t.Context(), job("k"))
	f := vitrine.AsFault("x", err)
	if err == nil || f.Code != vitrine.FaultNoWorker || !f.Code.Retryable() || !strings.Contains(f.Message, "1 judge by something else") || !strings.Contains(f.Fix, "doctor --nats") {
		t.Fatalf("got %+v, %v (fix %q)", r, err, f.Fix)
	}
	polltest.Until(t, "the job is taken back", func() bool {
		info, err := service.jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 0
	})
	serve(t, same, 1, scored)
	polltest.Until(t, "the right worker is seen", func() bool { return len(health(t, service).Workers) == 1 })
	if r := mustDo(t, service, job("k")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("once a worker is there: %+v", r)
	}
}

func TestMembersSayByWhatTheyJudge(t *testing.T) {
	t.Parallel()
	service, _, other := together(t, Settings{})
	ctx, stop := context.WithCancel(t.Context())
	var announced sync.WaitGroup
	announced.Go(func() { other.Announce(ctx, "w", 1, func() int { return 0 }) })
	defer announced.Wait()
	defer stop()
	polltest.Until(t, "the worker is seen", func() bool { return len(health(t, service).Others) == 1 })
	all, err := Members(t.Context(), Settings{URL: service.URL(), Auth: Auth{Token: service.Token()}}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b Member) int { return strings.Compare(a.Service, b.Service) })
	if len(all) != 2 || all[0].Worker != "w" || all[1].Service != "http://service" {
		t.Fatalf("got %+v", all)
	}
	if d := all[1].Provenance.Differences(all[0].Provenance); len(d) != 1 || d[0] != "browser (old, now new)" {
		t.Errorf("they differ in %q", d)
	}
}
