package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hostPaths are the parts of the host that programs need to run at all. A path
// that a machine lacks is skipped.
var hostPaths = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/fonts", "/var/cache/fontconfig", "/etc/chromium.d", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
}

// inMemory are the folders of every sandbox that lie in memory.
var inMemory = []string{"/tmp", "/dev/shm"}

// inMemoryBytes is their size, each, where memory has no limit.
const inMemoryBytes = 1 << 30

// leastProcesses is the least that the kernel's limit on processes is: they take a fork
// bomb longer than a busy machine takes to look.
const leastProcesses = 2000

// firstFile is the descriptor of the first of a command's files, after the standard three.
const firstFile = 3

// wrap is the command line of bubblewrap. Nothing but what lies in memory and the
// writable binds can be written, not even by who owns the root.
func wrap(spec Spec, own owner) []string {
	args := []string{"bwrap", "--die-with-parent", "--new-session", "--clearenv", "--hostname", "vitrine"}
	args = append(args, own.namespaces()...)
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--dir", "/run")
	for _, p := range hostPaths {
		args = append(args, mirror(p)...)
	}
	size := int64(inMemoryBytes)
	if spec.Limits.MemoryBytes > 0 {
		size = spec.Limits.MemoryBytes
	}
	memory := func(dir string) {
		args = append(args, "--perms", "1777", "--size", strconv.FormatInt(size, 10), "--tmpfs", dir)
	}
	for _, dir := range inMemory {
		memory(dir)
	}
	data := firstFile + len(spec.Files)
	for _, b := range spec.Binds {
		args = append(args, parents(b.Inside)...)
		switch {
		case b.Data != nil:
			args = append(args, "--perms", "0444", "--ro-bind-data", strconv.Itoa(data), b.Inside)
			data++
		case b.Write:
			args = append(args, "--bind", b.Host, b.Inside)
		default:
			args = append(args, "--ro-bind", b.Host, b.Inside)
		}
	}
	for _, dir := range spec.Scratch {
		memory(dir)
	}
	for _, kv := range spec.Env {
		k, v, _ := strings.Cut(kv, "=")
		args = append(args, "--setenv", k, v)
	}
	args = append(args, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", spec.Dir, "--")
	return append(args, own.become()...)
}

// parents makes the folders above a path, which bubblewrap would else make for
// root alone.
func parents(path string) (args []string) {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		args = append([]string{"--perms", "0755", "--dir", dir}, args...)
	}
	return args
}

// mirror shows a host path at the same place: a link as a link, anything else
// read-only.
func mirror(path string) []string {
	info, err := os.Lstat(path)
	if err != nil {
		return nil
	}
	if info.Mode()&os.ModeSymlink != 0 {
		if target, err := os.Readlink(path); err == nil && !filepath.IsAbs(target) {
			return []string{"--symlink", target, path}
		}
	}
	return append(parents(path), "--ro-bind", path, path)
}

// limitArgs sets what the kernel holds each process to. It also makes them the
// first to go when the machine runs out of memory.
func limitArgs(l Limits, own owner) []string {
	args := []string{"choom", "-n", "1000", "--", "prlimit", "--core=0"}
	add := func(name string, limit int64) {
		if limit > 0 {
			args = append(args, "--"+name+"="+strconv.FormatInt(limit, 10))
		}
	}
	add("cpu", 2*int64(l.CPU.Seconds()))
	add("fsize", l.FileBytes)
	add("data", 2*max(l.MemoryBytes, l.ProcessBytes))
	if own.counted() {
		// Far enough above for more to be seen: a bomb that the kernel refuses a fork is over at once.
		add("nproc", max(4*int64(l.Processes), leastProcesses))
	}
	return append(args, "--")
}
