package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// jobView is what /v1/jobs answers.
type jobView struct {
	ID      string          `json:"id"`
	Status  string          `json:"status"`
	Total   int             `json:"total"`
	Done    int             `json:"done"`
	Results []server.Result `json:"results"`
}

func newJob(t *testing.T, s *servertest.Service, outputs ...string) string {
	t.Helper()
	var items []item
	for i, o := range outputs {
		items = append(items, item{"id": fmt.Sprint("i", i), "output": o})
	}
	status, text := s.Ask(t, "POST", "/v1/jobs", body(items...))
	j := decoded[jobView](t, text)
	if status != 202 || j.ID == "" || j.Total != len(outputs) {
		t.Fatalf("%d %s", status, text)
	}
	return j.ID
}

func showJob(t *testing.T, s *servertest.Service, id string) jobView {
	t.Helper()
	status, text := s.Ask(t, "GET", "/v1/jobs/"+id, nil)
	if status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	return decoded[jobView](t, text)
}

// event is one of a stream.
type event struct{ name, id, data string }

// events reads a stream to its end, or until there are max.
func events(t *testing.T, s *servertest.Service, id, last string, max int) (all []event) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/jobs/"+id+"/events", nil)
	must(t, err)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	var e event
	for lines := bufio.NewScanner(resp.Body); len(all) < max && lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			e.data = value
		case "":
			all = append(all, e)
			e = event{}
		}
	}
	return all
}

func TestJob(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := newJob(t, s, "reward 0.5", "fault poison", "hold")
	first := events(t, s, id, "", 2)
	if len(first) != 2 || first[0].name != "result" || first[0].id != "1" || first[1].id != "2" {
		t.Fatalf("%+v", first)
	}
	s.Scorer.Release()
	rest := events(t, s, id, "2", 10)
	if len(rest) != 2 || rest[0].name != "result" || rest[0].id != "3" || rest[1].name != "done" || !strings.Contains(rest[1].data, `"done":3`) {
		t.Errorf("%+v", rest)
	}
	j := showJob(t, s, id)
	if j.Status != "done" || j.Done != 3 || len(j.Results) != 3 {
		t.Errorf("%+v", j)
	}
	nulls := 0
	for _, r := range j.Results {
		if r.Reward == nil {
			nulls++
		}
	}
	if nulls != 1 {
		t.Errorf("%d without a reward, want 1", nulls)
	}
}

func TestCancelledJob(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	defer s.Scorer.Release()
	id := newJob(t, s, "hold 1", "hold 2")
	polltest.Until(t, "it is under way", func() bool { return s.Scorer.Calls.Load() > 0 })
	if status, text := s.Ask(t, "DELETE", "/v1/jobs/"+id, nil); status != 200 || decoded[jobView](t, text).Status != "cancelled" {
		t.Errorf("%d %s", status, text)
	}
	all := events(t, s, id, "", 10)
	if len(all) != 1 || all[0].name != "done" || !strings.Contains(all[0].data, "cancelled") {
		t.Errorf("%+v", all)
	}
}

func TestJobsSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	s := servertest.Start(t, servertest.Options{Dir: dir})
	id := newJob(t, s, "reward 0.5", "hold")
	polltest.Until(t, "one is done", func() bool { return showJob(t, s, id).Done == 1 })
	must(t, s.Stop())
	s = servertest.Start(t, servertest.Options{Dir: dir})
	s.Scorer.Release()
	polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
	j := showJob(t, s, id)
	if j.Done != 2 || *j.Results[0].Reward != 0.5 || *j.Results[1].Reward != 1 {
		t.Errorf("%s", jsonOf(t, j))
	}
	must(t, s.Stop())
	s = servertest.Start(t, servertest.Options{Dir: dir})
	if again := showJob(t, s, id); jsonOf(t, again) != jsonOf(t, j) {
		t.Errorf("after another restart %s", jsonOf(t, again))
	}
}

func TestJobsAreBounded(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.MaxJobs = 1 }})
	defer s.Scorer.Release()
	newJob(t, s, "hold")
	if status, text := s.Ask(t, "POST", "/v1/jobs", body(item{"output": "hold"})); status != 429 {
		t.Errorf("%d %s", status, text)
	}
}

func TestEmptyJob(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	id := newJob(t, s)
	polltest.Until(t, "it is done", func() bool { return showJob(t, s, id).Status == "done" })
}

func TestOpenAPINamesEveryRoute(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	_, text := s.Ask(t, "GET", "/openapi.json", nil)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]json.RawMessage `json:"responses"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	must(t, json.Unmarshal([]byte(text), &doc))
	for path, methods := range map[string]string{
		"/v1/score": "post", "/v1/recipes": "get", "/v1/recipes/{name}": "get", "/v1/jobs": "post", "/v1/jobs/{id}": "get delete", "/v1/jobs/{id}/events": "get",
		"/v1/tasks": "get", "/v1/tasks/{id}": "get", "/v1/sessions": "post", "/v1/sessions/{id}": "get delete", "/v1/sessions/{id}/step": "post", "/v1/sessions/{id}/finish": "post",
		"/v1/evidence/{hash}/{file}": "get", "/v1/frames/{name}": "get", "/healthz": "get", "/readyz": "get", "/metrics": "get",
	} {
		for _, method := range strings.Fields(methods) {
			if _, there := doc.Paths[path][method].Responses["default"]; !there {
				t.Errorf("%s %s is not there, or has no problem", method, path)
			}
		}
	}
	if _, there := doc.Components.Schemas["Problem"]; !there {
		t.Error("problems are not described")
	}
}

func TestEvidence(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	_, text := s.Ask(t, "POST", "/v1/score", body(item{"output": "<script>alert(1)</script> reward 0.5"}))
	r := decoded[answers](t, text).Results[0]
	for path, want := range map[string]string{r.Evidence: "frames/index@desktop@0.png", r.Evidence + "output.txt": "<script>", r.Frames[0]: servertest.Frame, strings.Split(r.Frames[0], "?")[0]: servertest.Frame} {
		resp, err := http.Get(s.URL + path)
		must(t, err)
		resp.Body.Close()
		kind := resp.Header.Get("Content-Type")
		if _, text := s.Ask(t, "GET", path, nil); resp.StatusCode != 200 || !strings.Contains(text, want) || strings.Contains(kind, "html") || resp.Header.Get("ETag") == "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %s %q", path, resp.StatusCode, kind, text)
		}
	}
	page := strings.Replace(r.Evidence, "/v1/evidence", s.PagesURL, 1)
	resp, err := http.Get(page)
	must(t, err)
	resp.Body.Close()
	if policy := resp.Header.Get("Content-Security-Policy"); resp.StatusCode != 200 || !strings.Contains(resp.Header.Get("Content-Type"), "html") || !strings.HasPrefix(policy, "sandbox allow-scripts; default-src 'self'") || strings.Contains(policy, "allow-same-origin") {
		t.Errorf("the live page: %d %s %s", resp.StatusCode, resp.Header.Get("Content-Type"), policy)
	}
	for _, path := range []string{"/v1/score", "/metrics", "/v1/recipes"} {
		resp, err := http.Get(s.PagesURL + path)
		must(t, err)
		resp.Body.Close()
		if resp.StatusCode != 404 {
			t.Errorf("the second origin answers %s with %d", path, resp.StatusCode)
		}
	}
}
