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
	"syscall"
	"testing"

	"vitrine/internal/model/modeltest"
	"vitrine/internal/polltest"
	"vitrine/internal/refine"
)

// twoRounds is a model that writes a first and a better version, and judges both.
type twoRounds struct {
	mu              sync.Mutex
	written, judged int
	// Of the second round: the answers to the first question of each kind wait.
	holdVersion, holdScore <-chan struct{}
}

func (m *twoRounds) answer(q modeltest.Question) modeltest.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if q.Model == "critic" {
		m.judged++
		a := modeltest.Answer{Text: fmt.Sprintf(`{"critique": ["Larger type, since it is hard to read."], "score": %d}`, 30+m.judged)}
		if m.judged == 2 {
			a.Wait = m.holdScore
		}
		return a
	}
	m.written++
	if !strings.Contains(q.Text, "First try") {
		return modeltest.Answer{Text: "```html\n" + strings.Replace(page, "Tea shop", "First try", 1) + "```\n<get_feedback>"}
	}
	a := modeltest.Answer{Text: "```html\n" + page + "```"}
	if m.written == 2 {
		a.Wait = m.holdVersion
	}
	return a
}

func (m *twoRounds) asked() (written, judged int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.written, m.judged
}

// A loop that is ended in its second round goes on there: what was written and judged
// is not asked for again, and a version that was not judged yet is not written again.
func TestRefineGoesOnWhereItWasEnded(t *testing.T) {
	needsBrowser(t)
	held := make(chan struct{})
	t.Cleanup(func() { close(held) }) // before the server's: its answers end with their callers
	for name, test := range map[string]struct {
		model           *twoRounds
		signal          os.Signal
		written, judged int // questions by the end
	}{
		"interrupted while it writes":     {&twoRounds{holdVersion: held}, os.Interrupt, 3, 2},
		"killed while it writes":          {&twoRounds{holdVersion: held}, syscall.SIGKILL, 3, 2},
		"interrupted while it is judged":  {&twoRounds{holdScore: held}, os.Interrupt, 2, 3},
		"killed while it is being judged": {&twoRounds{holdScore: held}, syscall.SIGKILL, 2, 3},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			server := modeltest.New(t, test.model.answer)
			refined := func(more ...string) *exec.Cmd {
				cmd := exec.Command("vitrine", append([]string{"refine", "A page for a tea shop", "-m", "openai/author", "-J", "openai/critic", "--out", out, "--tape", "off"}, more...)...)
				cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+modeltest.Key, "OPENAI_BASE_URL="+server.URL)
				return cmd
			}
			var said bytes.Buffer
			first := refined()
			first.Stderr = &said
			must(t, first.Start())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = first.Wait()
			}()
			polltest.Until(t, "the second round is held", func() bool {
				if isClosed(ended) {
					t.Fatalf("it ended too early: %s", said.String())
				}
				written, judged := test.model.asked()
				return written == 2 && (test.model.holdVersion != nil || judged == 2)
			})
			must(t, first.Process.Signal(test.signal))
			<-ended
			if test.signal == os.Interrupt && (first.ProcessState.ExitCode() != exitInterrupted || !strings.Contains(said.String(), "interrupted: 1 turns are saved. Go on with the same command and --resume --out "+out)) {
				t.Errorf("ended with %d: %s", first.ProcessState.ExitCode(), said.String())
			}
			before := sessionOf(t, out)
			if len(before.Turns) != 1 || before.Done || (before.Draft != nil) != (test.model.holdScore != nil) {
				t.Fatalf("kept: %d turns, done %v, draft %v", len(before.Turns), before.Done, before.Draft)
			}

			second := refined("--resume")
			stdout, err := second.Output()
			if err != nil || !strings.Contains(string(stdout), "Tea shop") {
				t.Fatalf("%v: %s", err, stdout)
			}
			if written, judged := test.model.asked(); written != test.written || judged != test.judged {
				t.Errorf("asked for %d versions and %d scores in all, want %d and %d", written, judged, test.written, test.judged)
			}
			after := sessionOf(t, out)
			if len(after.Turns) != 2 || !after.Done || after.Turns[0].Hash != before.Turns[0].Hash || after.Result().BestTurn != 2 {
				t.Errorf("in the end: %+v", after)
			}
			if left, _ := filepath.Glob(filepath.Join(out, "evidence", ".tmp-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func sessionOf(t *testing.T, run string) (s refine.Session) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(run, "session.json"))
	must(t, err)
	must(t, json.Unmarshal(b, &s))
	return s
}
