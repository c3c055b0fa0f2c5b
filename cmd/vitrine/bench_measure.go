package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/cache"
	"vitrine/internal/npm"
	"vitrine/internal/queue"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
)

// measure has the answers scored by the pipeline, or tested by the benchmark itself.
func (r *benching) measure(ctx context.Context, b bench.Benchmark, run *bench.Run, tasks []vitrine.Task, a bench.Answers) (map[string]bench.Measured, error) {
	switch b := b.(type) {
	case bench.Tested:
		return r.test(ctx, b, run, tasks, a)
	case bench.Sited:
		if err := r.score(ctx, b, run); err != nil {
			return nil, err
		}
		by := map[string]vitrine.Task{}
		for _, t := range tasks {
			by[t.ID] = t
		}
		return b.Measure(run.Samples(), by)
	}
	return nil, fmt.Errorf("%s measures nothing", b.Info().Name)
}

// score scores the outputs into the pipeline's run folder, or goes on with it.
func (r *benching) score(ctx context.Context, b bench.Sited, run *bench.Run) error {
	s, how := &r.scoring, b.Scoring()
	if !r.recipe {
		if s.Recipe = how.Recipe; r.judge == "" && how.Alone != "" {
			s.Recipe = how.Alone
		}
	}
	s.Times, s.Until, s.MaxRoutes, s.Concurrency = how.Times, npm.Until, 8, r.atOnce()
	if s.cluster.nats != "" {
		s.Concurrency = r.away()
	}
	v := r.asked.asking
	if v.BudgetUSD > 0 && r.asking != nil { // both models share it
		if v.BudgetUSD -= r.asking.Spent().USD; v.BudgetUSD <= 0 && r.judge != "" {
			return vitrine.NewFault("judge", vitrine.FaultBudget, nil, "the answers took the whole budget: nothing is left for the model that judges").WithFix("go on with the same command and a larger --budget-usd")
		}
	}
	v.Model, v.Judge, v.Repeats, v.Variant, v.Condition, v.FirstRepeats = r.asked.asking.Models.At(r.judge), "", 1, 1, "variant", 3
	if r.judge != "" {
		v.Judge = how.Judge
	}
	s.Judging = v
	if !r.method {
		s.Interacting.By = how.Interact
	}
	if s.cluster.nats != "" {
		r.say("workers: vitrine worker --nats %s --viewport %s --times %s --interact %s%s", queue.Address(s.cluster.nats), s.Viewports, s.Times, s.Interacting.By, judged(v))
	}
	s.tasks, s.dir, s.maxErrors = run.Tasks(), run.Samples(), "10%"
	_, err := os.Stat(filepath.Join(s.dir, "run.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.resume = err == nil
	s.retryUnjudged = s.resume
	input, err := s.open(ctx, r.common, run.Outputs(), true)
	if err != nil {
		return err
	}
	defer input.Close()
	res, err := s.score(ctx, run.Outputs(), input)
	if err != nil {
		return err
	}
	header, _, err := runs.Read(res.dir)
	run.Header.By = strings.Join(slices.Compact([]string{header.Recipe, header.Judge, "interact " + header.Interact}), "; ")
	return err
}

// judged are the flags of a worker that judges so.
func judged(v setup.Judging) string {
	if v.Model == "" {
		return ""
	}
	return " -m " + v.Model + " --judge " + v.Judge
}

// atOnce is how many sites or tests are in work at once: the flag is that of questions.
func (r *benching) atOnce() int { return min(r.asked.atOnce, 2*runtime.NumCPU()) }

// away is how many outputs wait for workers at once; 0: as many as they say.
func (r *benching) away() int {
	if r.given.Changed("concurrency") {
		return r.asked.atOnce
	}
	return 0
}

// tester tests answers here, or has workers test them, so many at once. What ends it is
// returned, too.
func (r *benching) tester(ctx context.Context, b bench.Tested) (tester bench.Tester, atOnce int, end func(), err error) {
	if r.scoring.cluster.nats == "" {
		tester, err = b.Tester(ctx, bench.Machine{Sandbox: r.sandbox(), CacheDir: r.cacheDir})
		return tester, min(r.asked.atOnce, runtime.NumCPU()), func() {}, err
	}
	var as setup.Looking // what a worker has that is given no flag
	none := pflag.NewFlagSet("", pflag.ContinueOnError)
	addLooking(&as, r.common, none)
	addInteracting(&as.Interacting, none)
	p, err := as.Open(r.machine(), nil)
	if err != nil {
		return nil, 0, nil, err
	}
	elsewhere, err := r.scoring.cluster.elsewhere(ctx, r.common, p, as.Recipe, nil, r.away())
	if err != nil {
		p.Close()
		return nil, 0, nil, err
	}
	return elsewhere.Tester(b), elsewhere.AtOnce(), func() { elsewhere.Close(); p.Close() }, nil
}

// test has the answers tested by the benchmark itself.
func (r *benching) test(ctx context.Context, b bench.Tested, run *bench.Run, tasks []vitrine.Task, a bench.Answers) (map[string]bench.Measured, error) {
	defer cache.Hold(r.cacheDir)()
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	tester, atOnce, end, err := r.tester(ctx, b)
	if err != nil {
		return nil, err
	}
	defer end()
	began, last, before := time.Now(), time.Now(), -1
	measured, err := run.Test(ctx, tester, tasks, a, atOnce, func(done, total int) {
		if before < 0 {
			before = done - 1 // those of a run before
		}
		if done == total || time.Since(last) > 5*time.Second {
			last = time.Now()
			left := time.Since(began) / time.Duration(done-before) * time.Duration(total-done)
			r.say("%d/%d tested, %s, %s left", done, total, time.Since(began).Round(time.Second), left.Round(time.Second))
		}
	})
	if ctx.Err() != nil {
		r.say("interrupted: %d of %d are tested. Go on with the same command", len(measured), len(a.Outputs))
		return nil, exit(exitInterrupted)
	}
	return measured, err
}
