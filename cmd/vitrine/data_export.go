package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/data/dedup"
	"vitrine/internal/data/export"
	"vitrine/internal/data/flow"
	"vitrine/internal/data/pictures"
)

func exportCommand(c *common) *cobra.Command {
	var s export.Settings
	var format string
	var withPictures bool
	var scored []string
	cmd := &cobra.Command{
		Use:   "export DIR|FILE --as SHAPE --out DIR",
		Short: "Write rows in the shape that a trainer reads, with a data card",
		Long: `Write rows in the shape that a trainer reads, as JSON lines or Parquet, of a folder that
vitrine data run, dedup or decontaminate wrote or of one file. README.md beside them is the data card: sources,
steps, licences, hashes.

  sft, rft      messages, of instruction and output
  grpo          prompt as a conversation, id and task_id; what verl and its reward read
  dpo, rm       prompt, chosen and rejected as conversations, of what the step pairs wrote
  sharegpt      conversations of human and gpt
  sharegpt-dpo  the same with a chosen and a rejected turn, of what the step pairs wrote
  webdataset    tar archives: of each row .json, .txt (instruction) and, with --pictures, .png
  hf            a folder as the Hugging Face hub has it, of the rows with all their fields

Of sft, rft and both sharegpt, dataset_info.json tells LLaMA-Factory where they are.`,
		Example: `  vitrine data export pairs --as dpo --format parquet --out hub
  vitrine data export clean --as grpo --out hub
  vitrine data export best --as webdataset --pictures --runs runs/a --out shards`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Out == "" {
				return usage("no folder for the files", "name one with --out DIR")
			}
			if !slices.Contains([]string{"", "jsonl", "parquet"}, format) {
				return usage("--format: "+format+" is no format", "choose of jsonl, parquet")
			}
			if format != "" && s.As == "webdataset" || format == "jsonl" && s.As == "hf" || (withPictures || scored != nil) && s.As != "webdataset" {
				return usage("these flags do not go together", "hf is always Parquet, webdataset always tar; --pictures and --runs are of webdataset")
			}
			s.Parquet, s.Files = format == "parquet", args
			if err := ofFolder(&s, args[0]); err != nil {
				return err
			}
			if withPictures || scored != nil {
				found, err := pictures.Open(args[0], scored)
				if err != nil {
					return err
				}
				defer found.Close()
				s.Pictures = found
			}
			return c.export(cmd.Context(), s)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.As, "as", "", "shape: "+strings.Join(export.Shapes, ", "))
	flags.StringVar(&s.Out, "out", "", "folder for the files")
	flags.StringVar(&format, "format", "", "jsonl (default) or parquet")
	flags.BoolVar(&withPictures, "pictures", false, "put pictures into a webdataset; rows without one are left out")
	flags.StringArrayVar(&scored, "runs", nil, "run folder of vitrine score whose pictures these are, by id; again for each")
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

// ofFolder takes, where a path is a folder, the rows that were kept: the results of a run,
// or what dedup and decontaminate left. What these dropped lies there, too.
func ofFolder(s *export.Settings, path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil // a file
	}
	if sum, err := flow.Open(path); err == nil {
		s.Card, s.Files = sum.Card(), nil
		for _, f := range sum.Results {
			s.Files = append(s.Files, filepath.Join(path, f.Name))
		}
		return nil
	}
	s.Files = []string{filepath.Join(path, dedup.KeptFile)}
	if _, err := os.Stat(s.Files[0]); err != nil {
		return flow.NotFinished(path)
	}
	return nil
}
