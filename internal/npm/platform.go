package npm

import (
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// A Platform is what npm chooses optional packages by, in Node.js's words.
type Platform struct {
	OS   string `json:"os"`   // linux
	CPU  string `json:"cpu"`  // x64, arm64, …
	Libc string `json:"libc"` // glibc or musl
	Node string `json:"node"` // version of Node.js, with or without "v"
}

// leftOut are the packages of a lock file that npm does not install here: optional
// ones that are for other platforms, whatever cannot do without one, and what only
// these need.
func (here Platform) leftOut(packages map[string]locked) map[string]bool {
	failed := map[string]bool{}
	for name, e := range packages {
		if e.Optional && !here.runs(e) {
			failed[name] = true
		}
	}
	if len(failed) == 0 {
		return failed
	}
	for grown := true; grown; { // what needs a package that fails, fails
		grown = false
		for name, e := range packages {
			if !e.Optional || failed[name] {
				continue
			}
			for dep := range e.Requires {
				if _, may := e.MayHave[dep]; !may && failed[find(packages, name, dep)] {
					failed[name], grown = true, true
				}
			}
		}
	}
	reached := reach(packages, failed)
	for name, e := range packages {
		if e.Optional && !reached[name] {
			failed[name] = true
		}
	}
	return failed
}

// reach are the packages that the project needs, by a way around those that fail.
func reach(packages map[string]locked, failed map[string]bool) map[string]bool {
	reached := map[string]bool{"": true}
	for todo := []string{""}; len(todo) > 0; {
		from := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := packages[from]
		for _, list := range []requires{e.Requires, e.Dev, e.MayHave, e.Peers} {
			for dep := range list {
				to := find(packages, from, dep)
				if to != "" && !failed[to] && !reached[to] {
					reached[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	return reached
}

// find is where a package finds a dependency, as Node.js looks for it; empty if it
// is not there.
func find(packages map[string]locked, from, dep string) string {
	for dir := from; ; {
		at := path.Join(dir, "node_modules", dep)
		if _, ok := packages[at]; ok {
			return at
		}
		if dir == "" {
			return ""
		}
		dir = strings.TrimSuffix(dir[:max(0, strings.LastIndex(dir, "node_modules/"))], "/")
	}
}

// runs reports whether a package is for this platform.
func (here Platform) runs(e locked) bool {
	return accepts(e.OS, here.OS) && accepts(e.CPU, here.CPU) && accepts(e.Libc, here.Libc) && here.engine(e)
}

// accepts holds a value against a list of values, some of them negated.
func accepts(list anyOf, value string) bool {
	if len(list) == 0 || len(list) == 1 && list[0] == "any" {
		return true
	}
	negated := 0
	for _, entry := range list {
		if other, not := strings.CutPrefix(entry, "!"); not {
			negated++
			if other == value {
				return false
			}
		}
	}
	return slices.Contains(list, value) || negated == len(list)
}

func (here Platform) engine(e locked) bool {
	engines, _ := e.Engines.(map[string]any)
	wanted, _ := engines["node"].(string)
	node, err := semver.NewVersion(here.Node)
	if wanted == "" || err != nil {
		return true
	}
	c, err := semver.NewConstraint(wanted)
	return err == nil && c.Check(node)
}
