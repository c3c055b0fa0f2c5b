// Package doctor finds out what a machine, or a queue, lacks for Vitrine's work, and how
// to mend it.
package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build/exact"
	"vitrine/internal/build/plot"
	"vitrine/internal/sandbox"
)

// Status is how bad a diagnosis is.
type Status string

// The statuses of diagnoses, from good to bad.
const (
	OK      Status = "ok"
	Warning Status = "warning" // it works, with less safety, speed or sameness
	Missing Status = "missing" // commands that need it end with exit code 3
)

// A Diagnosis is the result of one test of the machine.
type Diagnosis struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"` // how to mend it
}

// Settings say how the commands of this machine work.
type Settings struct {
	Browser  string // path of Chromium; empty: the first found
	Sandbox  sandbox.Sandbox
	CacheDir string
}

// Machine examines the machine: what it lacks is in the diagnoses.
func Machine(ctx context.Context, s Settings) []Diagnosis {
	return []Diagnosis{
		{Name: "vitrine", Status: OK, Text: vitrine.Version},
		seal(ctx, s), user(s), limits(s), namespaces(), chromium(ctx, s), fonts(), node(ctx, s), plots(s), disk(s.CacheDir),
	}
}

// from turns an error into a diagnosis.
func from(name string, status Status, err error) Diagnosis {
	f := vitrine.AsFault(name, err)
	return Diagnosis{name, status, f.Message, f.Fix}
}

func seal(ctx context.Context, s Settings) Diagnosis {
	if s.Sandbox.Unsafe {
		return Diagnosis{"sandbox", Warning, "switched off by --unsafe-no-sandbox: what models write runs as you", ""}
	}
	if err := s.Sandbox.Available(ctx); err != nil {
		return from("sandbox", Missing, err)
	}
	return Diagnosis{"sandbox", OK, "bubblewrap: no network, a read-only root, nothing of this machine's files and processes", ""}
}

// user says who the code that models write runs as.
func user(s Settings) Diagnosis {
	switch {
	case s.Sandbox.Unsafe:
		return Diagnosis{"user", Warning, "the code that models write runs as you", ""}
	case s.Sandbox.Seal().OwnUser:
		return Diagnosis{"user", OK, "each sandbox runs as a user of its own", ""}
	case os.Geteuid() == 0:
		return Diagnosis{"user", Warning, "sandboxes run as root, which is nobody from inside: this root may not lend other users", "run vitrine as an ordinary user"}
	}
	return Diagnosis{"user", OK, "sandboxes run as you, which is nobody from inside; only root can give each a user of its own", ""}
}

// limits says who holds that code to its limits.
func limits(s Settings) Diagnosis {
	a := Diagnosis{"limits", OK, "memory, processor time, processes and disk are watched ten times a second", ""}
	if s.Sandbox.Unsafe {
		a.Status, a.Text = Warning, a.Text+", but what leaves its process tree is not seen"
	} else if known, _ := filepath.Glob("/proc/self/task/*/children"); len(known) == 0 {
		a.Status, a.Text, a.Fix = Warning, "this kernel does not tell which processes belong together: only wall time, disk and single processes are limited", "use a kernel with CONFIG_PROC_CHILDREN"
	} else if s.Sandbox.Seal().KernelCounts {
		a.Text += "; the kernel holds each sandbox to twice its processes"
	}
	return a
}

// namespaces says whether Chromium can seal its pages off by itself, within
// our sandbox.
func namespaces() Diagnosis {
	for file, values := range map[string][2]string{
		"/proc/sys/user/max_user_namespaces":                     {"0", "10000"},
		"/proc/sys/kernel/unprivileged_userns_clone":             {"0", "1"},
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": {"1", "0"},
	} {
		off, on := values[0], values[1]
		if b, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(b)) == off {
			name := strings.ReplaceAll(strings.TrimPrefix(file, "/proc/sys/"), "/", ".")
			return Diagnosis{"namespaces", Warning, name + " is " + off + ": Chromium's own sandbox may not start", "sysctl " + name + "=" + on}
		}
	}
	return Diagnosis{"namespaces", OK, "unprivileged user namespaces, which Chromium's own sandbox stands on", ""}
}

func chromium(ctx context.Context, s Settings) Diagnosis {
	sup := browser.New(browser.Settings{Path: s.Browser, Sandbox: s.Sandbox, Pages: 1})
	defer sup.Close()
	start := time.Now()
	version, err := sup.Version(ctx)
	if err != nil {
		return from("browser", Missing, err)
	}
	path, err := browser.Find(s.Browser)
	if err != nil {
		return from("browser", Missing, err)
	}
	a := Diagnosis{"browser", OK, fmt.Sprintf("%s  %s  starts in %d ms", version, path, time.Since(start).Milliseconds()), ""}
	if !strings.Contains(path, "headless-shell") {
		a.Status, a.Fix = Warning, "apt-get install chromium-headless-shell starts faster and is what we test with"
	}
	return a
}

func fonts() Diagnosis {
	installed := browser.InstalledFonts()
	fix := "apt-get install " + strings.Join(installed.Missing, " ")
	switch {
	case !installed.Pinned():
		return Diagnosis{"fonts", Warning, "the pinned set is missing: frames depend on what this machine has, hash " + installed.Hash, fix}
	case len(installed.Missing) > 0:
		return Diagnosis{"fonts", Warning, "a part of the pinned set is missing: pages show empty boxes for emoji or Chinese, Japanese and Korean", fix}
	}
	return Diagnosis{"fonts", OK, fmt.Sprintf("Liberation, Noto Color Emoji, Noto Sans CJK: %d files, hash %s", len(installed.Files), installed.Hash), ""}
}

func node(ctx context.Context, s Settings) Diagnosis {
	p, err := exact.New(ctx, exact.Settings{Store: s.CacheDir + "/packages", Sandbox: s.Sandbox})
	if err != nil {
		a := from("node", Warning, err)
		a.Text += "; only projects need it"
		return a
	}
	return Diagnosis{"node", OK, strings.TrimPrefix(p.ToolVersions(), "exact@"+exact.Version+" ") + " (only projects need it)", ""}
}

func plots(s Settings) Diagnosis {
	versions, err := plot.New(plot.Settings{Store: s.CacheDir + "/packages", Sandbox: s.Sandbox}).Versions()
	if err != nil {
		a := from("plots", Warning, err)
		a.Text += "; only Python plots need it"
		return a
	}
	return Diagnosis{"plots", OK, versions + " (only Python plots need it)", ""}
}

const leastDisk = 2 << 30

func disk(cacheDir string) Diagnosis {
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return Diagnosis{"disk", Missing, "the cache folder cannot be made: " + err.Error(), "choose another with --cache-dir or VITRINE_CACHE"}
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(cacheDir, &fs); err != nil {
		return Diagnosis{"disk", Warning, err.Error(), ""}
	}
	free := int64(fs.Bavail) * int64(fs.Bsize)
	a := Diagnosis{"disk", OK, fmt.Sprintf("%d GB free for the cache in %s", free>>30, cacheDir), ""}
	if free < leastDisk {
		a.Status, a.Fix = Warning, "free some space; projects need about 0.3 GB for each set of packages"
	}
	return a
}
