package server_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vitrine/internal/polltest"
	"vitrine/internal/queue"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// replicas are two services on one cluster, the first of which alone has a worker.
func replicas(t *testing.T, change func(*server.Settings)) (c *servertest.Cluster, a, b *servertest.Service) {
	t.Helper()
	c = servertest.StartCluster(t)
	o := servertest.Options{Queue: c.Join, Dir: t.TempDir(), Server: change}
	a = servertest.Start(t, o)
	o.NoWorker = true
	b = servertest.Start(t, o)
	t.Cleanup(a.Scorer.Release)
	return c, a, b
}

func brief(s *server.Settings) { s.Lease = time.Second }

func TestReplicasAnswerForEachOthersJobs(t *testing.T) {
	_, a, b := replicas(t, func(*server.Settings) {})
	id := newJob(t, a, "reward 0.5", "hold", "hold 2")
	polltest.Until(t, "one is answered", func() bool { return showJob(t, b, id).Done == 1 })
	if j := showJob(t, b, id); j.Status != "running" || j.Total != 3 || *j.Results[0].Reward != 0.5 {
		t.Errorf("at the other: %s", jsonOf(t, j))
	}
	streamed := make(chan []event, 1)
	go func() { streamed <- events(t, b, id, "1", 10) }()
	a.Scorer.Release()
	all := <-streamed
	if len(all) != 3 || all[0].id != "2" || all[1].id != "3" || all[2].name != "done" {
		t.Errorf("streamed by the other: %+v", all)
	}
	polltest.Until(t, "it is done", func() bool { return showJob(t, a, id).Status == "done" })
	if at, there := jsonOf(t, showJob(t, a, id)), jsonOf(t, showJob(t, b, id)); at != there {
		t.Errorf("the replicas differ: %s and %s", at, there)
	}
}

func TestAReplicaCancelsAnothersJob(t *testing.T) {
	_, a, b := replicas(t, func(*server.Settings) {})
	id := newJob(t, a, "hold 1", "hold 2")
	polltest.Until(t, "it is under way", func() bool { return a.Held(id) == 2 && a.Scorer.Calls.Load() > 0 })
	if status, text := b.Ask(t, "DELETE", "/v1/jobs/"+id, nil); status != 200 || decoded[jobView](t, text).Status != "cancelled" {
		t.Errorf("%d %s", status, text)
	}
	polltest.Until(t, "the first has let go of it", func() bool { return a.Held(id) == 0 })
	if all := events(t, a, id, "", 10); len(all) != 1 || all[0].name != "done" || !strings.Contains(all[0].data, "cancelled") {
		t.Errorf("%+v", all)
	}
}

// Limits hold over all replicas, also where requests come at once.
func TestLimitsHoldOverAllReplicas(t *testing.T) {
	_, a, b := replicas(t, func(s *server.Settings) { s.MaxJobs, s.MaxSessions = 5, 5 })
	for path, body := range map[string]any{"/v1/jobs": body(item{"output": "hold"}), "/v1/sessions": item{"instruction": "x"}} {
		var asking sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for i := range 16 {
			asking.Go(func() {
				status, _ := []*servertest.Service{a, b}[i%2].Ask(t, "POST", path, body)
				mu.Lock()
				defer mu.Unlock()
				got[status/100]++
			})
		}
		asking.Wait()
		if got[2] != 5 || got[4] != 11 {
			t.Errorf("%s: %v, want 5 that are taken", path, got)
		}
	}
}

// A batch whose recipe no server has any more does not take a place for ever.
func TestAJobWithoutItsRecipeEnds(t *testing.T) {
	c := servertest.StartCluster(t)
	relook, err := reward.Load("relook", os.ReadFile)
	must(t, err)
	o := servertest.Options{Queue: c.Join, Dir: t.TempDir(), NoWorker: true, Server: func(s *server.Settings) {
		s.Lease, s.Provenance = 20*time.Millisecond, "before"
		s.Recipes = append(s.Recipes, relook)
	}}
	a := servertest.Start(t, o)
	_, text := a.Ask(t, "POST", "/v1/jobs", map[string]any{"recipe": "relook", "items": []item{{"output": "x"}}})
	id := decoded[jobView](t, text).ID
	must(t, a.Stop())
	o.Server = func(s *server.Settings) { s.Lease, s.Provenance = 20*time.Millisecond, "after" }
	b := servertest.Start(t, o)
	polltest.Until(t, "it has ended", func() bool {
		_, text := b.Ask(t, "GET", "/v1/jobs/"+id, nil)
		return strings.Contains(text, "no server has its recipe relook")
	})
}

// One that is killed in mid-batch loses nothing, and nothing is answered twice.
func TestAJobOutlivesTheReplicaThatTookIt(t *testing.T) {
	c := servertest.StartCluster(t)
	o := servertest.Options{Dir: t.TempDir(), Server: brief, Queue: func(q *queue.Settings) {
		c.Join(q)
		q.AckWait = time.Second // of the jobs that its worker had
	}}
	a, b := servertest.Start(t, o), servertest.Start(t, o)
	defer b.Scorer.Release()
	var outputs []string
	for i := range 40 {
		outputs = append(outputs, fmt.Sprintf("reward 0.%02d", i))
	}
	id := newJob(t, a, append(outputs, "hold 1", "hold 2", "hold 3")...)
	polltest.Until(t, "it is half done", func() bool { return showJob(t, b, id).Done >= 20 })
	a.Kill()
	b.Scorer.Release()
	polltest.Until(t, "the other has done it", func() bool { return showJob(t, b, id).Status == "done" })
	j := showJob(t, b, id)
	seen := map[string]int{}
	for _, r := range j.Results {
		seen[r.ID]++
		if r.Reward == nil {
			t.Errorf("%s: %+v", r.ID, r.Error)
		}
	}
	if len(j.Results) != 43 || len(seen) != 43 || j.Done != 43 {
		t.Errorf("%d results for %d of 43 items", len(j.Results), len(seen))
	}
}

// A replica that leaves well is not waited for.
func TestJobsOfAReplicaThatLeavesGoOnAtOnce(t *testing.T) {
	c := servertest.StartCluster(t)
	o := servertest.Options{Queue: c.Join, Dir: t.TempDir(), Server: func(s *server.Settings) { s.Lease = time.Hour }}
	a, b := servertest.Start(t, o), servertest.Start(t, o)
	b.Scorer.Release()
	id := newJob(t, a, "hold 1", "hold 2")
	polltest.Until(t, "it is under way", func() bool { return a.Held(id) == 2 })
	must(t, a.Stop())
	polltest.Until(t, "the other has done it", func() bool { return showJob(t, b, id).Status == "done" })
}

func TestSessionsAreSteppedAtAnyReplica(t *testing.T) {
	_, a, b := replicas(t, func(*server.Settings) {})
	id := open(t, a, nil)
	first := step(t, b, id, 1, "reward 0.5 <get_feedback>")
	if again := step(t, a, id, 1, "reward 0.5 <get_feedback>"); jsonOf(t, again) != jsonOf(t, first) {
		t.Errorf("the same step at the other: %+v, want %+v", again, first)
	}
	if status, text := a.Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": 1, "output": "reward 0.6"}); status != 409 {
		t.Errorf("another output for a turn that was taken at the other: %d %s", status, text)
	}
	var asking sync.WaitGroup
	turns := make([]server.Turn, 8)
	for i := range turns {
		asking.Go(func() {
			turns[i] = step(t, []*servertest.Service{a, b}[i%2], id, 2, "reward 0.6 <get_feedback>")
		})
	}
	asking.Wait()
	for _, turn := range turns {
		if jsonOf(t, turn) != jsonOf(t, turns[0]) || turn.Turn != 2 || *turn.BestScore != 0.6 {
			t.Errorf("%+v is not %+v", turn, turns[0])
		}
	}
	statuses := make([]int, 8)
	for i := range statuses {
		asking.Go(func() {
			statuses[i], _ = []*servertest.Service{a, b}[i%2].Ask(t, "POST", "/v1/sessions/"+id+"/step", item{"turn": 3, "output": fmt.Sprintf("reward 0.7%d", i)})
		})
	}
	asking.Wait()
	taken := 0
	for _, status := range statuses {
		if status == 200 {
			taken++
		} else if status != 409 {
			t.Errorf("a step of several for one turn: %d", status)
		}
	}
	_, text := b.Ask(t, "GET", "/v1/sessions/"+id, nil)
	if v := decoded[server.Session](t, text); taken != 1 || v.Turn != 3 || !v.Done {
		t.Errorf("%d were taken for one turn: %s", taken, text)
	}
	if status, _ := a.Ask(t, "DELETE", "/v1/sessions/"+id, nil); status != 204 {
		t.Errorf("delete: %d", status)
	}
	if status, _ := b.Ask(t, "GET", "/v1/sessions/"+id, nil); status != 404 {
		t.Errorf("after it was deleted at the other: %d", status)
	}
}

// While the cluster is away requests say so; what was begun goes on when it is back.
func TestNothingIsLostWhileTheClusterIsAway(t *testing.T) {
	c, a, b := replicas(t, brief)
	session := open(t, a, nil)
	first := step(t, a, session, 1, "reward 0.5 <get_feedback>")
	id := newJob(t, a, "reward 0.5", "hold 1", "hold 2")
	polltest.Until(t, "one is answered", func() bool { return showJob(t, a, id).Done == 1 })
	c.Stop()
	for path, body := range map[string]any{"/v1/jobs": body(item{"output": "reward 1"}), "/v1/sessions": item{"instruction": "x"}, "/v1/sessions/" + session + "/step": item{"turn": 2, "output": "reward 1"}} {
		if status, text := b.Ask(t, "POST", path, body); status != 503 || !strings.Contains(text, `"code":"no_queue"`) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	a.Scorer.Release()
	c.Start(t)
	polltest.Until(t, "it is done", func() bool {
		status, text := b.Ask(t, "GET", "/v1/jobs/"+id, nil)
		return status == 200 && decoded[jobView](t, text).Status == "done"
	})
	if j := showJob(t, a, id); len(j.Results) != 3 || *j.Results[0].Reward != 0.5 {
		t.Errorf("%s", jsonOf(t, j))
	}
	if again := step(t, b, session, 1, "reward 0.5 <get_feedback>"); jsonOf(t, again) != jsonOf(t, first) {
		t.Errorf("%+v after the outage, %+v before", again, first)
	}
	id = newJob(t, b, "reward 0.25")
	polltest.Until(t, "the next is done", func() bool { return showJob(t, a, id).Status == "done" })
}

// What is damaged is named, and harms nothing else.
func TestDamagedEntriesAreNamed(t *testing.T) {
	var log journal
	c, a, _ := replicas(t, func(s *server.Settings) { s.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	conn, err := nats.Connect(c.URL)
	must(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(t, err)
	damage := func(bucket, key, value string) {
		kv, err := js.KeyValue(t.Context(), bucket)
		must(t, err)
		_, err = kv.PutString(t.Context(), key, value)
		must(t, err)
	}
	half := newJob(t, a, "reward 0.5", "hold")
	polltest.Until(t, "one is answered", func() bool { return showJob(t, a, half).Done == 1 })
	session := open(t, a, nil)
	damage("vitrine-batches", "answer."+half+".0", `{"reward":`)
	damage("vitrine-sessions", "state."+session, "\x00object gone")
	damage("vitrine-batches", "head.torn", `{"tot`)
	damage("vitrine-batches", "request.lost", `{"Items":7}`)
	damage("vitrine-batches", "head.lost", `{"total":2,"created":"`+time.Now().Format(time.RFC3339)+`"}`)
	polltest.Until(t, "it is seen", func() bool { return log.has("request.lost in the bucket vitrine-batches") })
	for path, name := range map[string]string{
		"/v1/jobs/" + half: "answer." + half + ".0 in the bucket vitrine-batches", "/v1/sessions/" + session: "state." + session + " in the bucket vitrine-sessions",
		"/v1/jobs/torn": "head.torn in the bucket vitrine-batches", "/v1/jobs/lost": "request.lost in the bucket vitrine-batches",
	} {
		var status int
		var text string
		polltest.Until(t, path+" says why", func() bool { status, text = a.Ask(t, "GET", path, nil); return status != http.StatusOK })
		if status != 500 || !strings.Contains(text, name) {
			t.Errorf("%s: %d %s, want %s", path, status, text, name)
		}
	}
	id := newJob(t, a, "reward 0.5")
	polltest.Until(t, "another is done", func() bool { return showJob(t, a, id).Status == "done" })
}
