package capture

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/fixtures"
)

// onLoad is a mirror that does something when a page first asks for a script.
type onLoad struct {
	once sync.Once
	do   func()
}

func (m *onLoad) Answer(string, string) (fixtures.Answer, bool) {
	m.once.Do(m.do)
	return fixtures.Answer{Name: "x.js", Body: []byte("document.title = 'Here'")}, true
}

const asks = `<p>Hello</p><script src="https://cdn.example/x.js"></script>`

// What keeps a browser from answering is not held against the page that waits there,
// for it may be another's doing: the page is tried alone.
func TestASilenceOfASharedBrowserIsNotHeldAgainstAPage(t *testing.T) {
	c := capturerOf(t, browser.Settings{CommandDeadline: 3 * time.Second})
	stopped := false
	c.Mirror = &onLoad{do: func() {
		stopped = true
		all := below(os.Getpid())
		signal(all, syscall.SIGSTOP)
		time.AfterFunc(5*time.Second, func() { signal(all, syscall.SIGCONT) })
	}}
	ev, _ := see(t, c, body(asks), once)
	if !stopped || !ev.Validity.Valid {
		t.Errorf("stopped %t, got %+v", stopped, ev.Validity)
	}
}

// A page for which there was no processor was not judged, not even one that loops.
func TestAPageWithoutAProcessorIsNotJudged(t *testing.T) {
	if stat, err := os.ReadFile("/proc/self/schedstat"); err != nil || strings.HasPrefix(string(stat), "0 0") {
		t.Skip("the kernel does not count how long processes wait")
	}
	c := capturerOf(t, browser.Settings{CommandDeadline: 3 * time.Second, Pages: 1})
	c.Mirror = crowd(t)
	_, err := c.Site(t.Context(), body(asks+`<script>for (;;);</script>`), once, t.TempDir())
	var fault *vitrine.Fault
	if !errors.As(err, &fault) || fault.Code != vitrine.FaultStarved {
		t.Errorf("got %v, want the fault starved", err)
	}
}

// A page that works a little is not called one that hangs, however busy the machine is.
func TestAnHonestPageOnABusyMachineIsNotBlamed(t *testing.T) {
	c := capturerOf(t, browser.Settings{CommandDeadline: 3 * time.Second, Pages: 1})
	c.Mirror = crowd(t)
	ev, err := c.Site(t.Context(), body(asks+`<script>let s = 0; for (let i = 0; i < 2e7; i++) s += Math.sqrt(i);</script>`), once, t.TempDir())
	var fault *vitrine.Fault
	if starved := errors.As(err, &fault) && fault.Code == vitrine.FaultStarved; !starved && (err != nil || !ev.Validity.Valid) {
		t.Errorf("got %+v, %v", ev.Validity, err)
	}
}

// crowd keeps the processors busy with others, and the browsers at the end of the queue, from
// when a page first asks for a script.
func crowd(t *testing.T) *onLoad {
	return &onLoad{do: func() {
		for _, pid := range below(os.Getpid()) {
			hush(pid)
		}
		for range 4 * runtime.NumCPU() {
			spin := exec.CommandContext(t.Context(), "bash", "-c", "while :; do :; done")
			spin.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			if err := spin.Start(); err != nil {
				t.Error(err)
			}
			t.Cleanup(func() { _ = spin.Wait() })
		}
	}}
}

// below are all processes below one.
func below(pid int) (all []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for field := range strings.FieldsSeq(string(pids)) {
			child, _ := strconv.Atoi(field)
			all = append(all, child)
			all = append(all, below(child)...)
		}
	}
	return all
}

func signal(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s)
	}
}

// hush makes a process the last of all to get a processor, and the session that it is in
// where sessions are given shares, unless that is ours.
func hush(pid int) {
	if group := fmt.Sprintf("/proc/%d/autogroup", pid); groupOf(group) != groupOf("/proc/self/autogroup") {
		_ = os.WriteFile(group, []byte("19"), 0)
	}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, thread := range threads {
		id, _ := strconv.Atoi(thread.Name())
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, 19)
	}
}

func groupOf(file string) string {
	text, _ := os.ReadFile(file) // /autogroup-7 nice 0
	name, _, _ := strings.Cut(string(text), " ")
	return name
}
