package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/lint"
)

func lintCommand(c *common) *cobra.Command {
	var atOnce int
	cmd := &cobra.Command{
		Use:   "lint [RUN]",
		Short: "Say of the projects of a run whether ESLint passes them",
		Long: `Say of each project of a run folder (default: the newest run) whether ESLint finds no
error in it and its dependencies resolve. Vitrine figures then has the LDPR of the run.

ESLint runs in the sandbox, without a network and within the limits of a build, by the
configuration that the project brings, or by that of WebGen-R1's starter project. The
findings are saved with the evidence, so that an interrupted command goes on; what
could not be linted is tried again and is no value of the LDPR.`,
		Example: `  vitrine lint runs/a
  vitrine lint runs/a --json | jq '.samples[] | {id, score: .finding.score}'`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if atOnce < 1 {
				return usage("-j: must be 1 or more", "leave it out for 1")
			}
			dir, err := runFolder(args)
			if err != nil {
				return err
			}
			ctx, release := cancelOnSignal(cmd.Context(), c)
			defer release()
			return c.lint(ctx, dir, atOnce)
		},
	}
	cmd.Flags().IntVarP(&atOnce, "concurrency", "j", 1, "projects at once")
	return cmd
}

func (c *common) lint(ctx context.Context, dir string, atOnce int) error {
	defer cache.Hold(c.cacheDir)()
	projects, err := exact.New(ctx, exact.Settings{Store: filepath.Join(c.cacheDir, cache.PackagesDir), Sandbox: c.sandbox()})
	if err != nil {
		return err
	}
	results, err := lint.Run(ctx, &lint.Linter{Projects: projects}, dir, atOnce, func(r lint.Result) {
		c.say("%s  %s", r.ID, r.Finding.Why)
	})
	if ctx.Err() != nil {
		c.say("interrupted: go on with the same command")
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	passed, linted := 0, 0
	for _, r := range results {
		if r.Finding.Status == vitrine.StatusScored {
			linted++
			passed += int(*r.Finding.Score)
		}
	}
	c.say("%d of %d projects pass; %d could not be linted", passed, linted, len(results)-linted)
	if c.json {
		return c.printJSON(map[string]any{"run": dir, "samples": results})
	}
	return nil
}
