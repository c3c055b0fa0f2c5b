// Package sandbox decides what untrusted code may do. It runs a command in
// bubblewrap: a read-only root with nothing of the host but its programs,
// libraries, fonts and certificates, an empty environment, its own user,
// process, network and IPC namespaces, and limits on time and files. A command
// dies with everything it started when its parent does.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"vitrine"
)

// Sandbox makes commands that are sealed off from the host. The zero value uses
// bubblewrap.
type Sandbox struct {
	// Unsafe runs commands without bubblewrap, as the current user. It must be
	// asked for by the user and is meant for machines that are a sandbox already.
	Unsafe bool
}

// Spec describes one sealed command.
type Spec struct {
	Args []string
	// Dir is the working directory, as seen by the command.
	Dir   string
	Binds []Bind
	// Scratch are folders inside that are empty, writable and gone at the end.
	Scratch []string
	Env     []string // the whole environment, KEY=value; nothing is inherited
	// Network keeps the host's network. Without it the command has no interface
	// at all.
	Network bool
	Limits  Limits
	// Stdout and Stderr receive what the command prints; nil discards.
	Stdout, Stderr io.Writer
	// Files become file descriptors 3, 4, … of the command.
	Files []*os.File
}

// A Bind shows a host folder inside the sandbox.
type Bind struct {
	Host, Inside string
	Write        bool
}

// Limits bound what a command may use. Zero means no limit.
type Limits struct {
	Wall      time.Duration // wall time, after which the whole tree is killed
	CPU       time.Duration // CPU time of each process
	FileBytes int64         // size of any one file written
	Processes int           // processes of the sandbox's user
}

// ErrTimeout is returned by Run when a command used up its wall time.
var ErrTimeout = errors.New("wall time used up")

// Available reports why bubblewrap cannot be used here, nil if it can.
func (s Sandbox) Available(ctx context.Context) error {
	if s.Unsafe {
		return nil
	}
	if _, err := exec.LookPath("bwrap"); err != nil {
		return vitrine.NewFault("sandbox", vitrine.FaultNoSandbox, err, "bubblewrap is not installed").
			WithFix("apt-get install bubblewrap, or pass --unsafe-no-sandbox on a machine that is itself a sandbox")
	}
	var out strings.Builder
	err := s.Run(ctx, Spec{Args: []string{"true"}, Dir: "/", Stderr: &out, Limits: Limits{Wall: 10 * time.Second}})
	if err != nil {
		return vitrine.NewFault("sandbox", vitrine.FaultNoSandbox, err, "bubblewrap cannot make a sandbox: "+strings.TrimSpace(out.String())).
			WithFix("allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1), or pass --unsafe-no-sandbox on a machine that is itself a sandbox")
	}
	return nil
}

// Command prepares a command that runs until it ends or ctx is done. The caller
// starts it and waits for it.
func (s Sandbox) Command(ctx context.Context, spec Spec) *exec.Cmd {
	args := append(limitArgs(spec.Limits), spec.Args...)
	if !s.Unsafe {
		args = append(wrap(spec), args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = spec.Env
	cmd.Stdout, cmd.Stderr = spec.Stdout, spec.Stderr
	cmd.ExtraFiles = spec.Files
	if s.Unsafe {
		cmd.Dir = unsafeDir(spec)
	}
	// An own process group, so that a Ctrl-C at the terminal reaches only us and
	// the whole tree can be killed at once.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Run runs a command to its end. It returns ErrTimeout when the wall time is
// used up, an *exec.ExitError when the command fails, or what went wrong in
// starting it.
func (s Sandbox) Run(ctx context.Context, spec Spec) error {
	limited := ctx
	if spec.Limits.Wall > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, spec.Limits.Wall)
		defer cancel()
	}
	err := s.Command(limited, spec).Run()
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return ErrTimeout
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// unsafeDir finds the host folder behind the working directory.
func unsafeDir(spec Spec) string {
	for _, b := range spec.Binds {
		if rest, ok := strings.CutPrefix(spec.Dir, b.Inside); ok {
			return filepath.Join(b.Host, rest)
		}
	}
	return spec.Dir
}

// hostPaths are the parts of the host that programs need to run at all. A path
// that a machine lacks is skipped.
var hostPaths = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/fonts", "/var/cache/fontconfig", "/etc/chromium.d", "/etc/ssl", "/etc/pki", "/etc/ca-certificates",
}

// networkPaths are needed to find the package registry by name.
var networkPaths = []string{"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"}

func wrap(spec Spec) []string {
	args := []string{
		"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
		"--uid", "65534", "--gid", "65534", "--hostname", "vitrine",
	}
	if spec.Network {
		args = append(args, "--share-net")
	}
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/run")
	for _, p := range hostPaths {
		args = append(args, mirror(p)...)
	}
	if spec.Network {
		for _, p := range networkPaths {
			args = append(args, mirror(p)...)
		}
	}
	for _, b := range spec.Binds {
		how := "--ro-bind"
		if b.Write {
			how = "--bind"
		}
		args = append(args, how, b.Host, b.Inside)
	}
	for _, dir := range spec.Scratch {
		args = append(args, "--tmpfs", dir)
	}
	for _, kv := range spec.Env {
		k, v, _ := strings.Cut(kv, "=")
		args = append(args, "--setenv", k, v)
	}
	return append(args, "--chdir", spec.Dir, "--")
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
	return []string{"--ro-bind", path, path}
}

func limitArgs(l Limits) []string {
	args := []string{"prlimit", "--core=0"}
	if l.CPU > 0 {
		args = append(args, "--cpu="+strconv.Itoa(int(l.CPU.Seconds())))
	}
	if l.FileBytes > 0 {
		args = append(args, "--fsize="+strconv.FormatInt(l.FileBytes, 10))
	}
	if l.Processes > 0 {
		args = append(args, "--nproc="+strconv.Itoa(l.Processes))
	}
	return append(args, "--")
}

// Tail is a writer that keeps the first and the last bytes written to it, so
// that a log of any length is held in bounded memory.
type Tail struct {
	Keep    int // bytes kept at each end
	head    []byte
	tail    []byte
	dropped int
}

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if room := t.Keep - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head = append(t.head, p[:k]...)
		p = p[k:]
	}
	t.tail = append(t.tail, p...)
	if over := len(t.tail) - t.Keep; over > t.Keep {
		t.dropped += over
		t.tail = append(t.tail[:0], t.tail[over:]...)
	}
	return n, nil
}

// String returns what was kept, with a line that says how much was left out.
func (t *Tail) String() string {
	tail, dropped := t.tail, t.dropped
	if over := len(tail) - t.Keep; over > 0 {
		tail, dropped = tail[over:], dropped+over
	}
	if dropped == 0 {
		return string(t.head) + string(tail)
	}
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", t.head, dropped, tail)
}
