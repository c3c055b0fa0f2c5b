package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/data/export"
	"vitrine/internal/data/flow"
)

func dataRunCommand(c *common) *cobra.Command {
	s := flow.Settings{Inputs: map[string][]string{}}
	var in, with []string
	cmd := &cobra.Command{
		Use:   "run PIPELINE --in FILE --out DIR",
		Short: "Run a data pipeline: one that ships, or a YAML file of your own",
		Long: `Run a data pipeline: one that ships (vitrine data ls), or a YAML file of your own
(docs/data/pipelines.md). The rows that are left lie in --out, with summary.json; what
each step dropped, and why, lies below steps/.

Run it again to go on where it was interrupted: a step that is done is not run again.
After a change only the steps that it concerns run. The same inputs give the same bytes.`,
		Example: `  vitrine data run relook-clean --in tasks.jsonl --with benchmarks=webgen-bench.jsonl --out clean
  vitrine data run preference --in outputs.jsonl --with rewards=runs/a/samples.jsonl --out pairs
  vitrine data run mine.yaml --in tasks.jsonl --limit 20 --out try`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Out == "" {
				return usage("no folder for the rows", "name one with --out DIR")
			}
			for _, pair := range with {
				name, file, ok := strings.Cut(pair, "=")
				if !ok || name == "" || file == "" {
					return usage("--with: "+pair+" is not NAME=FILE", "such as --with benchmarks=webgen-bench.jsonl")
				}
				s.Inputs[name] = append(s.Inputs[name], file)
			}
			if len(in) > 0 {
				s.Inputs["in"] = in
			}
			return c.runFlow(cmd.Context(), args[0], s)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&in, "in", nil, "file, folder or archive of the rows; again for each")
	flags.StringArrayVar(&with, "with", nil, "another input of the pipeline, as NAME=FILE; again for each")
	flags.StringVar(&s.Out, "out", "", "folder for the rows")
	flags.IntVar(&s.Limit, "limit", 0, "rows that are read, at most (default: all)")
	return cmd
}

func (c *common) runFlow(ctx context.Context, name string, s flow.Settings) (err error) {
	if s.Pipeline, err = flow.Load(name); err != nil {
		return err
	}
	s.Say = c.say
	s.Reading.Stdin, s.Embedders = c.in, c.embedderDir()
	sum, err := flow.Run(ctx, s)
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	return c.showFlow(sum)
}

func exportCommand(c *common) *cobra.Command {
	var s export.Settings
	var format string
	cmd := &cobra.Command{
		Use:   "export DIR|FILE --as SHAPE --out DIR",
		Short: "Write rows in the shape that a trainer reads, as JSON lines or Parquet",
		Long: `Write rows in the shape that a trainer reads, as JSON lines or Parquet: of a folder that
vitrine data run wrote, with a data card, or of one file.

  sft, rft   messages, of instruction and output
  grpo       prompt as a conversation, id and task_id
  dpo, rm    prompt, chosen and rejected as conversations, of what the step pairs wrote
  sharegpt   conversations of human and gpt`,
		Example: `  vitrine data export pairs --as dpo --format parquet --out hub
  vitrine data export clean --as grpo --out hub`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Out == "" {
				return usage("no folder for the files", "name one with --out DIR")
			}
			if !slices.Contains([]string{"jsonl", "parquet"}, format) {
				return usage("--format: "+format+" is no format", "choose of jsonl, parquet")
			}
			s.Parquet, s.Files = format == "parquet", args
			if sum, err := flow.Open(args[0]); err == nil {
				s.Card, s.Files = sum.Card(), nil
				for _, f := range sum.Results {
					s.Files = append(s.Files, filepath.Join(args[0], f.Name))
				}
			}
			return c.export(cmd.Context(), s)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.As, "as", "", "shape: "+strings.Join(export.Shapes, ", "))
	flags.StringVar(&s.Out, "out", "", "folder for the files")
	flags.StringVar(&format, "format", "jsonl", "jsonl or parquet")
	return cmd
}

func (c *common) export(ctx context.Context, s export.Settings) error {
	all, err := export.Run(ctx, s)
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(all)
	}
	for _, r := range all {
		c.say("%s: %d rows", r.File, r.Rows)
		for reason, n := range r.Dropped {
			c.say("  %d left out: %s", n, reason)
		}
	}
	return nil
}
