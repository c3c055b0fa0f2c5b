package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"vitrine/internal/generate"
	"vitrine/internal/model/modeltest"
	"vitrine/internal/polltest"
)

// Killed ten times in the middle of a question, generate comes to the outputs of a run that
// was not killed, and asks for no recorded answer again: only the ten questions that were
// under way are asked twice.
func TestGenerateGoesOnAfterTenKills(t *testing.T) {
	var mu sync.Mutex
	asked, inARun, kills := map[string]int{}, 0, 0
	const kill, all = 10, 25
	held := make(chan struct{})
	t.Cleanup(func() { close(held) }) // before the server's: its answers end with their callers
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		asked[strings.TrimSpace(q.Text)]++
		a := modeltest.Answer{Text: "<p>" + strings.TrimSpace(q.Text) + "</p>"}
		if inARun++; inARun == 3 && kills < kill {
			a.Wait = held
		}
		return a
	})
	dir := t.TempDir()
	var lines bytes.Buffer
	for i := range all {
		fmt.Fprintf(&lines, `{"id":"t%d","instruction":"Page %d."}`+"\n", i, i)
	}
	must(t, os.WriteFile(filepath.Join(dir, "tasks.jsonl"), lines.Bytes(), 0o644))
	out := filepath.Join(dir, "out.jsonl")
	run := func() *exec.Cmd {
		mu.Lock()
		defer mu.Unlock()
		inARun = 0
		cmd := exec.Command("vitrine", "generate", filepath.Join(dir, "tasks.jsonl"), "-m", "openai/author", "-j", "1", "--tape", "off", "--out", out, "--resume")
		cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+modeltest.Key, "OPENAI_BASE_URL="+server.URL)
		return cmd
	}
	for range kill {
		cmd := run()
		must(t, cmd.Start())
		polltest.Until(t, "the third question of the run is held", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return inARun == 3
		})
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
		mu.Lock()
		kills++
		mu.Unlock()
	}
	if said, err := run().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	twice := 0
	for i := range all {
		twice += asked[fmt.Sprintf("Page %d.", i)] - 1
	}
	f, err := generate.Open(out, true)
	must(t, err)
	must(t, f.Close())
	if twice != kill || len(f.Done) != all || f.Done["t7-0"].Text != "<p>Page 7.</p>" {
		t.Errorf("%d questions were asked again, want %d; %d answers, want %d", twice, kill, len(f.Done), all)
	}
}
