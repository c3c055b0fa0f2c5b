package subprocess

import "syscall"

// Group starts a process in a process group of its own, so that a Ctrl-C at the terminal
// does not reach it and its whole tree can be killed at once. On Linux the kernel kills
// it when the thread that started it ends.
func Group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
