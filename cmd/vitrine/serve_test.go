package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"vitrine/internal/polltest"
)

// A serving process is the real service, with a real browser.
type servingProcess struct {
	*exec.Cmd
	url string
	mu  sync.Mutex
	err bytes.Buffer
	// rounds is how often the victims of attacks were sent.
	rounds int
}

func (p *servingProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err.Write(b)
}

func (p *servingProcess) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err.String()
}

var servingOn = regexp.MustCompile(`serving on (http://\S+)`)

func startServing(t *testing.T, args ...string) *servingProcess {
	t.Helper()
	return serveWith(t, "vitrine", args...)
}

// serveWith starts the service of a program.
func serveWith(t *testing.T, program string, args ...string) *servingProcess {
	t.Helper()
	needsBrowser(t)
	args = append([]string{"serve", "--listen", "127.0.0.1:0", "--listen-pages", "127.0.0.1:0", "--times", "0", "-j", "2"}, args...)
	p := &servingProcess{Cmd: exec.Command(program, args...)}
	p.Stderr = p
	must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	polltest.Until(t, "it serves", func() bool {
		if m := servingOn.FindStringSubmatch(p.said()); m != nil {
			p.url = m[1]
		}
		return p.url != ""
	})
	return p
}

// ask sends a request and reads the JSON of the answer.
func ask[T any](t *testing.T, method, url, body string) (v T) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	must(t, err)
	resp, err := http.DefaultClient.Do(r)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	if err := json.Unmarshal(text, &v); err != nil || resp.StatusCode > 299 {
		t.Fatalf("%s %s: %d %s", method, url, resp.StatusCode, text)
	}
	return v
}

type scoredItems struct {
	Results []struct {
		Status  string          `json:"status"`
		Outcome string          `json:"outcome"`
		Reward  *float64        `json:"reward"`
		Frames  []string        `json:"frames"`
		Error   json.RawMessage `json:"error"`
	} `json:"results"`
}

// replacesItsBrowser kills the browser and wants another one to be on /metrics.
func (p *servingProcess) replacesItsBrowser(t *testing.T) {
	t.Helper()
	p.untilMetrics(t, `vitrine_browsers{state="serving"} 1`, `vitrine_browser_kills_total{reason="died"} 0`)
	for id := range descendants(p.Process.Pid) {
		if args, _ := os.ReadFile("/proc/" + id + "/cmdline"); bytes.Contains(args, []byte("\x00--headless\x00")) && !bytes.Contains(args, []byte("--type=")) {
			pid, err := strconv.Atoi(id)
			must(t, err)
			_ = syscall.Kill(pid, syscall.SIGKILL) // one may have ended with another
		}
	}
	p.untilMetrics(t, `vitrine_browsers{state="serving"} 0`)
	request := fmt.Sprintf(`{"items":[{"output":%q}]}`, strings.Replace(page, "Tea shop", "Another shop", 1))
	if r := ask[scoredItems](t, "POST", p.url+"/v1/score", request).Results[0]; r.Outcome != "rendered" {
		t.Errorf("after its browser was killed: %+v", r)
	}
	p.untilMetrics(t, `vitrine_browsers{state="serving"} 1`, `vitrine_browser_kills_total{reason="died"} 1`)
}

// untilMetrics waits until /metrics has some lines.
func (p *servingProcess) untilMetrics(t *testing.T, lines ...string) {
	t.Helper()
	polltest.Until(t, fmt.Sprint("/metrics has ", lines), func() bool {
		resp, err := http.Get(p.url + "/metrics")
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(string(text), line+"\n") })
	})
}

func TestServeWithARealBrowser(t *testing.T) {
	state := t.TempDir()
	p := startServing(t, "--state", state)
	blank := `<!DOCTYPE html><html lang=\"en\"><head><title>x</title></head><body></body></html>`
	request := fmt.Sprintf(`{"items":[{"instruction":"A tea shop","output":%q},{"output":"%s"},{"output":"I cannot do that."},{"instruction":"A tea shop","files":{"index.html":%q}}]}`, page, blank, page)
	got := ask[scoredItems](t, "POST", p.url+"/v1/score", request).Results
	for i, want := range []string{"rendered", "invalid_render", "no_artifact", "rendered"} {
		if r := got[i]; r.Status != "scored" || r.Outcome != want || r.Reward == nil || (*r.Reward > 0) != (want == "rendered") {
			t.Errorf("item %d: %+v, want %s", i, r, want)
		}
	}
	if *got[0].Reward != *got[3].Reward {
		t.Errorf("the same page has %v as a text and %v as files", *got[0].Reward, *got[3].Reward)
	}
	resp, err := http.Get(p.url + got[0].Frames[0])
	must(t, err)
	png, err := io.ReadAll(resp.Body)
	must(t, err)
	resp.Body.Close()
	if !bytes.HasPrefix(png, []byte("\x89PNG")) || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the screenshot is %d %.20q", resp.StatusCode, png)
	}
	p.replacesItsBrowser(t)
	session := ask[map[string]any](t, "POST", p.url+"/v1/sessions", `{"instruction":"A tea shop"}`)
	turn := ask[map[string]any](t, "POST", fmt.Sprintf("%s/v1/sessions/%s/step", p.url, session["id"]), fmt.Sprintf(`{"turn":1,"output":%q}`, page+"<get_feedback>"))
	if turn["score"] != *got[0].Reward || turn["action"] != "revise" || !strings.Contains(fmt.Sprint(turn["observation"]), "<mlm_feedback>") {
		t.Errorf("a step: %v", turn)
	}
	for path, body := range map[string]string{
		"/openrlhf/get_reward": `{"query":[]}`, "/slime/rm": `{"response":"no site"}`, "/gym/verify": `{}`, "/verltool/get_observation": `{"trajectory_ids":[],"actions":[]}`, "/openenv/mcp": `{}`,
	} {
		ask[map[string]any](t, "POST", p.url+path, body) // fails unless it is served
	}
	must(t, p.Process.Signal(syscall.SIGTERM))
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.said())
	}
	http.DefaultClient.CloseIdleConnections()
	again := startServing(t, "--state", state)
	if r := ask[scoredItems](t, "POST", again.url+"/v1/score", request).Results[0]; *r.Reward != *got[0].Reward {
		t.Errorf("after a restart %v, before %v", *r.Reward, *got[0].Reward)
	}
	must(t, again.Process.Signal(syscall.SIGTERM))
	_ = again.Wait()
	http.DefaultClient.CloseIdleConnections()
}
