package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/hostiletest"
	"vitrine/internal/polltest"
	"vitrine/internal/sandbox"
)

// mostMemory is what the service may have had at any time, with the race detector.
const mostMemory = 4 << 30

// TestHostileService sends the attacks to the real service, which its clients share:
// victims have the reward that another service gave them alone, the process is the one
// that was started, it has not taken the memory of the machine, and it ends when it is
// asked to. The test is the only one at work: it looks at processes.
func TestHostileService(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes")
	}
	if err := (sandbox.Sandbox{}).Available(t.Context()); err != nil {
		t.Skipf("there is no seal to be tested: %v", err)
	}
	quiet := startServing(t, "--state", t.TempDir(), "--cache-dir", t.TempDir())
	want := map[string]served{}
	for _, v := range hostiletest.Victims() {
		answer, err := quiet.post(v, victimTime)
		must(t, err)
		want[v.ID] = answer
	}
	quiet.endsWell(t)
	online := want["project"].Error == nil
	if !online {
		t.Logf("attacks with packages are left out: %v", want["project"].Error)
	}

	p := startServing(t, "--state", t.TempDir(), "--cache-dir", t.TempDir(), "--grace", "5s", "-j", "4")
	var attacks sync.WaitGroup
	for _, group := range hostiletest.Groups() {
		var sends []func()
		for _, a := range group.Attacks {
			if !a.ForService() || a.Online && !online {
				continue
			}
			send := func() {
				if got, err := p.post(a.Sample, attackTime); err == nil {
					t.Logf("%-26s %s", a.ID, got.result())
				}
			}
			if group.Name == "patterns" { // the project's own tools are at them until they are ended
				attacks.Go(send)
			} else {
				sends = append(sends, send)
			}
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			var bounded errgroup.Group
			bounded.SetLimit(2) // so that the victims need not wait for all of them
			for _, send := range sends {
				bounded.Go(func() error { send(); return nil })
			}
			_ = bounded.Wait()
		}()
		p.sameRewards(t, "among "+group.Name, want)
		<-ended
		p.sameRewards(t, "after "+group.Name, want)
		p.isItself(t)
	}
	p.endsWell(t)
	attacks.Wait()
}

// served is the answer to one item.
type served struct {
	Outcome vitrine.Outcome
	Why     string
	Reward  *float64
	Error   *vitrine.Fault
}

func (s served) result() string {
	if s.Error != nil {
		return "unjudged/" + string(s.Error.Code)
	}
	reason, _, _ := strings.Cut(s.Why, ":")
	return strings.TrimSuffix(string(s.Outcome)+"/"+reason, "/")
}

func (s served) reward() any {
	if s.Reward == nil {
		return nil
	}
	return *s.Reward
}

// How long the service may take for a sample. A victim waits until the attacks before it are
// over, each of which has its time from when it was sent; a slow machine needs more than that.
const (
	victimTime = 15 * time.Minute
	attackTime = 2 * time.Minute
)

// post sends a sample and reads the answer, which comes within the limit.
func (p *servingProcess) post(s hostiletest.Sample, limit time.Duration) (served, error) {
	item := map[string]any{"id": s.ID}
	if s.Files == nil {
		item["output"] = s.Text
	} else {
		item["files"], item["kind"] = s.Files, s.Kind
	}
	body, err := json.Marshal(map[string]any{"items": []any{item}, "deadline_ms": limit.Milliseconds()})
	if err != nil {
		return served{}, err
	}
	client := &http.Client{Timeout: limit + time.Minute}
	defer client.CloseIdleConnections()
	resp, err := client.Post(p.url+"/v1/score", "application/json", bytes.NewReader(body))
	if err != nil {
		return served{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return served{}, err
	}
	var answer struct{ Results []served }
	if err := json.Unmarshal(text, &answer); err != nil || len(answer.Results) != 1 {
		return served{}, fmt.Errorf("%s: %d %.300s", s.ID, resp.StatusCode, text)
	}
	return answer.Results[0], nil
}

// sameRewards scores the victims, written otherwise, and compares them.
func (p *servingProcess) sameRewards(t *testing.T, when string, want map[string]served) {
	t.Helper()
	p.rounds++
	for _, v := range hostiletest.Victims() {
		got, err := p.post(v.Again(p.rounds), victimTime)
		if err != nil {
			t.Fatalf("%s %s is not answered: %v", v.ID, when, err)
		}
		if alone := want[v.ID]; got.result() != alone.result() || fmt.Sprint(got.reward()) != fmt.Sprint(alone.reward()) {
			t.Errorf("%s %s: %s with %v, alone %s with %v (%s%v)", v.ID, when, got.result(), got.reward(), alone.result(), alone.reward(), got.Why, got.Error)
		}
	}
}

// isItself wants the process to be the one that was started, and to have had a bounded
// part of the memory.
func (p *servingProcess) isItself(t *testing.T) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil || strings.Contains(string(status), "\nState:\tZ") {
		t.Fatalf("the service has died: %v\n%.4000s", err, p.said())
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(peak)[0])
	must(t, err)
	if kb > mostMemory>>10 {
		t.Errorf("the service has had %d MB of memory", kb>>10)
	}
}

// endsWell asks the service to end and wants nothing of it to be left.
func (p *servingProcess) endsWell(t *testing.T) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	below := descendants(p.Process.Pid)
	must(t, p.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v: %.2000s", err, p.said())
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("the service does not end when it is asked to")
	}
	polltest.Until(t, "what the service had started is gone", func() bool {
		for id, started := range below {
			if alive(id, started) {
				return false
			}
		}
		return true
	})
}
