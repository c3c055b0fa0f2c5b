// Package leak fails a test binary whose tests leave something behind: a
// goroutine, a process or a temporary file. It is for TestMain.
package leak

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// exitTimeout is how long a process may take to be gone after the last test.
const exitTimeout = 3 * time.Second

// natsLeak is a goroutine that nats.go 1.55 forgets, now and then, of an object that it
// put. It holds nothing and waits for ever; nothing of ours can end it.
const natsLeak = "github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"

// Run runs tests, a *testing.M or what wraps one, in a temporary folder of their
// own and returns the exit code. Tests that passed still fail as a whole if they
// left something behind; it is named on standard error.
func Run(tests interface{ Run() int }) int {
	tmp, err := os.MkdirTemp("", "leak-")
	if err == nil {
		err = errors.Join(os.Setenv("TMPDIR", tmp), adopt())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "leak:", err)
		return 1
	}
	defer os.RemoveAll(tmp)
	if code := tests.Run(); code != 0 {
		return code
	}
	if err := errors.Join(goleak.Find(goleak.IgnoreTopFunction(natsLeak)), processes(), files(tmp)); err != nil {
		fmt.Fprintln(os.Stderr, "left behind:", err)
		return 1
	}
	return 0
}

// adopt makes this process the parent of its descendants whose own parent dies,
// so that no process gets out of sight.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// processes waits until every process that was started here is gone.
func processes() error {
	deadline := time.After(exitTimeout)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.ECHILD):
			return nil
		case err != nil && !errors.Is(err, syscall.EINTR):
			return err
		case pid > 0:
			continue
		}
		select {
		case <-tick.C:
		case <-deadline:
			return fmt.Errorf("processes, killed now: %s", strings.Join(endChildren(), "; "))
		}
	}
}

// endChildren kills the processes that this one is the parent of and returns
// their command lines.
func endChildren() []string {
	var out []string
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(pids)) {
			args, _ := os.ReadFile("/proc/" + field + "/cmdline")
			out = append(out, field+" "+strings.TrimSpace(strings.ReplaceAll(string(args), "\x00", " ")))
			if pid, err := strconv.Atoi(field); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
	return out
}

// files names what lies in the temporary folder.
func files(tmp string) error {
	entries, err := os.ReadDir(tmp)
	for _, e := range entries {
		err = errors.Join(err, errors.New("temporary file "+e.Name()))
	}
	return err
}
