package queue

import (
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vitrine/internal/polltest"

	"github.com/nats-io/nats.go"

	"vitrine"
)

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, Settings{Dir: dir})
	file := filepath.Join(dir, "lock", "below a file")
	for name, test := range map[string]struct {
		settings Settings
		says     string
	}{
		"nothing":             {Settings{}, "neither"},
		"a folder in use":     {Settings{Dir: dir}, "another process"},
		"no folder":           {Settings{Dir: file}, "cannot be written"},
		"both":                {Settings{URL: "nats://127.0.0.1:1", Listen: "127.0.0.1:0"}, "does not listen"},
		"replicas of one":     {Settings{Dir: t.TempDir(), Replicas: 3}, "replicas"},
		"everybody":           {Settings{Dir: t.TempDir(), Listen: "0.0.0.0:0"}, "everybody"},
		"everybody, by v6":    {Settings{Dir: t.TempDir(), Listen: "[::]:0"}, "everybody"},
		"everybody, unnamed":  {Settings{Dir: t.TempDir(), Listen: ":0"}, "everybody"},
		"no address":          {Settings{Dir: t.TempDir(), Listen: "here", Token: "x"}, "no address"},
		"no port":             {Settings{Dir: t.TempDir(), Listen: "127.0.0.1:many"}, "no address"},
		"a URL that is none":  {Settings{URL: "nats://[", Dir: dir}, "cannot be reached"},
		"nobody there":        {Settings{URL: "nats://127.0.0.1:1"}, "cannot be reached"},
		"several, none there": {Settings{URL: "nats://127.0.0.1:1,nats://127.0.0.1:2"}, "cannot be reached"},
	} {
		q, err := Open(t.Context(), test.settings)
		if err == nil {
			q.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		f := vitrine.AsFault("x", err)
		if f.Code == vitrine.FaultInternal || f.Fix == "" || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: got %s %v, fix %q; want it to say %q", name, f.Code, err, f.Fix, test.says)
		}
	}
}

func TestAnAddressInUse(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	q, err := Open(t.Context(), Settings{Dir: t.TempDir(), Listen: l.Addr().String()})
	if err == nil {
		q.Close()
		t.Fatal("opened")
	}
	if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoQueue || !strings.Contains(f.Fix, l.Addr().String()) {
		t.Errorf("got %v, fix %q", err, f.Fix)
	}
}

func TestATokenIsAskedFor(t *testing.T) {
	t.Parallel()
	a := start(t, Settings{Listen: "127.0.0.1:0", Token: "sesame"})
	host := strings.TrimPrefix(a.URL(), "nats://")
	for _, url := range []string{"nats://" + host, "nats://open@" + host} {
		if q, err := Open(t.Context(), Settings{URL: url}); err == nil {
			q.Close()
			t.Errorf("%s was let in", url)
		} else if f := vitrine.AsFault("x", err); f.Code != vitrine.FaultNoQueue || !strings.Contains(f.Fix, "token") || strings.Contains(err.Error(), "sesame") {
			t.Errorf("got %v, fix %q", err, f.Fix)
		}
	}
	b := start(t, Settings{URL: "nats://sesame@" + host})
	serve(t, b, 1, scored)
	if r := mustDo(t, a, job("k")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
	}
}

func TestWhoComesLaterFollowsTheClustersSettings(t *testing.T) {
	t.Parallel()
	a := start(t, Settings{Listen: "127.0.0.1:0", AckWait: 7 * time.Second, Keep: time.Hour})
	b := start(t, Settings{URL: a.URL(), Auth: Auth{Token: a.Token()}, AckWait: time.Second, Keep: 2 * time.Hour})
	if b.ackWait != 7*time.Second {
		t.Errorf("a later one waits %v, want 7s", b.ackWait)
	}
	info, err := b.results.Info(t.Context())
	if err != nil || info.Config.MaxAge != time.Hour {
		t.Errorf("results are kept for %v, %v; want 1h", info.Config.MaxAge, err)
	}
}

func TestTheServerInsideFollowsNewSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := start(t, Settings{Dir: dir})
	q.Close()
	start(t, Settings{Dir: dir, BlobBytes: 1 << 50}).Close() // more than any disk here: a bound is no reservation
	q = start(t, Settings{Dir: dir, AckWait: 5 * time.Second, Keep: time.Hour, KeepBytes: 1 << 20, BlobBytes: 1 << 20})
	info, err := q.results.Info(t.Context())
	if err != nil || q.ackWait != 5*time.Second || info.Config.MaxAge != time.Hour || info.Config.MaxBytes != 1<<20 {
		t.Errorf("got %v, %+v, %v", q.ackWait, info.Config, err)
	}
}

func TestWorkersComeBackToAServerThatDoes(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	s := Settings{Dir: t.TempDir(), Listen: address, AckWait: time.Second}
	a := start(t, s)
	b := start(t, Settings{URL: "nats://" + address, Auth: Auth{Token: a.Token()}})
	serve(t, b, 2, scored)
	mustDo(t, a, job("before"))
	asked := ask(t.Context(), b, job("meanwhile")) // by one that outlives the server
	a.Close()
	a = start(t, s)
	for _, key := range []string{"before", "after"} {
		if r := mustDo(t, a, job(key)); r.Sample.Status != vitrine.SampleScored {
			t.Errorf("%s: got %+v", key, r)
		}
	}
	if r := <-asked; r.Sample.Status != vitrine.SampleScored {
		t.Errorf("meanwhile: got %+v", r)
	}
}

func TestBadKeys(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	for _, key := range []string{"", "a.b", "*", ">", "a b", "../x", "ä", strings.Repeat("a", 129), "a\r\nPUB x"} {
		if _, err := q.Do(t.Context(), Job{Key: key}); err == nil {
			t.Errorf("%.20q was taken for a key", key)
		}
	}
}

func TestAJobThatIsNoJSONIsAnError(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	j := job("k")
	j.Output.Meta = map[string]json.RawMessage{"x": json.RawMessage("{")}
	if _, err := q.Do(t.Context(), j); err == nil {
		t.Error("it was answered")
	}
	if h := health(t, q); h.Waiting+h.Queued+h.Clients != 0 {
		t.Errorf("left behind: %+v", h)
	}
}

func TestRubbishAmongTheJobs(t *testing.T) {
	t.Parallel()
	a, b := shared(t, Settings{})
	for _, body := range []string{"", "{", "[]", `{"output":7}`, "\xff\xfe"} {
		if _, err := a.js.Publish(t.Context(), a.subject("rubbish"), []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	lost := nats.NewMsg(a.subject("blobless"))
	lost.Header.Set(blobHeader, "nothing")
	if _, err := a.js.PublishMsg(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"", "null", "{}", `{"id":3}`} {
		if err := a.conn.Publish(workerSubject+"here", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	serve(t, b, 1, scored)
	if r := mustDo(t, a, job("good")); r.Sample.Status != vitrine.SampleScored {
		t.Errorf("got %+v", r)
	}
	polltest.Until(t, "an empty queue", func() bool { h := health(t, a); return h.Queued+h.Running == 0 })
}

func TestRubbishAmongTheAnswers(t *testing.T) {
	t.Parallel()
	q := start(t, Settings{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for _, body := range []string{"", "{", `{"sample":7}`} {
		if _, err := q.js.Publish(ctx, resultSubject+"k", []byte(body)); err != nil {
			t.Fatal(err)
		}
		if r, err := q.Do(ctx, job("k")); err == nil || ctx.Err() != nil {
			t.Errorf("%q was read as %+v", body, r)
		}
	}
}

func TestHealthTellsOfWorkersAndJobs(t *testing.T) {
	t.Parallel()
	a, b := shared(t, Settings{})
	ask(t.Context(), a, job("k"))
	polltest.Until(t, "an old job", func() bool { h := health(t, a); return h.Queued == 1 && h.Oldest > 0 && h.Clients == 1 })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan struct{})
	go func() { defer close(done); b.Announce(ctx, "w1", 3, func() int { return 2 }) }()
	polltest.Until(t, "a worker", func() bool {
		w := health(t, a).Workers
		return len(w) == 1 && w[0].ID == "w1" && w[0].Slots == 3 && w[0].Busy == 2 && time.Since(w[0].Seen) < goneAfter
	})
	cancel()
	<-done
	polltest.Until(t, "no worker", func() bool { return len(health(t, a).Workers) == 0 })
}
