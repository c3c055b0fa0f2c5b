package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"vitrine"
)

// Users of the host that run sandboxes of a Vitrine that runs as root, one each:
// two sandboxes cannot touch each other, and the kernel counts the processes of
// each for itself. They are far above what systems give to people, services and
// containers. The first is for commands that share a folder.
const (
	firstUser = 2_000_000_000
	users     = 4096
)

// owner is who a command runs as. The zero owner is the user of Vitrine itself,
// seen as nobody from inside.
type owner struct {
	uid   int
	lease net.Listener // keeps the uid from other Vitrines of this machine
}

// owner finds a user for a command and gives it the folders it may write.
func (s Sandbox) owner(spec Spec) (owner, error) {
	if s.Unsafe || !manyUsers() {
		return owner{}, nil
	}
	own, err := lease(spec)
	if err != nil {
		return owner{}, vitrine.NewFault("sandbox", vitrine.FaultNoSandbox, err, "no user is free to run a sandbox")
	}
	for _, b := range spec.Binds {
		if !b.Write {
			continue
		}
		if err := chownTree(b.Host, own.uid); err != nil {
			own.giveBack(spec)
			return owner{}, vitrine.NewFault("sandbox", vitrine.FaultUnwritable, err, "a folder cannot be given to the user of a sandbox")
		}
	}
	return own, nil
}

// lease takes a user that no other process has. A name in the abstract namespace of
// sockets is a lock that is never left behind.
func lease(spec Spec) (owner, error) {
	for _, b := range spec.Binds {
		if b.Shared {
			return owner{uid: firstUser}, nil
		}
	}
	for uid := firstUser + 1; uid < firstUser+users; uid++ {
		l, err := net.Listen("unix", "@vitrine-user-"+strconv.Itoa(uid))
		if err == nil {
			return owner{uid, l}, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return owner{}, err
		}
	}
	return owner{}, fmt.Errorf("all %d are taken", users)
}

// giveBack makes the folders ours again when the command is gone.
func (o owner) giveBack(spec Spec) {
	if o.uid == 0 {
		return
	}
	for _, b := range spec.Binds {
		if b.Write && !b.Shared {
			_ = chownTree(b.Host, os.Getuid()) // root may use them either way
		}
	}
	if o.lease != nil {
		_ = o.lease.Close()
	}
}

// namespaces are the arguments that take everything from a command that it could
// share with the host. Only a user namespace can hide that it runs as us; with a
// user of its own it needs none.
func (o owner) namespaces() []string {
	if o.uid == 0 {
		return []string{"--unshare-all", "--uid", "65534", "--gid", "65534"}
	}
	return []string{
		"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP",
	}
}

// become is the command that turns into the owner for good: bubblewrap has seen
// to it that no program can give new privileges.
func (o owner) become() []string {
	if o.uid == 0 {
		return nil
	}
	id := strconv.Itoa(o.uid)
	return []string{"setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"}
}

// counted reports whether the kernel's limit on processes counts those of the
// sandbox alone: with a user of its own, or in a user namespace since Linux 5.14.
// It never holds for root.
func (o owner) counted() bool { return o.uid != 0 || os.Geteuid() != 0 && kernelAtLeast(5, 14) }

func kernelAtLeast(major, minor int) bool {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	var a, b int
	if err == nil {
		_, err = fmt.Sscanf(string(release), "%d.%d", &a, &b)
	}
	return err == nil && (a > major || a == major && b >= minor)
}

// A Seal is what of the sandbox depends on the machine.
type Seal struct {
	// OwnUser says that each command runs as a user of its own, and not as the user
	// of Vitrine, seen as nobody from inside.
	OwnUser bool
	// KernelCounts says that the kernel holds each command to its number of
	// processes; without, they are only looked at, fifty times a second.
	KernelCounts bool
}

// Seal tells what is in force here.
func (s Sandbox) Seal() Seal {
	if s.Unsafe {
		return Seal{}
	}
	var own owner
	if manyUsers() {
		own.uid = firstUser
	}
	return Seal{OwnUser: own.uid != 0, KernelCounts: own.counted()}
}

// needed are the capabilities that lending users takes: chown, dac_override,
// fowner, kill, setgid, setuid, setpcap, sys_admin.
const needed = 1<<0 | 1<<1 | 1<<3 | 1<<5 | 1<<6 | 1<<7 | 1<<8 | 1<<21

// manyUsers reports whether we may run commands as other users: root of the
// machine can, root of most containers cannot.
func manyUsers() bool {
	return os.Geteuid() == 0 && capabilities()&needed == needed && mapsUsers()
}

func capabilities() uint64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "\nCapEff:")
	line, _, _ := strings.Cut(rest, "\n")
	set, _ := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
	return set
}

// mapsUsers reports whether our users exist in the user namespace that we are in.
func mapsUsers() bool {
	table, _ := os.ReadFile("/proc/self/uid_map")
	for line := range strings.Lines(string(table)) {
		var inside, outside, count int64
		if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && inside <= firstUser && firstUser+users <= inside+count {
			return true
		}
	}
	return false
}

// chownTree makes a user the owner of a folder and all that is in it.
func chownTree(dir string, uid int) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a shared folder is written by others meanwhile
		}
		if err != nil {
			return err
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == uid && int(st.Gid) == uid {
			return nil
		}
		if err := os.Lchown(name, uid, uid); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}
