package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// A round is one way of doing the work, done once.
type round struct {
	Seconds float64   `json:"seconds"` // from ready to done
	MS      []float64 `json:"ms"`      // of each page or project
	CPU     float64   `json:"cpu_seconds"`
	PeakMB  float64   `json:"peak_mb"` // of the process and all its children
	Failed  []string  `json:"failed,omitempty"`
	Load    float64   `json:"load"` // of the machine when it began
}

// event is a line that a way prints: the start or end of the work, or one page.
type event struct {
	Event string  `json:"event"`
	ID    string  `json:"id"`
	MS    float64 `json:"ms"`
	OK    bool    `json:"ok"`
	Error string  `json:"error"`
}

// memoryEvery is how often the memory of a way is looked at.
const memoryEvery = 250 * time.Millisecond

// measure runs a command that prints events and weighs it with all its children.
func measure(ctx context.Context, cmd *exec.Cmd) (round, error) {
	r := round{Load: load()}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return r, err
	}
	stop, peak := make(chan struct{}), make(chan float64)
	go func() { peak <- watchMemory(cmd.Process.Pid, stop) }()
	err = r.read(out)
	close(stop)
	r.PeakMB = <-peak
	err = errors.Join(err, cmd.Wait())
	reapOrphans()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, err
}

func (r *round) read(out io.Reader) error {
	var start time.Time
	var cpu float64
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("%q: %w", lines.Text(), err)
		}
		switch {
		case e.Event == "ready":
			start, cpu = time.Now(), processorTime()
		case e.Event == "done":
			r.Seconds, r.CPU = time.Since(start).Seconds(), processorTime()-cpu
		case e.ID != "" && e.OK:
			r.MS = append(r.MS, e.MS)
		case e.ID != "":
			r.Failed = append(r.Failed, e.ID+": "+e.Error)
		}
	}
	if r.Seconds == 0 {
		return errors.New("it ended before its work was done")
	}
	return lines.Err()
}

// adoptOrphans makes processes whose parents are gone our own children, so that
// their processor time is not lost.
func adoptOrphans() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// reapOrphans ends what a way has left running, such as the browsers of a driver
// that died before them, and waits for it, a few seconds at most.
func reapOrphans() {
	for _, p := range descendants(os.Getpid()) {
		_ = syscall.Kill(p.PID, syscall.SIGKILL)
	}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err != nil {
			return // there are none
		}
		if pid == 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// processorTime is what all our children, living or waited for, have used so far,
// in seconds. It is taken while the browsers still live: a sandbox that is killed
// takes the times of what ran in it along.
func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	total := float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	for _, p := range descendants(os.Getpid()) { // own and those of children it waited for
		total += float64(int(p.UTime+p.STime)+p.CUTime+p.CSTime) / 100
	}
	return total
}

// watchProcessor returns the processor time that is used until stop, in seconds. It is the
// most that was seen, since what runs in a sandbox is lost with it.
func watchProcessor(stop <-chan struct{}) (most float64) {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for before := processorTime(); ; {
		select {
		case <-stop:
			return most
		case <-tick.C:
			most = max(most, processorTime()-before)
		}
	}
}

// watchMemory returns the most memory that a process tree had, in megabytes.
func watchMemory(pid int, stop <-chan struct{}) (peak float64) {
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return peak
		case <-tick.C:
			total := memoryMB(pid)
			for _, p := range descendants(pid) {
				total += memoryMB(p.PID)
			}
			peak = max(peak, total)
		}
	}
}

// memoryMB is the memory of a process, what it shares with others divided among
// them; 0 once it is gone.
func memoryMB(pid int) float64 {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0
	}
	maps, _ := p.ProcSMapsRollup()
	return float64(maps.Pss) / (1 << 20)
}

// commandLine is how a process was started; empty for a zombie, and once it is gone.
func commandLine(pid int) string {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return ""
	}
	words, _ := p.CmdLine()
	return strings.Join(words, " ")
}

// descendants are the processes below a process.
func descendants(root int) (all []procfs.ProcStat) {
	children := map[int][]procfs.ProcStat{}
	running, _ := procfs.AllProcs()
	for _, p := range running {
		if stat, err := p.Stat(); err == nil {
			children[stat.PPID] = append(children[stat.PPID], stat)
		}
	}
	for todo := children[root]; len(todo) > 0; {
		all = append(all, todo[0])
		todo = append(todo[1:], children[todo[0].PID]...)
	}
	return all
}

// load is the number of processes that wanted to run in the last minute.
func load() float64 {
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return 0
	}
	average, err := proc.LoadAvg()
	if err != nil {
		return 0
	}
	return average.Load1
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}

// ownProcessorTime is what this process has used so far, in seconds, all threads together.
func ownProcessorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
