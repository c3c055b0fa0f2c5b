package sandbox

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Usage is what a command and everything it started use at one moment.
type Usage struct {
	Processes   int   // processes and threads
	MemoryBytes int64 // private memory, shared memory and what lies in folders in memory
	CPU         time.Duration

	largest      int // the process with the most private memory, and how much that is
	largestBytes int64
	shares       map[int]share // by process
}

// share is the processor time that a process has had, and how long it was runnable without a
// processor.
type share struct{ cpu, runDelay time.Duration }

// clockTick is the unit of processor times in /proc, the same on every Linux that
// Go runs on.
const clockTick = time.Second / 100

// measure adds up a process and its descendants. In a sandbox nothing escapes
// that tree: whoever loses its parent becomes a child of the first process. Memory
// that several processes map is counted once, as the most that any of them maps,
// or as what lies in the sandbox's folders in memory if that is more.
func measure(pid int, sealed bool, scratch []string) (u Usage) {
	u.shares = map[int]share{}
	var shared int64
	todo := []int{pid}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		private, common, threads := memoryOf(at)
		if threads == 0 {
			continue // gone meanwhile
		}
		u.Processes += threads
		u.MemoryBytes += private
		cpu := cpuOf(at)
		u.CPU += cpu
		u.shares[at] = share{cpu, runDelayOf(at)}
		shared = max(shared, common)
		if private > u.largestBytes {
			u.largest, u.largestBytes = at, private
		}
		todo = append(todo, children(at)...)
	}
	if sealed {
		shared = max(shared, inFolders(pid, scratch))
	}
	u.MemoryBytes += shared
	return u
}

// memoryOf reads the private and the shared memory of a process and how many
// threads it has, none if it is gone.
func memoryOf(pid int) (private, shared int64, threads int) {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "RssAnon":
			private = kilobytes(value)
		case "RssShmem":
			shared = kilobytes(value)
		case "Threads":
			threads, _ = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	return private, shared, threads
}

func kilobytes(s string) int64 {
	kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(s), " kB"), 10, 64)
	return kb << 10
}

// cpuOf is the processor time of a process and of its children that ended.
func cpuOf(pid int) time.Duration {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // a name may hold anything, but ends there
	var ticks int64
	if len(fields) > 14 {
		for _, f := range fields[11:15] { // user, system, and both of children
			n, _ := strconv.ParseInt(f, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * clockTick
}

// runDelayOf is how long the first thread of a process could have run, but had no processor;
// 0 where the kernel does not count it.
func runDelayOf(pid int) time.Duration {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/schedstat")
	fields := strings.Fields(string(stat)) // ran, waited, how often
	if len(fields) < 2 {
		return 0
	}
	ns, _ := strconv.ParseInt(fields[1], 10, 64)
	return time.Duration(ns)
}

// children are the processes that a process started, by any of its threads.
func children(pid int) (pids []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(tasks)
	for _, t := range threads {
		list, _ := os.ReadFile(tasks + t.Name() + "/children")
		for field := range strings.FieldsSeq(string(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// rootOf is the root folder of a sandbox as the host sees it: /proc/PID/root of bubblewrap's
// first process, which lives to the end but may not be readable, or of a child of it. It is ""
// where neither can be read, or bubblewrap has not left the host's root yet.
func rootOf(pid int) string {
	host, err := os.Stat("/")
	if err != nil {
		return ""
	}
	for _, inside := range children(pid) {
		for _, through := range append([]int{inside}, children(inside)...) {
			root := "/proc/" + strconv.Itoa(through) + "/root"
			at, err := os.Stat(root + "/")
			if err != nil || os.SameFile(at, host) {
				continue
			}
			if _, err := os.Stat(root + inMemory[0]); err == nil {
				return root
			}
		}
	}
	return ""
}

// openProc opens the sandbox's own /proc; nil where there is none to be read.
func openProc(pid int) *os.File {
	root := rootOf(pid)
	if root == "" {
		return nil
	}
	list, err := os.OpenFile(root+"/proc", os.O_RDONLY|syscall.O_DIRECTORY, 0) // nothing else that lies there
	if err != nil {
		return nil
	}
	return list
}

// maxListed entries are more than any sandbox may have.
const maxListed = 1 << 16

// countProcesses is how many processes a /proc has, whose threads are not counted; none for
// nil.
func countProcesses(list *os.File) (processes int) {
	if _, err := list.Seek(0, io.SeekStart); err != nil {
		return 0
	}
	names, _ := list.Readdirnames(maxListed)
	for _, name := range names {
		if _, err := strconv.Atoi(name); err == nil {
			processes++
		}
	}
	return processes
}
