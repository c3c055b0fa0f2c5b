package server_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"vitrine/internal/polltest"
	"vitrine/internal/server"
	"vitrine/internal/server/servertest"
)

// send sends a request that change has made special.
func send(t *testing.T, url string, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(`{"items":[]}`))
	must(t, err)
	change(r)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp.StatusCode, string(b)
}

func TestWhoIsLetIn(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		s.Hosts, s.Origins = []string{"vitrine.lab"}, []string{"https://lab.example"}
	}})
	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"plain":                   {func(*http.Request) {}, 200},
		"by name":                 {func(r *http.Request) { r.Host = "localhost:7400" }, 200},
		"by a trusted name":       {func(r *http.Request) { r.Host = "vitrine.lab" }, 200},
		"rebound name":            {func(r *http.Request) { r.Host = "evil.example" }, 421},
		"rebound name with port":  {func(r *http.Request) { r.Host = "evil.example:7400" }, 421},
		"another page":            {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a page in a sandbox":     {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"a page, told by browser": {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a trusted page":          {func(r *http.Request) { r.Header.Set("Origin", "https://lab.example") }, 200},
		"the second origin":       {func(r *http.Request) { r.Header.Set("Origin", s.PagesURL) }, 403},
		"another page that reads": {func(r *http.Request) {
			r.Method, r.Body, r.ContentLength = "GET", nil, 0
			r.URL.Path = "/v1/recipes"
			r.Header.Set("Origin", "https://evil.example")
		}, 403},
	} {
		if status, text := send(t, s.URL+"/v1/score", c.change); status != c.status || status != 200 && !strings.Contains(text, `"code":"forbidden"`) {
			t.Errorf("%s: %d %s, want %d", name, status, text, c.status)
		}
	}
}

func TestToken(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.Tokens = []string{"right"} }})
	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"none":            {func(*http.Request) {}, 401},
		"wrong":           {func(r *http.Request) { r.Header.Set("Authorization", "Bearer wrong") }, 401},
		"empty":           {func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, 401},
		"bearer":          {func(r *http.Request) { r.Header.Set("Authorization", "Bearer right") }, 200},
		"password of URL": {func(r *http.Request) { r.SetBasicAuth("trainer", "right") }, 200},
		"key of ORS":      {func(r *http.Request) { r.Header.Set("X-API-Key", "right") }, 200},
		"any name":        {func(r *http.Request) { r.Host = "node7"; r.Header.Set("Authorization", "Bearer right") }, 200},
	} {
		if status, text := send(t, s.URL+"/v1/score", c.change); status != c.status || status == 401 && !strings.Contains(text, `"code":"unauthorized"`) {
			t.Errorf("%s: %d %s, want %d", name, status, text, c.status)
		}
	}
	if status, _ := s.Ask(t, "GET", "/healthz", nil); status != 200 {
		t.Errorf("/healthz without the token: %d", status)
	}
	if status, _ := s.Ask(t, "GET", "/metrics", nil); status != 401 {
		t.Errorf("/metrics without the token: %d", status)
	}
}

func TestListeningBeyondThisMachineNeedsAToken(t *testing.T) {
	for address, fine := range map[string]bool{"127.0.0.1:0": true, "[::1]:1": true, "localhost:1": true, "0.0.0.0:1": false, ":1": false, "10.1.2.3:1": false, "node7:1": false, "nonsense": false} {
		if err := server.CheckListen(address, nil); (err == nil) != fine {
			t.Errorf("%s without a token: %v", address, err)
		}
		if err := server.CheckListen(address, []string{"token"}); err != nil {
			t.Errorf("%s with a token: %v", address, err)
		}
	}
}

// endless sends as much as is taken.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("a"), len(p))), nil }

func TestBodiesAreBounded(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) { s.MaxBody = 1 << 20 }})
	status, text := send(t, s.URL+"/v1/score", func(r *http.Request) { r.ContentLength = 200 << 20; r.Body = io.NopCloser(endless{}) })
	if status != 413 || !strings.Contains(text, `"code":"too_large"`) {
		t.Errorf("200 MB: %d %s", status, text)
	}
	status, text = send(t, s.URL+"/v1/score", func(r *http.Request) {
		r.ContentLength = -1
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"items":[{"output":"`), io.LimitReader(endless{}, 2<<20)))
	})
	if status != 413 || !strings.Contains(text, `"code":"too_large"`) {
		t.Errorf("2 MB of unknown length: %d %s", status, text)
	}
	if status, _ := s.Ask(t, "POST", "/v1/score", body(item{"output": "reward 1"})); status != 200 {
		t.Errorf("the next request: %d", status)
	}
}

func TestSlowSendersAreCutOff(t *testing.T) {
	s := servertest.Start(t, servertest.Options{
		Server: func(s *server.Settings) { s.ReadTimeout = 600 * time.Millisecond }, Other: func(*server.Server) http.Handler { return http.NewServeMux() },
	})
	for name, c := range map[string]struct{ url, begin string }{
		"headers":              {s.URL, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nX-A: "},
		"body":                 {s.URL, "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"items\":"},
		"headers to the pages": {s.PagesURL, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "},
		"headers to a port":    {s.Other, "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: "},
		"no request at all":    {s.Other, ""},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
		must(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, c.begin)
		must(t, err)
		must(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
		answer, err := io.ReadAll(bufio.NewReader(conn))
		var slow net.Error
		if errors.As(err, &slow) && slow.Timeout() {
			t.Errorf("slow %s: the connection was never cut", name)
		}
		if name == "body" && !bytes.Contains(answer, []byte("408")) {
			t.Errorf("slow body: %q", answer)
		}
	}
}

// Of several tokens each is a client of its own; none of them is told.
func TestTokensAreClients(t *testing.T) {
	var log bytes.Buffer
	s := servertest.Start(t, servertest.Options{Server: func(s *server.Settings) {
		s.Tokens, s.Concurrent = []string{"first", "second"}, 1000
		s.Log = slog.New(slog.NewTextHandler(&log, nil))
	}})
	with := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	batch := func(n int, output, client string) string {
		var items []item
		for i := range n {
			items = append(items, item{"output": fmt.Sprint(output, " ", i)})
		}
		return jsonOf(t, map[string]any{"items": items, "client": client})
	}
	greedy := make(chan int, 2)
	for i := range 2 {
		go func() {
			status, _ := send(t, s.URL+"/v1/score", func(r *http.Request) {
				with("first")(r)
				r.Body = io.NopCloser(strings.NewReader(batch(1000, fmt.Sprint("hold ", i), fmt.Sprint("name ", i))))
				r.ContentLength = -1
			})
			greedy <- status
		}()
	}
	polltest.Until(t, "the slots are taken", func() bool { return s.Scorer.Calls.Load() == 4 })
	modest := make(chan string, 1)
	go func() {
		_, text := send(t, s.URL+"/v1/score", func(r *http.Request) {
			with("second")(r)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(batch(3, "reward 1", ""))), -1
		})
		modest <- text
	}()
	polltest.Until(t, "both wait", func() bool {
		resp, err := http.DefaultClient.Do(authorised(t, s.URL+"/metrics", "second"))
		must(t, err)
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return bytes.Contains(b, []byte("vitrine_queue_depth 1999"))
	})
	s.Scorer.Release()
	if text := <-modest; strings.Count(text, `"reward":1`) != 3 {
		t.Errorf("the modest client got %.300s", text)
	}
	if n := s.Scorer.Calls.Load(); n > 200 {
		t.Errorf("%d outputs of the greedy client were judged before", n)
	}
	for range 2 {
		if status := <-greedy; status != 200 {
			t.Errorf("the greedy client got %d", status)
		}
	}
	must(t, s.Stop())
	if strings.Contains(log.String(), "first") || strings.Contains(log.String(), "second") {
		t.Errorf("a token is in the log: %s", log.String())
	}
}

func authorised(t *testing.T, url, token string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// What is compressed is not unpacked.
func TestCompressedBodiesAreRefused(t *testing.T) {
	s := servertest.Start(t, servertest.Options{})
	if status, text := send(t, s.URL+"/v1/score", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }); status != 415 || !strings.Contains(text, "compressed") {
		t.Errorf("%d %s", status, text)
	}
}

// What is small as text may be large in memory.
func TestPiecesAreBounded(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Mount: func(s *server.Server) {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /read", func(w http.ResponseWriter, r *http.Request) {
			var v any
			if err := server.Decode(r, &v); err != nil {
				server.Fail(w, err)
				return
			}
			server.Reply(w, true)
		})
		s.Mount("/protocol/", mux)
	}})
	for name, c := range map[string]struct{ piece, says string }{
		"objects": {`{},`, "objects and lists"}, "numbers": {`0,`, "values"},
	} {
		text := `{"items":[` + strings.Repeat(c.piece, 4<<20) + `{}]}`
		for _, path := range []string{"/v1/score", "/v1/jobs", "/protocol/read"} {
			if status, text := s.Ask(t, "POST", path, text); status != 422 && status != 400 || !strings.Contains(text, c.says) || !strings.Contains(text, "invalid_input") {
				t.Errorf("%s, %s: %d %.300s", path, name, status, text)
			}
		}
	}
	if status, text := s.Ask(t, "POST", "/v1/score", `{"items":[{"output":"x"}`+strings.Repeat(`,{"output":"x"}`, 4096)+`]}`); status != 413 || !strings.Contains(text, "too_large") {
		t.Errorf("4097 items: %d %s", status, text)
	}
}

func TestProtocolsAnswerWithProblems(t *testing.T) {
	mount := func(*server.Server) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /rm", func(w http.ResponseWriter, _ *http.Request) { server.Reply(w, math.Inf(1)) })
		return mux
	}
	s := servertest.Start(t, servertest.Options{Mount: func(s *server.Server) { s.Mount("/protocol/", mount(s)) }, Other: mount})
	for _, c := range []struct {
		method, url string
		status      int
		code        string
	}{
		{"GET", s.URL + "/protocol/nothing", 404, "not_found"}, {"GET", s.URL + "/protocol/rm", 405, "method_not_allowed"},
		{"GET", s.Other + "/nothing", 404, "not_found"}, {"GET", s.Other + "/rm", 405, "method_not_allowed"},
		{"POST", s.URL + "/protocol/rm", 500, "internal"}, // what cannot be written is no empty success
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
		must(t, err)
		resp, err := http.DefaultClient.Do(r)
		must(t, err)
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		must(t, err)
		if resp.StatusCode != c.status || resp.Header.Get("Content-Type") != "application/problem+json" || decoded[server.Problem](t, string(text)).Code != c.code {
			t.Errorf("%s %s: %d %s", c.method, c.url, resp.StatusCode, text)
		}
	}
}
