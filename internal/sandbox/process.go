package sandbox

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"vitrine/internal/subprocess"
)

// A Process is a sealed command that runs.
type Process struct {
	Pid     int // of the outermost process, which is the parent of all others
	cmd     *exec.Cmd
	sealed  bool // in bubblewrap
	spec    Spec
	used    atomic.Pointer[Usage]
	starved atomic.Int64  // nanoseconds
	done    chan struct{} // closed when everything of it is gone
	err     error
}

// Start starts a command that runs until it ends, ctx is done or a limit is used
// up. Somebody must Wait for it.
func (s Sandbox) Start(ctx context.Context, spec Spec) (*Process, error) {
	own, err := s.owner(spec)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancelCause(ctx)
	p := &Process{spec: spec, sealed: !s.Unsafe, done: make(chan struct{})}
	p.cmd = s.command(ctx, spec, own)
	p.cmd.Cancel = p.kill
	started := make(chan error)
	go p.run(ctx, end, own, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Wait returns when the command and everything that it started are gone, with
// the error that Run describes.
func (p *Process) Wait() error {
	<-p.done
	return p.err
}

// Used is what the command used when it was last looked at.
func (p *Process) Used() Usage {
	if u := p.used.Load(); u != nil {
		return *u
	}
	return Usage{}
}

// A Ration is what a command has had of the processors until it was looked at last.
type Ration struct {
	// Had is the processor time of all of its processes together.
	Had time.Duration
	// Starved is for how long the first thread of one or another process could have run
	// while processes of others had the processors. It only grows. Without limits on
	// processes and what they use, and where the kernel does not count it, it stays 0.
	Starved time.Duration
}

// Ration is what the command has had so far.
func (p *Process) Ration() Ration { return Ration{p.Used().CPU, time.Duration(p.starved.Load())} }

// LimitCPU is done when the processes of the command have used more processor time since the
// call than limit, which is [ErrCPU] by its cause. It is looked at fifty times a second.
func (p *Process) LimitCPU(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	before := measure(p.Pid, false, nil).CPU
	go func() {
		tick := time.NewTicker(countEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if measure(p.Pid, false, nil).CPU-before > limit {
				end(ErrCPU)
			}
		}
	}()
	return ctx, func() { end(nil) }
}

// run starts the command, waits for it and gives back what it was lent. A child
// that dies with its parent dies, in Linux, with the thread that forked it: that
// thread is held until the child is gone, whatever becomes of other goroutines.
func (p *Process) run(ctx context.Context, end context.CancelCauseFunc, own owner, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	defer own.giveBack(p.spec)
	defer end(nil)
	err := p.cmd.Start()
	if err == nil {
		p.Pid = p.cmd.Process.Pid
	}
	started <- err
	if err != nil {
		return
	}
	watching, stop := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	watchers.Go(func() { p.watchTime(watching, end) })
	watchers.Go(func() { p.watchProcesses(watching, end) })
	watchers.Go(func() { p.watchCount(watching, end) })
	watchers.Go(func() { p.watchDisk(watching, end) })
	p.err = p.cmd.Wait()
	stop()
	watchers.Wait()
	if cause := context.Cause(ctx); cause != nil {
		p.err = cause
	} else if p.spec.limitsDisk() && p.spec.overDisk() { // since it was looked at last
		p.err = ErrDisk
	}
}

// command is the whole command line: the seal, the limits and what is run.
func (s Sandbox) command(ctx context.Context, spec Spec, own owner) *exec.Cmd {
	args := append(limitArgs(spec.Limits, own), spec.Args...)
	files := spec.Files
	if !s.Unsafe {
		args = append(wrap(spec, own), args...)
		for _, b := range spec.Binds {
			if b.Data != nil {
				files = append(files[:len(files):len(files)], b.Data)
			}
		}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = spec.Env
	cmd.Stdout, cmd.Stderr = spec.Stdout, spec.Stderr
	cmd.ExtraFiles = files
	if s.Unsafe {
		cmd.Dir = unsafeDir(spec)
	}
	cmd.SysProcAttr = subprocess.Group()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// kill ends the first process inside the sandbox: the kernel ends all others with
// it, and bubblewrap, which waits for it, ends when they are gone. Where there is
// no such process, everything of the process group is killed.
func (p *Process) kill() error {
	if p.sealed {
		if inside := children(p.cmd.Process.Pid); len(inside) > 0 {
			return syscall.Kill(inside[0], syscall.SIGKILL)
		}
	}
	return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
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
