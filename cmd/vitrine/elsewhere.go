package main

import (
	"context"
	"log/slog"
	"os"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/queue"
	"vitrine/internal/service"
	"vitrine/internal/setup"
)

// elsewhere are the workers of the cluster, for the outputs of one command with a pipeline
// of a recipe. Close them.
func (j *joining) elsewhere(ctx context.Context, c *common, p *setup.Pipeline, recipe string, tasks map[string]vitrine.Task, atOnce int) (*service.Elsewhere, error) {
	all, err := setup.Recipes(recipe, nil)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	return service.OpenElsewhere(ctx, service.Settings{
		Pipeline: p.Pipeline, Recipes: all, Getenv: c.getenv, Say: c.say,
		Queue: queue.Settings{URL: j.nats, Auth: j.shown(c), Service: "a command on " + host},
		Log:   slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}, "vitrine", tasks, atOnce)
}

// unbudgeted refuses a budget for a model that workers ask: each has a client of its own.
func (j *joining) unbudgeted(model string, v *setup.Judging) error {
	if j.nats == "" || model == "" || v.BudgetUSD == 0 && v.BudgetTokens == 0 {
		return nil
	}
	return usage("--budget-usd and --budget-tokens: with --nats it is the workers that ask "+model, "give each vitrine worker a budget, or leave out --nats")
}

// testers test answers to the benchmarks with an evaluation of their own.
func (c *common) testers() *service.Testers {
	return &service.Testers{Benchmarks: benchmarks, Machine: bench.Machine{Sandbox: c.sandbox(), CacheDir: c.cacheDir}}
}
