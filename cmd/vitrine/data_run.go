package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/data/flow"
	"vitrine/internal/data/sites"
	"vitrine/internal/model"
	"vitrine/internal/queue"
	"vitrine/internal/setup"
)

// flowing are the flags of a data pipeline.
type flowing struct {
	*common
	flow.Settings
	asking   setup.Judging
	in, with []string
	models   []string
	scoring  int // outputs at once; 0: by cores and memory
	resume   bool
	cluster  joining
}

func dataRunCommand(c *common) *cobra.Command {
	f := &flowing{common: c}
	cmd := &cobra.Command{
		Use:   "run PIPELINE --out DIR",
		Short: "Run a data pipeline: one that ships, or a YAML file of your own",
		Long: `Run a data pipeline: one that ships (vitrine data ls), or a YAML file of your own
(docs/data/pipelines.md). The rows that are left lie in --out, with summary.json; what
each step dropped, and why, lies below steps/, and what models answered in answers/.

Run it again to go on where it was interrupted: a step that is done is not run again,
and no answer that is there is asked for again. After a change only the steps that it
concerns run. The same inputs and answers give the same bytes.`,
		Example: `  vitrine data run relook-clean --in tasks.jsonl --with benchmarks=webgen-bench --out clean
  vitrine data run preference --in outputs.jsonl --with rewards=runs/a/samples.jsonl --out pairs
  vitrine data run aescode-web -m author=openai/gpt-5-mini --limit 20 --out web
  vitrine data run mine.yaml --in tasks.jsonl --limit 20 --out try
  vitrine data run mine.yaml --in pages.jsonl --nats nats://queue:4222 --out scored`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("concurrency") {
				f.scoring = f.Asking.AtOnce
			}
			return f.run(cmd.Context(), args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.in, "in", nil, "file, folder or archive of the rows; again for each")
	flags.StringArrayVar(&f.with, "with", nil, "another input of the pipeline, as NAME=FILE, of benchmarks also as NAME=BENCHMARK; again for each")
	flags.StringVar(&f.Out, "out", "", "folder for the rows")
	flags.BoolVar(&f.resume, "resume", false, "refuse a folder in which no run has begun; with it or without, a run goes on with what is there")
	flags.IntVar(&f.Limit, "limit", 0, "rows that are read or thought of, at most (default: all)")
	flags.StringArrayVarP(&f.models, "model", "m", nil, "who has a role of the pipeline, as ROLE=MODEL, again for each; MODEL alone has all that have no other")
	addModels(&f.asking.Models, c, flags)
	addSpending(&f.asking, flags)
	f.cluster.addCommand(flags)
	flags.Lookup("tape-dir").Usage = "folder of conversations (default: answers, in the folder of --out)"
	flags.IntVarP(&f.Asking.AtOnce, "concurrency", "j", 8, "questions under way at once, at most; if given, also outputs that are scored at once")
	flags.DurationVar(&f.asking.Patience, "patience", 10*time.Minute, "for one try of a question")
	return cmd
}

// named reads NAME=VALUE flags.
func (f *flowing) named() error {
	f.Settings.Inputs = map[string][]string{}
	for _, pair := range f.with {
		name, file, ok := strings.Cut(pair, "=")
		if !ok || name == "" || file == "" {
			return usage("--with: "+pair+" is not NAME=FILE", "such as --with benchmarks=webgen-bench")
		}
		f.Settings.Inputs[name] = append(f.Settings.Inputs[name], file)
	}
	if len(f.in) > 0 {
		f.Settings.Inputs["in"] = f.in
	}
	if f.Limit < 0 || f.Asking.AtOnce < 1 {
		return usage("--limit and -j: must be 1 or more", "leave them out for the default")
	}
	return nil
}

// benchmarks finds the tasks of the benchmarks that inputs name.
func (f *flowing) benchmarks() (err error) {
	for _, s := range f.Pipeline.Steps {
		if s.Decontaminate == nil {
			continue
		}
		for _, input := range s.Decontaminate.Against {
			if f.Settings.Inputs[input], err = f.against(f.Settings.Inputs[input]); err != nil {
				return err
			}
		}
	}
	return nil
}

// roles are the models by the role that each has.
func (f *flowing) roles() (map[string]string, error) {
	all, rest := map[string]string{}, ""
	for _, m := range f.models {
		role, name, ok := strings.Cut(m, "=")
		if _, known := f.Pipeline.Models[role]; ok && (known || !strings.Contains(role, "/")) {
			all[role] = name
			continue
		}
		if rest != "" {
			return nil, usage("--model: "+rest+" and "+m+" are both to have every role", "say ROLE=MODEL; vitrine data ls lists the roles")
		}
		rest = m
	}
	for role := range f.Pipeline.Models {
		if all[role] == "" && rest != "" {
			all[role] = rest
		}
	}
	return all, nil
}

// open makes the client that asks; nil where the pipeline asks no model.
func (f *flowing) open() (*model.Client, error) {
	roles, err := f.roles()
	if err != nil || len(roles) == 0 {
		return nil, err
	}
	if f.asking.TapeDir == "" {
		f.asking.TapeDir = filepath.Join(f.Out, "answers")
	}
	var names []string
	for role, name := range roles {
		roles[role] = f.asking.Models.At(name)
		names = append(names, roles[role])
	}
	f.asking.Model = strings.Join(names, ",")
	client, err := f.asking.Client(f.machine())
	if err != nil {
		return nil, err
	}
	f.Asking.Models, f.Asking.Asker = map[string]flow.Model{}, client
	for role, name := range roles {
		info, err := client.Describe(name)
		if err != nil {
			client.Close()
			return nil, err
		}
		f.Asking.Models[role] = flow.Model{Ask: name, Name: info.Name}
	}
	return client, nil
}

func (f *flowing) run(ctx context.Context, name string) (err error) {
	if f.Out == "" {
		return usage("no folder for the rows", "name one with --out DIR")
	}
	if _, err := os.Stat(filepath.Join(f.Out, "steps")); f.resume && err != nil {
		return usage(f.Out+" has no run to go on with", "name the folder of an earlier run with --out, or leave --resume out")
	}
	if err := f.named(); err != nil {
		return err
	}
	if f.Pipeline, err = flow.Load(name); err != nil {
		return err
	}
	if err := f.benchmarks(); err != nil {
		return err
	}
	client, err := f.open()
	if err != nil {
		return err
	}
	scorer := &sites.Scorer{Here: f.machine(), Concurrency: f.scoring, Asker: client, Talk: f.common.err}
	if f.cluster.nats != "" {
		scorer.Queue = &queue.Settings{URL: f.cluster.nats, Auth: f.cluster.shown(f.common)}
	}
	f.Say, f.Sites = f.say, scorer
	f.Embedders = f.embedderDir()
	ctx, release := cancelOnSignal(ctx, f.common)
	defer release()
	sum, err := flow.Run(ctx, f.Settings)
	if client != nil {
		spent(f.common, client)
		client.Close()
	}
	if ctx.Err() != nil {
		f.say("interrupted: run the same command again to go on")
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	return f.showFlow(sum)
}
