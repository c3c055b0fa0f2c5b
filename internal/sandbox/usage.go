package sandbox

import (
	"bytes"
	"os"
	"slices"
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
}

// clockTick is the unit of processor times in /proc, the same on every Linux that
// Go runs on.
const clockTick = time.Second / 100

// measure adds up a process and its descendants. In a sandbox nothing escapes
// that tree: whoever loses its parent becomes a child of the first process. Memory
// that several processes map is counted once, as the most that any of them maps,
// or as what lies in the sandbox's folders in memory if that is more.
func measure(pid int, sealed bool, scratch []string) (u Usage) {
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
		u.CPU += cpuOf(at)
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

// inFolders is how much lies in the folders of a sandbox that are in memory, seen
// through any process that lets us look: bubblewrap's own do not let everybody.
func inFolders(pid int, scratch []string) (used int64) {
	for _, inside := range children(pid) {
		for _, command := range append(children(inside), inside) {
			root := "/proc/" + strconv.Itoa(command) + "/root"
			if _, err := os.Stat(root + inMemory[0]); err != nil {
				continue
			}
			for _, dir := range slices.Concat(inMemory, scratch) {
				var fs syscall.Statfs_t
				if err := syscall.Statfs(root+dir, &fs); err == nil && fs.Type == tmpfs {
					used += int64(fs.Blocks-fs.Bfree) * fs.Bsize
				}
			}
			return used
		}
	}
	return 0
}

// tmpfs is the type of file systems in memory.
const tmpfs = 0x01021994
