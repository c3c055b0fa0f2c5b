package flow_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/data/flow"
)

// untilKilled runs relook-clean in a process that is killed so long after its first step
// began; took is how long it ran from then on where it ended by itself.
func untilKilled(t *testing.T, out string, after time.Duration) (killed bool, took time.Duration) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+out)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	lines.Scan()
	began := time.Now()
	kill := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	for lines.Scan() {
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Exited()) {
		t.Fatalf("a run that was not killed: %v", err)
	}
	return err != nil, time.Since(began)
}

// TestKilledRunsEndWithTheSameBytes kills runs at twenty moments, drawn from the time that a
// whole one takes. Each goes on in the same folder until it is done, and then another begins.
func TestKilledRunsEndWithTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "in.jsonl", tasks(500))
	write(t, dir, "bench.jsonl", tasks(20))
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	_, took := untilKilled(t, whole, time.Hour)
	same := func() {
		for _, name := range []string{"train.jsonl", "validation.jsonl", flow.SummaryFile} {
			if a, b := read(t, filepath.Join(whole, name)), read(t, filepath.Join(out, name)); !bytes.Equal(a, b) {
				t.Errorf("%s is not the same after kills: %d and %d bytes", name, len(a), len(b))
			}
		}
	}
	random, dead := rand.New(rand.NewPCG(3, 4)), 0
	for tries := 0; dead < kills; tries++ {
		if tries > 10*kills {
			t.Fatalf("killed %d times in %d tries", dead, tries)
		}
		killed, _ := untilKilled(t, out, time.Duration(random.Float64()*float64(took)))
		if killed {
			dead++
			continue
		}
		same()
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
	untilKilled(t, out, time.Hour)
	same()
}

// TestOneRunAtATimeWorksInAFolder begins a second one from within the first.
func TestOneRunAtATimeWorksInAFolder(t *testing.T) {
	dir := t.TempDir()
	p, err := flow.Load("relook-clean")
	if err != nil {
		t.Fatal(err)
	}
	s := settings(p, filepath.Join(dir, "out"), write(t, dir, "in.jsonl", tasks(20)), write(t, dir, "bench.jsonl", tasks(2)))
	var second error
	other := s
	s.Say = func(string, ...any) { _, second = flow.Run(context.Background(), other) }
	run(t, s)
	if f := vitrine.AsFault("", second); second == nil || f.Code != vitrine.FaultUsage || f.Fix == "" {
		t.Errorf("%v, want the second run refused with a fix", second)
	}
	s.Say = t.Logf
	run(t, s)
}
