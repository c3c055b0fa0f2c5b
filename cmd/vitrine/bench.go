package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/docs/published"
	"vitrine/internal/bench"
	"vitrine/internal/bench/artifactsbench"
	"vitrine/internal/bench/code"
	"vitrine/internal/bench/fullstack"
	"vitrine/internal/bench/opendesign"
	"vitrine/internal/bench/plots"
	"vitrine/internal/bench/webapp1k"
	"vitrine/internal/bench/webbench"
	"vitrine/internal/bench/webgenbench"
)

// benchmarks are those that can be run.
var benchmarks = []bench.Benchmark{
	webgenbench.Benchmark{}, webgenbench.Arena{}, opendesign.Benchmark{}, artifactsbench.Benchmark{}, webapp1k.Benchmark{}, webbench.Benchmark{}, fullstack.Benchmark{},
	plots.MatPlotBench{}, plots.PandasPlotBench{}, code.MBPP, code.MBPPPlus, code.LiveCodeBench,
}

func benchCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure models on published benchmarks, and on your own",
		Long: `Measure models on published benchmarks, and on your own (docs/bench.md).

  vitrine bench ls                                what there is, and what it takes
  vitrine bench pull NAME --from DIR              check your copy of the data, and keep it
  vitrine bench run NAME --outputs outputs.jsonl  measure recorded outputs, or
  vitrine bench run NAME -m MODEL                 have a model answer first
  vitrine bench table RUN...                      the table, with intervals`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(benchLsCommand(c), benchPullCommand(c), benchRunCommand(c), benchTableCommand(c), benchCompareCommand(c), benchRankCommand(c))
	return cmd
}

func benchLsCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the benchmarks: tasks, what they take, licence, source, published rows",
		Example: "  vitrine bench ls --json | jq '.benchmarks[].name'",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			type listed struct {
				bench.Info
				Columns []bench.Column `json:"columns"`
				Here    bool           `json:"here"` // its data was pulled
				// Published are the rows of others that its table has below ours.
				Published []bench.Published `json:"published"`
			}
			var all []listed
			for _, b := range benchmarks {
				_, err := bench.Load(b, "", c.cacheDir)
				columns := bench.ColumnsOf(b)
				t, broken := bench.Table{Benchmark: b.Info().Name, Columns: columns}.WithPublished(published.Tables)
				if broken != nil {
					return broken
				}
				all = append(all, listed{b.Info(), columns, err == nil, append([]bench.Published{}, t.Published...)})
			}
			if c.json {
				return c.printJSON(map[string]any{"benchmarks": all})
			}
			out := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, "name\ttasks\there\tlicence\twhat")
			for _, b := range all {
				here := "no"
				if b.Here {
					here = "yes"
				}
				tasks := strconv.Itoa(b.Tasks)
				if b.Tasks == 0 {
					tasks = "–" // as many as the user's file has
				}
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", b.Name, tasks, here, b.Licence, b.What)
			}
			fmt.Fprintln(out)
			for _, b := range all {
				fmt.Fprintf(out, "%s\tneeds %s\n\tfrom %s\n", b.Name, b.Needs, b.Source)
				if len(b.Published) > 0 {
					fmt.Fprintf(out, "\tpublished rows: %s\n", publishedBy(b.Published))
				}
			}
			return out.Flush()
		},
	}
}

// publishedBy says where published rows are from, and how many are.
func publishedBy(rows []bench.Published) string {
	count := map[string]int{}
	for _, p := range rows {
		count[p.Source]++
	}
	var all []string
	for _, source := range slices.Sorted(maps.Keys(count)) {
		all = append(all, fmt.Sprintf("%d of %s", count[source], source))
	}
	return strings.Join(all, "; ")
}

func benchPullCommand(c *common) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "pull NAME",
		Short: "Check your copy of a benchmark's data, and keep it; or say where to get it",
		Long: `Check a copy of a benchmark's data against the commit and the hashes that it was
published with, and keep it in the cache folder. Without --from it says what to get,
and where. Vitrine downloads nothing, and takes no data of another hash.`,
		Example: `  vitrine bench pull webgen-bench
  git clone https://github.com/mnluzimu/WebGen-Bench && vitrine bench pull webgen-bench --from WebGen-Bench`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := bench.Find(benchmarks, args[0])
			if err != nil {
				return err
			}
			if from == "" {
				return usage(b.Info().Where(), "vitrine bench pull "+args[0]+" --from DIR")
			}
			dir, err := bench.Pull(b, from, c.cacheDir)
			if err != nil {
				return err
			}
			l, err := bench.Load(b, "", c.cacheDir)
			if err != nil {
				return err
			}
			if !l.Verified {
				c.say("no hash of this data is known: figures say that it is your own copy")
			}
			c.say("%d tasks are in %s", len(l.Tasks), dir)
			if c.json {
				return c.printJSON(map[string]any{"benchmark": args[0], "tasks": len(l.Tasks), "dir": dir, "verified": l.Verified, "sha256": l.Hash})
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder of the copy, such as a clone of its repository")
	return cmd
}
