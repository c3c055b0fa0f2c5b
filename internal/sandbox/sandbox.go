// Package sandbox confines untrusted code. It runs a command in bubblewrap: with a
// read-only root that has only the programs, libraries, fonts and certificates of the
// host, an empty environment, its own process, network and IPC namespaces, its own user,
// and limits on time, memory, processes and disk. When the parent of a command dies, the
// command and every process that it started die, too.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"vitrine"
)

// Sandbox makes commands that are sealed off from the host. The zero value uses
// bubblewrap.
type Sandbox struct {
	// Unsafe runs commands without bubblewrap, as the current user. Only an explicit flag
	// may set it; it is meant for machines that are themselves a sandbox.
	Unsafe bool
}

// Spec describes one sealed command.
type Spec struct {
	Args []string
	// Dir is the working directory, as seen by the command.
	Dir   string
	Binds []Bind
	// Scratch are folders inside the sandbox that are empty and writable, and removed when
	// the command ends.
	Scratch []string
	Env     []string // the whole environment, KEY=value; nothing is inherited
	Limits  Limits
	// Stdout and Stderr receive what the command prints; nil discards.
	Stdout, Stderr io.Writer
	// Files become file descriptors 3, 4, … of the command.
	Files []*os.File
}

// A Bind shows a host folder inside the sandbox.
type Bind struct {
	Host, Inside string
	// Data, in the place of Host, is what a read-only file inside holds: the host has no file
	// that could be left behind. An unsafe sandbox does not show it.
	Data  *os.File
	Write bool
	// Shared marks a folder that several commands write at once and that stays when they
	// end, such as a download cache. Its size is not limited, and commands that share a
	// folder run as the same user.
	Shared bool
}

// Limits bound what a command may use, together with the processes that it starts. Zero
// means no limit. Time, memory and disk are checked ten times a second, processes fifty
// times, so a command can exceed a limit for that long. The kernel enforces twice each
// limit; of processes four times, and at least 2000.
type Limits struct {
	Wall time.Duration // wall time, an [Allowance]
	CPU  time.Duration // processor time of all processes together
	// MemoryBytes is the private memory of all processes together, with the files in the
	// folders that are kept in memory: /tmp, /dev/shm and Scratch.
	MemoryBytes int64
	// ProcessBytes is the private memory of a single process. A process that uses more is
	// killed, and the command continues without it.
	ProcessBytes int64
	Processes    int   // processes and threads
	FileBytes    int64 // size of any one file written
	DiskBytes    int64 // size of all files in writable binds that are not shared
	DiskFiles    int   // number of files and folders in these binds
}

// Or is l with each limit that is zero taken from defaults.
func (l Limits) Or(defaults Limits) Limits {
	return Limits{
		Wall: cmp.Or(l.Wall, defaults.Wall), CPU: cmp.Or(l.CPU, defaults.CPU),
		MemoryBytes: cmp.Or(l.MemoryBytes, defaults.MemoryBytes), ProcessBytes: cmp.Or(l.ProcessBytes, defaults.ProcessBytes),
		Processes: cmp.Or(l.Processes, defaults.Processes), FileBytes: cmp.Or(l.FileBytes, defaults.FileBytes),
		DiskBytes: cmp.Or(l.DiskBytes, defaults.DiskBytes), DiskFiles: cmp.Or(l.DiskFiles, defaults.DiskFiles),
	}
}

// The errors of Run and Wait for a command that reached a limit.
var (
	ErrTimeout   = errors.New("wall time used up")
	ErrStarved   = errors.New("wall time used up, with next to no processor") // see [Allowance.Starved]
	ErrCPU       = errors.New("processor time used up")
	ErrMemory    = errors.New("memory used up")
	ErrProcesses = errors.New("too many processes")
	ErrDisk      = errors.New("disk space used up")
)

// Available returns an error that says why bubblewrap does not work on this machine, nil
// if it does.
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
			WithFix("allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1) and have bubblewrap 0.6 or newer, or pass --unsafe-no-sandbox on a machine that is itself a sandbox")
	}
	return nil
}

// Run runs a command to its end. It returns the error of the limit that the command
// reached, an *exec.ExitError if the command failed, or the error of starting it.
func (s Sandbox) Run(ctx context.Context, spec Spec) error {
	p, err := s.Start(ctx, spec)
	if err != nil {
		return err
	}
	return p.Wait()
}
