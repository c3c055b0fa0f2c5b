package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine lacks, and how to mend it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := examine(cmd.Context(), c)
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
				return exit(vitrine.ExitEnvironment)
			}
			return nil
		},
	}
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
		examineSandbox(ctx, c), examineBrowser(ctx, c), examineFonts(), examineNode(ctx, c), examineDisk(c),
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
	return ailment{"sandbox", "ok", "bubblewrap: no network, nothing of this machine's files, own user and processes", ""}
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

// fontNeeds are scripts that pages of models use and plain servers lack.
var fontNeeds = []struct{ name, pattern, pkg string }{
	{"latin", ":lang=en", "fonts-liberation"},
	{"emoji", ":lang=und-zsye:color=true", "fonts-noto-color-emoji"},
	{"chinese, japanese and korean", ":lang=zh-cn", "fonts-noto-cjk"},
}

func examineFonts() ailment {
	if _, err := exec.LookPath("fc-list"); err != nil {
		return ailment{"fonts", "warning", "fc-list is missing, so fonts are not known", "apt-get install fontconfig"}
	}
	var lacking, packages []string
	for _, need := range fontNeeds {
		out, err := exec.Command("fc-list", need.pattern, "family").Output()
		if err != nil || len(strings.TrimSpace(string(out))) == 0 {
			lacking = append(lacking, need.name)
			packages = append(packages, need.pkg)
		}
	}
	if len(lacking) == 0 {
		return ailment{"fonts", "ok", "Latin, emoji and CJK", ""}
	}
	return ailment{"fonts", "warning", "none for " + strings.Join(lacking, ", ") + ": pages show empty boxes there", "apt-get install " + strings.Join(packages, " ")}
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
