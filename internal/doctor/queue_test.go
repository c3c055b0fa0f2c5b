package doctor_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"vitrine"
	"vitrine/internal/doctor"
	"vitrine/internal/polltest"
	"vitrine/internal/queue"
)

func TestDoctorSaysWhyAWorkerGetsNoJobs(t *testing.T) {
	t.Parallel()
	service := openQueue(t, queue.Settings{Dir: t.TempDir(), Listen: "127.0.0.1:0", Service: "127.0.0.1:7400 on a", Provenance: vitrine.Provenance{Browser: "old"}})
	auth := queue.Auth{Token: service.Token()}
	if got := doctor.Queue(t.Context(), service.URL(), auth); len(got) != 1 || got[0].Status != "missing" || got[0].Fix == "" {
		t.Errorf("without a worker: %+v", got)
	}
	announce(t, openQueue(t, queue.Settings{URL: service.URL(), Auth: auth, Provenance: vitrine.Provenance{Browser: "new"}}), "stranger")
	announce(t, openQueue(t, queue.Settings{URL: service.URL(), Auth: auth, Provenance: vitrine.Provenance{Browser: "old"}}), "friend")
	polltest.Until(t, "both workers are seen", func() bool {
		h, err := service.Health(t.Context())
		return err == nil && len(h.Workers) == 1 && len(h.Others) == 1
	})
	got := doctor.Queue(t.Context(), service.URL(), auth)
	if len(got) != 2 || got[0].Status != "ok" || got[1].Status != "warning" ||
		!strings.HasPrefix(got[0].Text, "1 workers may take jobs of 127.0.0.1:7400 on a") ||
		!strings.Contains(got[1].Text, "the worker stranger gets no jobs of 127.0.0.1:7400 on a: it has another browser (old, now new)") {
		t.Errorf("got %+v", got)
	}
}

func openQueue(t *testing.T, s queue.Settings) *queue.Queue {
	t.Helper()
	q, err := queue.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// announce says until the test ends that a worker takes jobs of a queue.
func announce(t *testing.T, q *queue.Queue, name string) {
	ctx, stop := context.WithCancel(context.Background())
	var announced sync.WaitGroup
	announced.Go(func() { q.Announce(ctx, name, 1, func() int { return 0 }) })
	t.Cleanup(func() { stop(); announced.Wait() })
}
