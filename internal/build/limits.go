package build

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"strings"
	"syscall"

	"vitrine"
	"vitrine/internal/sandbox"
)

// OverLimit is the failure of a sealed command, named by what, that used up one of its
// limits; nil if err is of another kind.
func OverLimit(err error, what string, l sandbox.Limits) *vitrine.BuildFailure {
	for limit, failure := range map[error]vitrine.BuildFailure{
		sandbox.ErrTimeout:   {Code: vitrine.FailureTimeout, Message: fmt.Sprintf("%s did not end within %s", what, l.Wall)},
		sandbox.ErrCPU:       {Code: vitrine.FailureTimeout, Message: fmt.Sprintf("%s used more than %s of processor time", what, l.CPU)},
		sandbox.ErrMemory:    {Code: vitrine.FailureMemory, Message: fmt.Sprintf("%s used more than %d MB of memory", what, l.MemoryBytes>>20)},
		sandbox.ErrProcesses: {Code: vitrine.FailureProcesses, Message: fmt.Sprintf("%s started more than %d processes and threads", what, l.Processes)},
		sandbox.ErrDisk:      {Code: vitrine.FailureTooLarge, Message: fmt.Sprintf("%s wrote more than %d MB or %d files, or paths too long to read", what, l.DiskBytes>>20, l.DiskFiles)},
	} {
		if errors.Is(err, limit) {
			return &failure
		}
	}
	return nil
}

// ExitCode is the exit code behind the error of a finished command, -1 if it did not end
// by itself.
func ExitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// WorkFault is the fault of a folder in which builders work: of a full or unwritable disk,
// or else internal with this message.
func WorkFault(err error, message string) *vitrine.Fault {
	f := vitrine.NewFault("build", vitrine.FaultInternal, err, message)
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		f.Code = vitrine.FaultDiskFull
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR):
		f.Code = vitrine.FaultUnwritable
	default:
		return f
	}
	return f.WithFix("name another folder with --cache-dir or VITRINE_CACHE, or free some space")
}

var (
	ansi    = regexp.MustCompile("\x1b(?:\\[[0-9:;<=>?]*[ -/]*[@-~]|\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|[ -/]*[0-~])")
	control = regexp.MustCompile(`[^\P{Cc}\n\t]`)
)

// Plain removes terminal codes and control characters from a log.
func Plain(log string) string {
	log = ansi.ReplaceAllString(log, "")
	log = strings.ReplaceAll(strings.ReplaceAll(log, "\r\n", "\n"), "\r", "\n")
	return control.ReplaceAllString(log, "")
}
