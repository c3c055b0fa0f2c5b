package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine/internal/data/dedup"
	"vitrine/internal/inputs"
)

// deduplicating are the flags of data dedup and data decontaminate.
type deduplicating struct {
	*common
	reading
	dedup.Settings
}

const dedupFiles = `

It writes three files of JSON lines into --out:

  kept.jsonl     what stays, each row as it was and in its order, with an id
  dropped.jsonl  id, duplicate_of, reason (exact, text, dom, tree, code), similarity
  review.jsonl   the same, of what stays but is for a person to look at: texts as alike
                 as 0.80 to 0.85 whose pages overlap, if they have any

Records are rows of JSON lines, JSON, CSV or Parquet, with or without an output; folders
and archives of pages and projects. `

func dedupCommand(c *common) *cobra.Command {
	d := &deduplicating{common: c}
	cmd := &cobra.Command{
		Use:   "dedup FILE...",
		Short: "Take near duplicates out of a data set",
		Long: `Take near duplicates out of a data set. The first of several stays.` + dedupFiles + `Of those
with pages the pages are compared (dom and code), of the others the instructions (text);
--by says otherwise (docs/data/dedup.md).`,
		Example: `  vitrine data dedup tasks.jsonl --out clean
  vitrine data dedup a.jsonl b.parquet --by text,dom,code --out clean
  vitrine data dedup pages/ --out clean --json | jq .reasons`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd.Context(), args) },
	}
	d.add(cmd.Flags(), "dom and code where there are pages, else text")
	return cmd
}

func decontaminateCommand(c *common) *cobra.Command {
	d := &deduplicating{common: c}
	cmd := &cobra.Command{
		Use:   "decontaminate FILE... --against BENCHMARK",
		Short: "Take out of a data set what is too like the tasks of benchmarks",
		Long: `Take out of a data set what is too like the tasks of benchmarks. Records are compared
with the tasks only, not with each other.` + dedupFiles + `Instructions
and pages are compared with those that the tasks have; --by says otherwise
(docs/data/dedup.md).`,
		Example: `  vitrine data decontaminate train.jsonl --against webgen-bench.jsonl --out clean
  vitrine data decontaminate train.jsonl --against webgen-bench --against mine.jsonl --out clean
  vitrine data decontaminate train.jsonl --against all --out clean`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(d.Against) == 0 {
				return usage("no benchmark", "name one of vitrine bench ls, or a file of tasks, with --against")
			}
			var err error
			if d.Against, err = d.against(d.Against); err != nil {
				return err
			}
			return d.run(cmd.Context(), args)
		},
	}
	d.add(cmd.Flags(), "all")
	cmd.Flags().StringArrayVar(&d.Against, "against", nil, "benchmark of vitrine bench ls whose data is here, "+everyBenchmark+" of them, or a file of tasks; again for each")
	return cmd
}

func (d *deduplicating) add(flags *pflag.FlagSet, byDefault string) {
	d.reading.add(flags)
	flags.StringVar(&d.Out, "out", "", "folder for the files")
	flags.StringSliceVar(&d.By, "by", nil, "what is compared: "+strings.Join(dedup.Ways, ", ")+" (default: "+byDefault+")")
	flags.Float64Var(&d.Text, "text", dedup.Defaults.Text, "cosine of character 3-grams above which a record goes")
	flags.Float64Var(&d.Review, "review", dedup.Defaults.Review, "cosine from which on a person decides")
	flags.Float64Var(&d.DOM, "dom", dedup.Defaults.DOM, "Jaccard index of tag bigrams above which a record goes; also of trees")
	flags.Float64Var(&d.Code, "code", dedup.Defaults.Code, "Jaccard index of code tokens above which a record goes")
	flags.Float64Var(&d.Overlap, "overlap", dedup.Defaults.Overlap, "least Jaccard index of the code of pages that go for their structure; 0: structure alone is enough, as the paper has it")
}

func (d *deduplicating) check() error {
	if d.Out == "" {
		return usage("no folder for the files", "name one with --out DIR")
	}
	for _, way := range d.By {
		if !slices.Contains(dedup.Ways, way) {
			return usage(fmt.Sprintf("--by: %q is no way to compare", way), "choose of "+strings.Join(dedup.Ways, ", "))
		}
	}
	for name, v := range map[string]float64{"--text": d.Text, "--review": d.Review, "--dom": d.DOM, "--code": d.Code, "--overlap": d.Overlap} {
		if !(v > 0 && v <= 1) && !(name == "--overlap" && v == 0) {
			return usage(fmt.Sprintf("%s is %v", name, v), "give a number above 0, at most 1")
		}
	}
	if d.Review > d.Text {
		return usage("--review is above --text", "the band for a person lies below the threshold")
	}
	return nil
}

func (d *deduplicating) run(ctx context.Context, files []string) error {
	if err := d.check(); err != nil {
		return err
	}
	m, err := inputs.ParseMapping(d.fields)
	if err != nil {
		return err
	}
	d.Files, d.Say = files, d.say
	d.Reading = inputs.Settings{Stdin: d.in, Map: m}
	sum, err := dedup.Run(ctx, d.Settings)
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	if d.json {
		return d.printJSON(sum)
	}
	return d.show(sum)
}

func (d *deduplicating) show(s *dedup.Summary) error {
	fmt.Fprintf(d.out, "read      %d\nkept      %d\n", s.Read, s.Kept)
	fmt.Fprintf(d.out, "dropped   %d", s.Dropped)
	for i, reason := range slices.Sorted(maps.Keys(s.Reasons)) {
		sep := ", "
		if i == 0 {
			sep = "  "
		}
		fmt.Fprintf(d.out, "%s%s %d", sep, reason, s.Reasons[reason])
	}
	fmt.Fprintf(d.out, "\nreview    %d of those kept\n", s.Review)
	for _, name := range slices.Sorted(maps.Keys(s.Benchmarks)) {
		fmt.Fprintf(d.out, "%d like a task of %s\n", s.Benchmarks[name], name)
	}
	for _, more := range []struct {
		n    int
		what string
	}{{s.Without, "kept with nothing to compare"}, {s.Unusable, "rows cannot be used"}, {s.Repaired, "rows had bytes that are no UTF-8"}} {
		if more.n > 0 {
			fmt.Fprintf(d.out, "%-9d %s\n", more.n, more.what)
		}
	}
	fmt.Fprintf(d.out, "in        %s\n", s.Out)
	return nil
}
