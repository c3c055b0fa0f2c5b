package browser

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile makes a file that lies in memory alone and is gone with its last descriptor.
func memoryFile(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
