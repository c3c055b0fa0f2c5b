package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/pipeline"
	"vitrine/internal/report"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
)

type scoring struct {
	*common
	setup.Looking
	resuming
	reading
	cluster          joining
	tasks, maxErrors string
	progress         string
	retryUnjudged    bool
	noReport         bool
}

func scoreCommand(c *common) *cobra.Command {
	s := &scoring{common: c}
	cmd := &cobra.Command{
		Use:   "score FILE.jsonl",
		Short: "Give a reward to each model output of a file",
		Long: `Give a reward to each model output of a file, with the evidence behind it.

Each line of the file is a JSON object with "output" or another field that holds what a
model wrote; "id", "instruction" or "task_id" (with --tasks), "model", "kind",
"group_id" and "meta" are optional. JSON, CSV and Parquet are taken too, each also
packed by gzip or zstd, and what endpoints, batches and trainers write, pages, folders
and archives (docs/formats.md). Where the guess is wrong, --map says what is where.
"-" reads from standard input. Every finished sample is added to samples.jsonl in
the run folder at once, so an interrupted run loses nothing: go on with --resume.`,
		Example: `  vitrine score outputs.jsonl
  vitrine score outputs.jsonl --recipe aescoder --viewport desktop,mobile
  vitrine score rollouts.parquet --map output=reply.text --map id=uid
  vitrine score outputs.jsonl --tasks webgen-bench.jsonl --out runs/a && jq .reward runs/a/samples.jsonl
  vitrine score outputs.jsonl --nats nats://queue:4222 -j 128`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd.Context(), args[0]) },
	}
	addLooking(&s.Looking, c, cmd.Flags())
	addInteracting(&s.Interacting, cmd.Flags())
	flags := cmd.Flags()
	flags.StringVar(&s.tasks, "tasks", "", "file of tasks, for lines that have a task_id")
	s.resuming.add(flags)
	s.reading.add(flags)
	flags.BoolVar(&s.retryUnjudged, "retry-unjudged", false, "like --resume, and try again what could not be judged")
	flags.StringVar(&s.maxErrors, "max-errors", "10%", "unjudged samples, as a number or a share, above which the exit code is 4")
	flags.StringVar(&s.progress, "progress", "auto", "progress display: auto, live, plain or none")
	s.cluster.addCommand(flags)
	flags.BoolVar(&s.noReport, "no-report", false, "do not write report.html")
	return cmd
}

// result is what a run came to.
type result struct {
	dir     string
	samples []vitrine.Sample
	summary report.Summary
}

func (s *scoring) run(ctx context.Context, file string) error {
	limit, err := report.ParseLimit(s.maxErrors)
	if err != nil {
		return err
	}
	opening, release := cancelOnSignal(ctx, s.common)
	input, err := s.open(opening, s.common, file, false)
	release()
	if err != nil {
		return err
	}
	defer input.Close()
	if input.Survey.Rows == 0 {
		return usage(file+" is empty", `each line is a JSON object such as {"id":"a1","output":"<!doctype html>…"}`)
	}
	res, err := s.score(ctx, file, input)
	if err != nil {
		return err
	}
	if s.json {
		err = s.printJSON(map[string]any{"run": res.dir, "report": res.reportFile(s.noReport), "summary": res.summary})
	} else {
		report.Text(s.err, res.summary)
		s.say("")
		if !s.noReport {
			s.say("report  %s", res.reportFile(false))
		}
		fmt.Fprintln(s.out, filepath.Join(res.dir, "samples.jsonl"))
	}
	if err != nil {
		return err
	}
	if why := limit.Exceeded(res.summary); why != "" {
		s.say("%s", why)
		return exit(exitUnjudged)
	}
	return nil
}

func (r *result) reportFile(none bool) string {
	if none {
		return ""
	}
	return filepath.Join(r.dir, "report.html")
}

// score runs the pipeline over the input and writes the report.
func (s *scoring) score(ctx context.Context, file string, input *inputs.Input) (*result, error) {
	if !slices.Contains(report.Displays, s.progress) {
		return nil, usage(fmt.Sprintf("--progress: there is no display %q", s.progress), "use "+strings.Join(report.Displays, ", "))
	}
	if err := s.cluster.unbudgeted(s.Judging.Model, &s.Judging); err != nil {
		return nil, err
	}
	tasks, err := setup.ReadTasks(s.tasks)
	if err != nil {
		return nil, err
	}
	p, err := s.Looking.Open(s.machine(), tasks)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	header, err := p.Header(ctx, file)
	if err != nil {
		return nil, err
	}
	s.resume = s.resume || s.retryUnjudged
	run, done, err := s.openRun(header)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	if s.resume {
		s.say("going on with %s: %d samples are done", run.Dir, len(done))
	}
	err = s.work(ctx, p, tasks, run, done, input)
	spent(s.common, p.Client)
	if err != nil {
		return nil, err
	}
	return s.finish(run)
}

func (s *scoring) work(ctx context.Context, p *setup.Pipeline, tasks map[string]vitrine.Task, run *runs.Run, done map[string]vitrine.Sample, input *inputs.Input) error {
	settings := pipeline.RunSettings{Done: done, RetryUnjudged: s.retryUnjudged}
	if s.cluster.nats != "" {
		elsewhere, err := s.cluster.elsewhere(ctx, s.common, p, s.Recipe, tasks, s.Concurrency)
		if err != nil {
			return err
		}
		defer elsewhere.Close()
		settings.Elsewhere = elsewhere
	}
	total := input.Survey.Outputs
	left := settings.Left(total)
	for _, line := range input.Survey.Lines() {
		s.say("%s", line)
	}
	progress := report.NewProgress(s.err, s.progress, s.getenv("TERM"), left, run.Dir)
	if p.Client != nil {
		progress.Cost = func() string { return p.Client.Spent().Cost() }
	}
	ctx, stop, release := interruptible(ctx, s.common, progress.Interrupted)
	defer release()
	settings.Stop = stop
	err := p.Run(ctx, input, run, settings, progress)
	saved := total - left + progress.End()
	if isClosed(stop) || ctx.Err() != nil {
		s.say("interrupted: %d samples are saved. Go on with the same command and --resume --out %s", saved, run.Dir)
		return exit(exitInterrupted)
	}
	if f := vitrine.AsFault("score", err); err != nil && f.Code == vitrine.FaultBudget {
		s.say("%d samples are saved. Go on with the same command, a larger budget and --resume --out %s", saved, run.Dir)
	}
	return err
}

func (s *scoring) finish(run *runs.Run) (*result, error) {
	header, samples, err := runs.Read(run.Dir)
	if err != nil {
		return nil, err
	}
	samples = runs.Newest(samples)
	if !s.noReport {
		if err := report.Write(run.Dir); err != nil {
			return nil, err
		}
	}
	return &result{run.Dir, samples, report.Summarize(header, samples)}, nil
}
