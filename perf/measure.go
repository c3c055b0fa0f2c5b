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
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
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
func adoptOrphans() error {
	const setChildSubreaper = 36
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		return errno
	}
	return nil
}

// reapOrphans ends what a way has left running, such as the browsers of a driver
// that died before them, and waits for it, a few seconds at most.
func reapOrphans() {
	for _, pid := range descendants(os.Getpid()) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
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
	for _, pid := range descendants(os.Getpid()) {
		for _, field := range statFields(pid, 11, 15) { // own and those of children it waited for
			ticks, _ := strconv.ParseFloat(field, 64)
			total += ticks / 100
		}
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

// statFields are some of the fields behind the name in /proc/PID/stat.
func statFields(pid, from, to int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	text := string(b)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	return fields[min(from, len(fields)):min(to, len(fields))]
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
			total := 0.0
			for _, p := range append(descendants(pid), pid) {
				total += memoryMB(p)
			}
			peak = max(peak, total)
		}
	}
}

// memoryMB is the memory of a process, what it shares with others divided among
// them; 0 once it is gone.
func memoryMB(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

// descendants are the processes below a process.
func descendants(root int) []int {
	children := map[int][]int{}
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		pid, _ := strconv.Atoi(filepath.Base(name))
		for _, field := range statFields(pid, 1, 2) {
			parent, _ := strconv.Atoi(field)
			children[parent] = append(children[parent], pid)
		}
	}
	var all []int
	for todo := children[root]; len(todo) > 0; {
		pid := todo[0]
		all = append(all, pid)
		todo = append(todo[1:], children[pid]...)
	}
	return all
}

// load is the number of processes that wanted to run in the last minute.
func load() float64 {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseFloat(strings.Fields(string(b))[0], 64)
	return n
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
