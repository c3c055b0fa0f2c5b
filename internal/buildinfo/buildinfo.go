// Package buildinfo says which source this program was built from.
package buildinfo

import "runtime/debug"

// Revision is the commit that the program was built from, with "+dirty" where the tree
// had changes; empty where it was built outside of a checkout.
func Revision() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}
