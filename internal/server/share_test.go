package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// two are a service with two owners, with its state in a folder,, and what asks it for one of them.
func two(t *testing.T, dir string, change func(*server.Settings)) (s *servertest.Service, ask func(token, path, body string) (int, http.Header, string)) {
	t.Helper()
	s = servertest.Start(t, servertest.Options{Dir: dir, Server: func(s *server.Settings) {
		s.Tokens = []string{"first", "second", "third"}
		change(s)
	}})
	t.Cleanup(s.Scorer.Release)
	return s, func(token, path, body string) (int, http.Header, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+path, strings.NewReader(body))
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		return resp.StatusCode, resp.Header, string(text)
	}
}

// counted is how many of some requests were taken before the first that was not, which
// must say when to ask again.
func counted(t *testing.T, most int, ask func(i int) (int, http.Header, string)) (taken, refusal int) {
	t.Helper()
	for i := range most {
		status, header, text := ask(i)
		if status >= 400 {
			if header.Get("Retry-After") == "" {
				t.Errorf("%d without Retry-After: %s", status, text)
			}
			return i, status
		}
	}
	return most, 0
}

// No owner can take what is limited from the others: whoever comes gets half of what is
// left.
func TestNoOwnerTakesAll(t *testing.T) {
	_, ask := two(t, "", func(s *server.Settings) { s.MaxJobs, s.MaxSessions = 8, 8 })
	for path, body := range map[string]string{"/v1/jobs": `{"client":"%s %d","items":[{"output":"hold"}]}`, "/v1/sessions": `{"client":"%s %d","instruction":"x"}`} {
		for _, c := range []struct {
			token string
			want  int
		}{{"first", 4}, {"second", 2}, {"third", 1}} {
			n, status := counted(t, 8, func(i int) (int, http.Header, string) { return ask(c.token, path, fmt.Sprintf(body, c.token, i)) })
			if n != c.want || status != 429 {
				t.Errorf("%s of %s: %d were taken, want %d, then %d", path, c.token, n, c.want, status)
			}
		}
	}
}

// What open jobs hold is bounded until they are done, for each owner and in all, and after
// a restart.
func TestOpenJobsAreBoundedInMemory(t *testing.T) {
	const limit = 64 << 20 // of bodies; jobs have half of it
	dir := t.TempDir()
	settings := func(s *server.Settings) { s.BodyMemory = limit }
	s, ask := two(t, dir, settings)
	large := fmt.Sprintf(`{"items":[{"output":"hold %s"}]}`, strings.Repeat("a", 1<<20)) // 4 MB as a job
	job := func(token string) (int, int) {
		return counted(t, 100, func(int) (int, http.Header, string) { return ask(token, "/v1/jobs", large) })
	}
	if n, status := job("first"); n != 4 || status != 429 {
		t.Errorf("the first took %d jobs, want 4, then %d", n, status)
	}
	if n, status := job("second"); n != 2 || status != 429 {
		t.Errorf("the second took %d jobs, want 2, then %d", n, status)
	}
	if status, _, text := ask("second", "/v1/score", `{"items":[{"output":"reward 1"}]}`); status != 200 {
		t.Errorf("a request beside full jobs: %d %s", status, text)
	}
	if s.JobMemory() < 6<<22 {
		t.Errorf("6 jobs hold %d bytes", s.JobMemory())
	}
	must(t, s.Stop())
	s, ask = two(t, dir, settings)
	if n, _ := job("first"); n != 0 {
		t.Errorf("after a restart the first took %d more", n)
	}
	s.Scorer.Release()
	polltest.Until(t, "the jobs are done", func() bool { return s.JobMemory() == 0 })
	if n, _ := counted(t, 1, func(int) (int, http.Header, string) { return ask("first", "/v1/jobs", large) }); n != 1 {
		t.Error("a job is refused though all are done")
	}
}

// What many small pieces take is counted, not their length.
func TestPiecesOfJobsAreCounted(t *testing.T) {
	_, ask := two(t, "", func(s *server.Settings) { s.BodyMemory = 64 << 20 })
	files := map[string]string{}
	for i := range 50_000 {
		files[fmt.Sprint(i)] = ""
	}
	raw, err := json.Marshal(files)
	must(t, err)
	n, status := counted(t, 100, func(int) (int, http.Header, string) {
		return ask("first", "/v1/jobs", `{"items":[{"output":"hold"},{"files":`+string(raw)+`}]}`)
	})
	if n > 3 || status != 429 {
		t.Errorf("%d jobs of 50 000 files were taken, then %d", n, status)
	}
}

// A session with answers that no message takes goes on as any other.
func TestLargeSessions(t *testing.T) {
	c := servertest.StartCluster(t)
	s := servertest.Start(t, servertest.Options{Queue: c.Join})
	id := open(t, s, map[string]any{"max_rounds": 5})
	step(t, s, id, 1, "reward 0.25 <get_feedback>")
	step(t, s, id, 2, "reward 0.5 <get_feedback>"+strings.Repeat("a", 3<<20))
	if last := step(t, s, id, 3, "reward 0.75"); *last.BestScore != 0.75 || last.Round != 3 {
		t.Errorf("%+v", last)
	}
}
