package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// watchEvery is how often a command is looked at.
const watchEvery = 100 * time.Millisecond

// countEvery is how often its processes are counted, which is a list to be read.
const countEvery = 20 * time.Millisecond

// watchTime ends the command when its wall time is used up.
func (p *Process) watchTime(ctx context.Context, end context.CancelCauseFunc) {
	if p.spec.Limits.Wall <= 0 {
		return
	}
	allowed := p.Allow(p.spec.Limits.Wall)
	switch {
	case !allowed.sleep(ctx):
	case allowed.Starved():
		end(ErrStarved)
	default:
		end(ErrTimeout)
	}
}

// watchProcesses ends the command when its processes use more than they may.
func (p *Process) watchProcesses(ctx context.Context, end context.CancelCauseFunc) {
	l := p.spec.Limits
	if l.CPU == 0 && l.MemoryBytes == 0 && l.ProcessBytes == 0 && l.Processes == 0 {
		return
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	starved := starvation{at: time.Now()}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		u := measure(p.Pid, p.sealed, p.spec.Scratch)
		p.starved.Add(int64(starved.look(time.Now(), u.shares)))
		p.used.Store(&u)
		switch {
		case l.ProcessBytes > 0 && u.largestBytes > l.ProcessBytes:
			_ = syscall.Kill(u.largest, syscall.SIGKILL)
		case l.Processes > 0 && u.Processes > l.Processes: // too many also have too much memory
			end(ErrProcesses)
		case l.MemoryBytes > 0 && u.MemoryBytes > l.MemoryBytes:
			end(ErrMemory)
		case l.CPU > 0 && u.CPU > l.CPU:
			end(ErrCPU)
		}
	}
}

// watchCount ends the command when it has more processes than it may. Walking from
// parents to children misses most of those that come and go, and a fork bomb that runs
// into the kernel's limit may be over before the next look, every process of it ended by
// the fork it was refused. The sandbox's own /proc has all of them in one list.
func (p *Process) watchCount(ctx context.Context, end context.CancelCauseFunc) {
	if p.spec.Limits.Processes == 0 || !p.sealed {
		return
	}
	tick := time.NewTicker(countEvery)
	defer tick.Stop()
	var list *os.File
	defer func() { _ = list.Close() }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if list == nil {
			list = openProc(p.Pid)
		}
		if countProcesses(list) > p.spec.Limits.Processes {
			end(ErrProcesses)
		}
	}
}

// watchDisk ends the command when it writes more than it may. Looking at many
// files takes time itself; it is kept to a fifth of it.
func (p *Process) watchDisk(ctx context.Context, end context.CancelCauseFunc) {
	wait := watchEvery
	for p.spec.limitsDisk() {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		start := time.Now()
		if p.spec.overDisk() {
			end(ErrDisk)
		}
		wait = max(watchEvery, 4*time.Since(start))
	}
}

func (s Spec) limitsDisk() bool { return s.Limits.DiskBytes > 0 || s.Limits.DiskFiles > 0 }

// overDisk reports whether more lies in the writable folders than may. A path
// that is too long to be looked at is as bad.
func (s Spec) overDisk() bool {
	var size int64
	var files int
	for _, b := range s.Binds {
		if !b.Write || b.Shared || s.nested(b) {
			continue
		}
		err := filepath.WalkDir(b.Host, func(name string, d fs.DirEntry, err error) error {
			files++
			if errors.Is(err, fs.ErrPermission) {
				return readable(b.Host, name)
			}
			if errors.Is(err, syscall.ENAMETOOLONG) {
				return err
			}
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					size += info.Size()
				}
			}
			if s.Limits.DiskBytes > 0 && size > s.Limits.DiskBytes || s.Limits.DiskFiles > 0 && files > s.Limits.DiskFiles {
				return ErrDisk
			}
			return nil
		})
		if err != nil {
			return true
		}
	}
	return false
}

// nested reports whether a folder lies in another writable one, whose size includes it.
func (s Spec) nested(b Bind) bool {
	return slices.ContainsFunc(s.Binds, func(other Bind) bool {
		return other.Write && !other.Shared && strings.HasPrefix(b.Host, other.Host+string(filepath.Separator))
	})
}

// readable lets us look into a folder, the next time, that the command forbade to
// read. Whatever the command does to the path meanwhile, it stays below dir.
func readable(dir, name string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil // gone
	}
	defer root.Close()
	if rel, err := filepath.Rel(dir, name); err == nil {
		_ = root.Chmod(rel, 0o700)
	}
	return nil
}
