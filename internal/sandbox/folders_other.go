//go:build !linux

package sandbox

// inFolders is 0 where there are no sandboxes.
func inFolders(int, []string) int64 { return 0 }
