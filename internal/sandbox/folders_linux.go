package sandbox

import (
	"slices"
	"syscall"
)

// inFolders is how much lies in the folders of a sandbox that are in memory.
func inFolders(pid int, scratch []string) (used int64) {
	root := rootOf(pid)
	if root == "" {
		return 0
	}
	for _, dir := range slices.Concat(inMemory, scratch) {
		var fs syscall.Statfs_t
		if err := syscall.Statfs(root+dir, &fs); err == nil && fs.Type == tmpfs {
			used += int64(fs.Blocks-fs.Bfree) * fs.Bsize
		}
	}
	return used
}

// tmpfs is the type of file systems in memory.
const tmpfs = 0x01021994
