package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/cache"
)

func cacheCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Say what the cache holds, remove from it, explain a miss",
		Long: `Say what the cache holds, remove from it, explain a miss.

The cache folder (--cache-dir, VITRINE_CACHE) keeps installed packages, built sites,
captures and judgements by everything that they are a function of.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(cacheStatsCommand(c), cachePruneCommand(c), cacheWhyCommand(c))
	return cmd
}

func cacheStatsCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Say what the cache holds, stage by stage",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			items, err := cache.Inventory(c.cacheDir)
			if err != nil {
				return err
			}
			rows := cache.Totals(items)
			if c.json {
				return c.printJSON(map[string]any{"cache": c.cacheDir, "stages": rows})
			}
			printStages(c, rows)
			return nil
		},
	}
}

func printStages(c *common, rows []cache.StageTotal) {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "stage\tentries\tsize\tleast recently used\tlast used")
	var all cache.StageTotal
	for _, r := range rows {
		all.Entries, all.Bytes = all.Entries+r.Entries, all.Bytes+r.Bytes
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", r.Stage, r.Entries, size(r.Bytes), day(r.Oldest), day(r.Newest))
	}
	fmt.Fprintf(w, "all\t%d\t%s\t\t\n", all.Entries, size(all.Bytes))
	_ = w.Flush()
	c.say("in %s", c.cacheDir)
}

func day(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// size writes bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
}

type pruning struct {
	*common
	olderThan, maxSize string
	all, dryRun        bool
}

func cachePruneCommand(c *common) *cobra.Command {
	p := &pruning{common: c}
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove from the cache, least recently used first",
		Long: `Remove from the cache, least recently used first.

It is safe while outputs are scored: a result that is removed is computed again, and
the sites and packages in use stay. Fixtures are never removed.`,
		Example: `  vitrine cache prune --older-than 30d
  vitrine cache prune --max-size 20GB --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return p.run() },
	}
	flags := cmd.Flags()
	flags.StringVar(&p.olderThan, "older-than", "", "remove what was not used for so long, such as 30d or 12h")
	flags.StringVar(&p.maxSize, "max-size", "", "remove until no more than this is left, such as 20GB or 500MB")
	flags.BoolVar(&p.all, "all", false, "remove everything")
	flags.BoolVar(&p.dryRun, "dry-run", false, "only say what would be removed")
	return cmd
}

func (p *pruning) run() error {
	s := cache.PruneSettings{MaxBytes: -1, All: p.all, DryRun: p.dryRun}
	if p.olderThan == "" && p.maxSize == "" && !p.all {
		return usage("nothing says what to remove", "give --older-than 30d, --max-size 20GB or --all")
	}
	var err error
	if p.olderThan != "" {
		if s.OlderThan, err = parseAge(p.olderThan); err != nil {
			return err
		}
	}
	if p.maxSize != "" {
		if s.MaxBytes, err = parseSize(p.maxSize); err != nil {
			return err
		}
	}
	out, err := cache.Prune(p.cacheDir, s, time.Now())
	if err != nil {
		return err
	}
	removed, busy := cache.Totals(out.Removed), cache.Totals(out.Busy)
	if p.json {
		return p.printJSON(map[string]any{"cache": p.cacheDir, "dry_run": p.dryRun, "removed": removed, "busy": busy, "kept_bytes": out.Kept})
	}
	verb := "removed"
	if p.dryRun {
		verb = "would remove"
	}
	for _, r := range removed {
		fmt.Fprintf(p.out, "%s %d of %s, %s\n", verb, r.Entries, r.Stage, size(r.Bytes))
	}
	for _, r := range busy {
		p.say("left %d of %s: something is being built or looked at right now", r.Entries, r.Stage)
	}
	p.say("%s stay in %s", size(out.Kept), p.cacheDir)
	return nil
}

// parseAge reads a duration that may be in days.
func parseAge(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n > 0 && n < 1e5 {
			return time.Duration(n * float64(24*time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	return 0, usage(fmt.Sprintf("--older-than: %q is not an age", text), "such as 30d, 12h or 90m")
}

// units of sizes, longest first.
var units = []struct {
	name  string
	bytes float64
}{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"KB", 1 << 10}, {"B", 1}}

func parseSize(text string) (int64, error) {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil && n >= 0 && n*u.bytes < math.MaxInt64 {
			return int64(n * u.bytes), nil
		}
		break
	}
	return 0, usage(fmt.Sprintf("--max-size: %q is not a size", text), "such as 20GB or 500MB")
}
