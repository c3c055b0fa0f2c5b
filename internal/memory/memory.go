// Package memory says how much memory this process may use.
package memory

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Limit is what this process may use, in bytes: the lowest of GOMEMLIMIT, the limits of its
// control groups, and the memory of the machine; math.MaxInt64 where none is known.
func Limit() int64 { return limit(debug.SetMemoryLimit(-1), os.ReadFile) }

func limit(goLimit int64, read func(string) ([]byte, error)) int64 {
	return min(goLimit, machine(read), groups(read))
}

// machine is the memory of the machine, without a bound if it is not known.
func machine(read func(string) ([]byte, error)) int64 {
	b, _ := read("/proc/meminfo")
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			return number(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 1024)
		}
	}
	return math.MaxInt64
}

// groups is the lowest limit of the control groups that this process is in.
func groups(read func(string) ([]byte, error)) int64 {
	lowest := int64(math.MaxInt64)
	b, _ := read("/proc/self/cgroup")
	for line := range strings.Lines(string(b)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 {
			continue
		}
		root, file := "/sys/fs/cgroup", "memory.max"
		if part[1] == "memory" { // version 1
			root, file = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if part[1] != "" {
			continue
		}
		for dir := filepath.Join(root, part[2]); strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			b, _ := read(filepath.Join(dir, file))
			lowest = min(lowest, number(strings.TrimSpace(string(b)), 1))
		}
	}
	return lowest
}

// number reads a limit; what is none, such as max, is without a bound.
func number(text string, unit int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return n * unit
}
