package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/fixtures"
	"vitrine/internal/runs"
)

// mirrorDir is where the mirror lies in the cache.
func (c *common) mirrorDir() string { return filepath.Join(c.cacheDir, cache.FixturesDir) }

func fixturesCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fixtures",
		Short: "Keep what pages load from CDNs on this machine",
		Long: `Keep what pages load from CDNs on this machine.

A capture reaches no network. What pages ask other hosts for (scripts and styles
of CDNs, Google Fonts) is answered from npm packages that this command brings in
once; photos, placeholders and avatars are drawn. docs/fixtures.md tells more.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(fixturesSyncCommand(c), fixturesListCommand(c), fixturesAddCommand(c))
	return cmd
}

func fixturesSyncCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "sync",
		Short: "Bring in the packages that pages ask for most",
		Long: `Bring in the packages that pages ask for most, with npm. What is here already
is left alone, so an interrupted sync goes on where it stopped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			pins, err := fixtures.Default()
			if err != nil {
				return err
			}
			return c.bring(cmd.Context(), pins, false)
		},
	}
}

func fixturesAddCommand(c *common) *cobra.Command {
	var run string
	cmd := &cobra.Command{
		Use:   "add PACKAGE[@VERSION]|URL...",
		Short: "Bring in more packages, by name or by the URL that pages load",
		Example: `  vitrine fixtures add phaser@3 mermaid@11.12.0
  vitrine fixtures add https://cdn.jsdelivr.net/npm/lottie-web@5/build/player/lottie.min.js
  vitrine fixtures add --from .vitrine/runs/2026-11-21T09-00-00_outputs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted := args
			if run != "" {
				blocked, err := runs.Blocked(run)
				if err != nil {
					return err
				}
				wanted = append(wanted, blocked...)
			} else if len(args) == 0 {
				return usage("nothing to add", "name packages, URLs or a run with --from")
			}
			pins, err := fixtures.Pins(wanted, run != "")
			if err != nil {
				return err
			}
			return c.bring(cmd.Context(), pins, true)
		},
	}
	cmd.Flags().StringVar(&run, "from", "", "run or evidence folder: add the packages that its pages asked for in vain")
	return cmd
}

// brought is what a sync did.
type brought struct {
	Dir      string   `json:"dir"`
	Packages int      `json:"packages"`
	Fetched  int      `json:"fetched"`
	Present  int      `json:"present"`
	Failed   []string `json:"failed"`
	Bytes    int64    `json:"bytes"`    // on disk
	Download int64    `json:"download"` // of this call
	Seconds  float64  `json:"seconds"`
}

func (c *common) bring(ctx context.Context, pins []fixtures.Pin, added bool) error {
	start := time.Now()
	done := brought{Dir: c.mirrorDir(), Packages: len(pins), Failed: []string{}}
	err := fixtures.Sync(ctx, pins, fixtures.SyncSettings{Dir: c.mirrorDir(), Added: added, Progress: func(s fixtures.Step) {
		switch {
		case s.Err != nil:
			done.Failed = append(done.Failed, s.Spec)
			c.say("missing %-42s %s", s.Spec, vitrine.AsFault("fixtures", s.Err).Message)
			return
		case s.Fetched:
			done.Fetched++
			done.Download += s.Release.Download
			c.say("%3d/%d  %-42s %s in %d files", done.Fetched+done.Present, len(pins), s.Release.Name+"@"+s.Release.Version, megabytes(s.Release.Bytes), len(s.Release.Files))
		default:
			done.Present++
		}
		done.Bytes += s.Release.Bytes
	}})
	done.Seconds = time.Since(start).Seconds()
	if err != nil && (done.Fetched == 0 || !c.json) {
		return err
	}
	c.say("%d packages fetched (%s), %d were here; %s on disk in %s", done.Fetched, megabytes(done.Download), done.Present, megabytes(done.Bytes), done.Dir)
	if c.json {
		if err := c.printJSON(done); err != nil {
			return err
		}
	}
	if err != nil {
		return exit(exitCode(vitrine.AsFault("fixtures", err).Code))
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func fixturesListCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show which packages are here and which hosts are answered",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			mirror, err := fixtures.Open(c.mirrorDir())
			if err != nil {
				return err
			}
			hosts := fixtures.Hosts()
			if c.json {
				return c.printJSON(map[string]any{"dir": c.mirrorDir(), "hash": mirror.Hash(), "packages": mirror.Releases(), "hosts": hosts})
			}
			c.printMirror(mirror.Releases(), hosts)
			return nil
		},
	}
}

func (c *common) printMirror(all []fixtures.Release, hosts []fixtures.Host) {
	slices.SortFunc(all, func(a, b fixtures.Release) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	var total int64
	for _, r := range all {
		mark := ""
		if r.Added {
			mark = "  added"
		}
		fmt.Fprintf(c.out, "%-44s %8s  %5d files%s\n", r.Name+"@"+r.Version, megabytes(r.Bytes), len(r.Files), mark)
		total += r.Bytes
	}
	fmt.Fprintf(c.out, "%d packages, %s in %s\n\n", len(all), megabytes(total), c.mirrorDir())
	for _, h := range hosts {
		fmt.Fprintf(c.out, "%-12s %s\n", h.Kind, h.Name)
	}
	if len(all) == 0 {
		c.say("no package is here yet: run vitrine fixtures sync")
	}
}
