package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"vitrine/internal/polltest"
	"vitrine/internal/server/servertest"
)

type jobAnswer struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Done    int    `json:"done"`
	Results []struct {
		ID     string   `json:"id"`
		Reward *float64 `json:"reward"`
	} `json:"results"`
}

// Of two services on one cluster one is killed in the middle of a batch and of a session that it
// took: the other ends both, with one answer for each item.
func TestAServiceTakesOverFromOneThatIsKilled(t *testing.T) {
	needsBrowser(t)
	cluster := servertest.StartCluster(t)
	a := startServing(t, "--state", t.TempDir(), "--nats", cluster.URL, "--evidence", "queue", "--no-worker")
	b := startServing(t, "--state", t.TempDir(), "--nats", cluster.URL, "--evidence", "queue")
	const total = 16
	var items []string
	for i := range total {
		items = append(items, fmt.Sprintf(`{"id":"i%d","output":%q}`, i, strings.Replace(page, "Tea shop", fmt.Sprint("Shop ", i), 1)))
	}
	session := ask[map[string]any](t, "POST", a.url+"/v1/sessions", `{"instruction":"A tea shop"}`)
	step := fmt.Sprintf(`{"turn":1,"output":%q}`, page+"<get_feedback>")
	at := func(p *servingProcess) string { return fmt.Sprintf("%s/v1/sessions/%s/step", p.url, session["id"]) }
	first := ask[map[string]any](t, "POST", at(a), step)
	id := ask[jobAnswer](t, "POST", a.url+"/v1/jobs", `{"items":[`+strings.Join(items, ",")+`]}`).ID
	job := func() jobAnswer { return ask[jobAnswer](t, "GET", b.url+"/v1/jobs/"+id, "") }
	polltest.Until(t, "some are answered", func() bool { return job().Done >= 2 })
	must(t, a.Process.Signal(syscall.SIGKILL))
	_ = a.Wait()
	if job().Status != "running" {
		t.Error("the batch was done before its service was killed: the test shows nothing")
	}
	events, err := http.Get(b.url + "/v1/jobs/" + id + "/events") // until the other has taken the batch and ended it
	must(t, err)
	body, err := io.ReadAll(events.Body)
	must(t, err)
	events.Body.Close()
	if n := strings.Count(string(body), "event: result\n"); n != total || !strings.Contains(string(body), "event: done\n") {
		t.Errorf("%d results were sent, want %d, and the end: %s", n, total, body)
	}
	seen := map[string]bool{}
	for _, r := range job().Results {
		if seen[r.ID] || r.Reward == nil {
			t.Errorf("%s has two answers, or one without a reward: %+v", r.ID, r)
		}
		seen[r.ID] = true
	}
	if len(seen) != total {
		t.Errorf("%d of %d items have an answer", len(seen), total)
	}
	if again := ask[map[string]any](t, "POST", at(b), step); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("the same step at the other: %v, want %v", again, first)
	}
	must(t, b.Process.Signal(syscall.SIGTERM))
	if err := b.Wait(); err != nil {
		t.Errorf("%v: %s", err, b.said())
	}
	http.DefaultClient.CloseIdleConnections()
}
