package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitrine/internal/model/modeltest"
	"vitrine/internal/polltest"
)

// A benchmark that is killed ten times, while a model answers and while another judges, ends
// in the table of one that was not. What was answered or judged is not asked again: only the
// ten questions that were under way are asked twice.
func TestABenchmarkGoesOnAfterTenKills(t *testing.T) {
	needsBrowser(t)
	const kill, tasks = 10, 8
	var mu sync.Mutex
	asked, inARun, kills := map[string]int{}, 0, 0
	held := make(chan struct{})
	t.Cleanup(func() { close(held) }) // before the server's: its answers end with their callers
	server := modeltest.New(t, func(q modeltest.Question) modeltest.Answer {
		mu.Lock()
		defer mu.Unlock()
		asked[q.Model]++
		a := tinyModel(q)
		if q.Model == "writer" {
			a.Text = "```html\n" + strings.Replace(page, "Tea shop", q.Text, 1) + "```"
		}
		if inARun++; inARun == 2 && kills < kill {
			a.Wait = held
		}
		return a
	})
	dir := t.TempDir()
	data := filepath.Join(dir, "all_prompt.jsonl")
	var lines bytes.Buffer
	for i := range tasks {
		must(t, json.NewEncoder(&lines).Encode(map[string]any{"id": i, "prompt": fmt.Sprintf("A page for tea shop %d", i), "category": "Website"}))
	}
	must(t, os.WriteFile(data, lines.Bytes(), 0o600))
	run := func(out string) *exec.Cmd {
		mu.Lock()
		defer mu.Unlock()
		inARun = 0
		cmd := exec.Command("vitrine", "bench", "run", "opendesign", "--data", data, "-m", "openai/writer", "-J", "openai/critic", "-j", "1", "--tape", "off", "--out", filepath.Join(dir, out))
		cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+modeltest.Key, "OPENAI_BASE_URL="+server.URL)
		return cmd
	}
	for range kill {
		cmd := run("killed")
		must(t, cmd.Start())
		polltest.Until(t, "the second question of the run is held", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return inARun == 2
		})
		must(t, cmd.Process.Kill())
		_ = cmd.Wait()
		mu.Lock()
		kills++
		mu.Unlock()
	}
	table := func(out string) string {
		var talk bytes.Buffer
		cmd := run(out)
		cmd.Stderr = &talk
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, &talk)
		}
		return string(text)
	}
	killed := table("killed")
	mu.Lock()
	if asked["writer"]+asked["critic"] != 2*tasks+kill || asked["critic"] <= tasks {
		t.Errorf("%v questions; want %d and one more for each of %d kills", asked, 2*tasks, kill)
	}
	mu.Unlock()
	if whole := strings.ReplaceAll(table("whole"), "whole: ", "killed: "); killed != whole || !strings.Contains(whole, "| openai/writer | 8 | 8 | 0 | 0 |") {
		t.Errorf("killed:\n%s\nwhole:\n%s", killed, whole)
	}
}
