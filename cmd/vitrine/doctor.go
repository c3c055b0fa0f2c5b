package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build/exact"
)

// ailment is what doctor says of one thing.
type ailment struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warning, missing
	Text   string `json:"text"`
	Fix    string `json:"fix,omitempty"`
}

func doctorCommand(c *common) *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine lacks, and how to mend it",
		Long: `Say what this machine lacks, and how to mend it. With --nats, say also which workers on a
queue get no jobs of which service, and what they judge by that differs.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := examine(cmd.Context(), c)
			if j.nats != "" {
				all = append(all, examineQueue(cmd.Context(), c, &j)...)
			}
			missing := false
			for _, a := range all {
				missing = missing || a.Status == "missing"
			}
			if c.json {
				if err := c.printJSON(map[string]any{"ok": !missing, "checks": all}); err != nil {
					return err
				}
			} else {
				printAilments(c, all)
			}
			if missing {
				return exit(exitEnvironment)
			}
			return nil
		},
	}
	j.addCluster(cmd.Flags())
	return cmd
}

func printAilments(c *common, all []ailment) {
	marks := map[string]string{"ok": "✓", "warning": "!", "missing": "✗"}
	for _, a := range all {
		fmt.Fprintf(c.out, " %s %-10s %s\n", marks[a.Status], a.Name, a.Text)
		if a.Fix != "" {
			fmt.Fprintf(c.out, "   %-10s fix: %s\n", "", a.Fix)
		}
	}
}

func examine(ctx context.Context, c *common) []ailment {
	return []ailment{
		{Name: "vitrine", Status: "ok", Text: vitrine.Version},
		examineSandbox(ctx, c), examineUser(c), examineLimits(c), examineNamespaces(), examineBrowser(ctx, c), examineFonts(), examineNode(ctx, c), examineDisk(c),
	}
}

// from turns an error into an ailment.
func from(name, status string, err error) ailment {
	f := vitrine.AsFault(name, err)
	return ailment{name, status, f.Message, f.Fix}
}

func examineSandbox(ctx context.Context, c *common) ailment {
	if c.unsafe {
		return ailment{"sandbox", "warning", "switched off by --unsafe-no-sandbox: what models write runs as you", ""}
	}
	if err := c.sandbox().Available(ctx); err != nil {
		return from("sandbox", "missing", err)
	}
	return ailment{"sandbox", "ok", "bubblewrap: no network, a read-only root, nothing of this machine's files and processes", ""}
}

// examineUser says who the code that models write runs as.
func examineUser(c *common) ailment {
	switch {
	case c.unsafe:
		return ailment{"user", "warning", "the code that models write runs as you", ""}
	case c.sandbox().Seal().OwnUser:
		return ailment{"user", "ok", "each sandbox runs as a user of its own", ""}
	case os.Geteuid() == 0:
		return ailment{"user", "warning", "sandboxes run as root, which is nobody from inside: this root may not lend other users", "run vitrine as an ordinary user"}
	}
	return ailment{"user", "ok", "sandboxes run as you, which is nobody from inside; only root can give each a user of its own", ""}
}

// examineLimits says who holds that code to its limits.
func examineLimits(c *common) ailment {
	a := ailment{"limits", "ok", "memory, processor time, processes and disk are watched ten times a second", ""}
	if c.unsafe {
		a.Status, a.Text = "warning", a.Text+", but what leaves its process tree is not seen"
	} else if known, _ := filepath.Glob("/proc/self/task/*/children"); len(known) == 0 {
		a.Status, a.Text, a.Fix = "warning", "this kernel does not tell which processes belong together: only wall time, disk and single processes are limited", "use a kernel with CONFIG_PROC_CHILDREN"
	} else if c.sandbox().Seal().KernelCounts {
		a.Text += "; the kernel holds each sandbox to twice its processes"
	}
	return a
}

// examineNamespaces says whether Chromium can seal its pages off by itself, within
// our sandbox.
func examineNamespaces() ailment {
	for file, values := range map[string][2]string{
		"/proc/sys/user/max_user_namespaces":                     {"0", "10000"},
		"/proc/sys/kernel/unprivileged_userns_clone":             {"0", "1"},
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": {"1", "0"},
	} {
		off, on := values[0], values[1]
		if b, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(b)) == off {
			name := strings.ReplaceAll(strings.TrimPrefix(file, "/proc/sys/"), "/", ".")
			return ailment{"namespaces", "warning", name + " is " + off + ": Chromium's own sandbox may not start", "sysctl " + name + "=" + on}
		}
	}
	return ailment{"namespaces", "ok", "unprivileged user namespaces, which Chromium's own sandbox stands on", ""}
}

func examineBrowser(ctx context.Context, c *common) ailment {
	sup := browser.New(browser.Settings{Path: c.browser, Sandbox: c.sandbox(), Pages: 1})
	defer sup.Close()
	start := time.Now()
	version, err := sup.Version(ctx)
	if err != nil {
		return from("browser", "missing", err)
	}
	path, err := browser.Find(c.browser)
	if err != nil {
		return from("browser", "missing", err)
	}
	a := ailment{"browser", "ok", fmt.Sprintf("%s  %s  starts in %d ms", version, path, time.Since(start).Milliseconds()), ""}
	if !strings.Contains(path, "headless-shell") {
		a.Status, a.Fix = "warning", "apt-get install chromium-headless-shell starts faster and is what we test with"
	}
	return a
}

func examineFonts() ailment {
	fonts := browser.InstalledFonts()
	fix := "apt-get install " + strings.Join(fonts.Missing, " ")
	switch {
	case !fonts.Pinned():
		return ailment{"fonts", "warning", "the pinned set is missing: frames depend on what this machine has, hash " + fonts.Hash, fix}
	case len(fonts.Missing) > 0:
		return ailment{"fonts", "warning", "a part of the pinned set is missing: pages show empty boxes for emoji or Chinese, Japanese and Korean", fix}
	}
	return ailment{"fonts", "ok", fmt.Sprintf("Liberation, Noto Color Emoji, Noto Sans CJK: %d files, hash %s", len(fonts.Files), fonts.Hash), ""}
}

func examineNode(ctx context.Context, c *common) ailment {
	p, err := exact.New(ctx, exact.Settings{Store: c.cacheDir + "/packages", Sandbox: c.sandbox()})
	if err != nil {
		a := from("node", "warning", err)
		a.Text += "; only projects need it"
		return a
	}
	return ailment{"node", "ok", strings.TrimPrefix(p.ToolVersions(), "exact@"+exact.Version+" ") + " (only projects need it)", ""}
}

const leastDisk = 2 << 30

func examineDisk(c *common) ailment {
	if err := os.MkdirAll(c.cacheDir, 0o755); err != nil {
		return ailment{"disk", "missing", "the cache folder cannot be made: " + err.Error(), "choose another with --cache-dir or VITRINE_CACHE"}
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(c.cacheDir, &fs); err != nil {
		return ailment{"disk", "warning", err.Error(), ""}
	}
	free := int64(fs.Bavail) * fs.Bsize
	a := ailment{"disk", "ok", fmt.Sprintf("%d GB free for the cache in %s", free>>30, c.cacheDir), ""}
	if free < leastDisk {
		a.Status, a.Fix = "warning", "free some space; projects need about 0.3 GB for each set of packages"
	}
	return a
}
