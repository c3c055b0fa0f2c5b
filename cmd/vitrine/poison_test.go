package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// long is a page that keeps the process that scores it busy for seconds.
const long = "<!DOCTYPE html><title>Busy</title><h1>Busy</h1><script>for (;;);</script>"

// alone waits for the process in which a job is scored alone, other than one before. A
// worker that is lost is missed after a minute.
func (p *servingProcess) alone(t *testing.T, before int) (pid int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(3 * time.Minute); ; {
		for id := range descendants(p.Process.Pid) {
			n, err := strconv.Atoi(id)
			must(t, err)
			if args, _ := os.ReadFile("/proc/" + id + "/cmdline"); n != before && bytes.Contains(args, []byte("\x00"+aloneName+"\x00")) {
				return n
			}
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("no process of its own: %s", p.said())
		}
	}
}

// A job that ended the service is run in a process of its own, and only the end of that,
// twice, makes it poison: the service goes on, whatever it is asked and however often.
func TestAJobThatEndsItsProcess(t *testing.T) {
	state := t.TempDir()
	request := fmt.Sprintf(`{"items":[{"output":%q}],"deadline_ms":600000}`, long)
	first := startServing(t, "--state", state, "--cache-dir", t.TempDir())
	go func() {
		if resp, err := http.Post(first.url+"/v1/score", "application/json", strings.NewReader(request)); err == nil {
			resp.Body.Close()
		}
	}()
	first.untilMetrics(t, "vitrine_worker_slots_busy 1") // it has begun, and that is on record
	must(t, first.Process.Signal(syscall.SIGABRT))
	_ = first.Wait()
	p := startServing(t, "--state", state, "--cache-dir", t.TempDir(), "--times", "0")
	score := func() <-chan scoredItems {
		answer := make(chan scoredItems, 1)
		go func() { answer <- ask[scoredItems](t, "POST", p.url+"/v1/score", request) }()
		return answer
	}
	answer := score()
	outside := p.alone(t, 0)
	must(t, syscall.Kill(outside, syscall.SIGKILL)) // which says nothing of the job
	crashed := p.alone(t, outside)
	must(t, syscall.Kill(crashed, syscall.SIGABRT))
	crashed = p.alone(t, crashed)
	must(t, syscall.Kill(crashed, syscall.SIGSEGV))
	if r := (<-answer).Results[0]; r.Status != "unjudged" || r.Reward != nil || !strings.Contains(string(r.Error), `"code":"poison"`) {
		t.Errorf("twice it ended a process of its own: %+v %s", r, r.Error)
	}
	answer = score() // it is not let near the service again
	p.alone(t, crashed)
	if r := (<-answer).Results[0]; r.Status != "scored" || r.Reward == nil {
		t.Errorf("nothing ended it now: %+v %s", r, r.Error)
	}
	p.ends(t)
}
