// Command perf measures what Vitrine says of itself, each claim by one
// subcommand that anybody can run again: peers does the same work with other tools and
// with Vitrine; determinism captures every page many times under load and compares the
// frames byte by byte; soak scores ten thousand pages and measures the memory; interact
// exercises pages and compares the time with the waits of a published agent.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"vitrine/internal/cache"
	"vitrine/internal/fixtures"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := &cobra.Command{Use: "perf", Short: "Measure what Vitrine says of itself", SilenceUsage: true}
	root.AddCommand(peersCommand(), tableCommand(), soakCommand(), determinismCommand(), workerCommand(), interactCommand(), tracesCommand(), loadCommand(), chaosCommand(), setsCommand(), rewardsCommand(), outputsCommand(), behaviorsCommand(), requireCommand(), functionCommand(), nearCommand(), clusterCommand())
	if root.ExecuteContext(ctx) != nil {
		os.Exit(1)
	}
}

// command is a subcommand without arguments that prints what it measured.
func command(use, short string, run func(context.Context, io.Writer) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return run(cmd.Context(), cmd.OutOrStdout())
	}}
}

// newPipeline makes a pipeline as the command line would, with changes.
func newPipeline(change func(*pipeline.Settings)) (*pipeline.Pipeline, error) {
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		return nil, err
	}
	s := pipeline.Settings{Recipe: recipe, CacheDir: cacheDir()}
	if _, err := os.Stat(filepath.Join(s.CacheDir, cache.FixturesDir)); err == nil {
		if s.Fixtures, err = fixtures.Open(filepath.Join(s.CacheDir, cache.FixturesDir)); err != nil {
			return nil, err
		}
	}
	change(&s)
	return pipeline.New(s), nil
}

// cacheDir is the cache of the command line.
func cacheDir() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "vitrine")
	}
	return filepath.Join(os.TempDir(), "vitrine-perf-cache")
}

// say tells how a measurement gets on.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
