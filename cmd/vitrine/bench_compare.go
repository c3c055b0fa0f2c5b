package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/bench"
	"vitrine/internal/stats"
)

func benchCompareCommand(c *common) *cobra.Command {
	var compat bool
	var models []string
	cmd := &cobra.Command{
		Use:   "compare RUN-A RUN-B",
		Short: "Compare two models task by task: difference, wins, and how many tasks it takes",
		Long: `Compare the models of two runs, or two models of one run, on the tasks that both
answered: the mean difference B − A of each column with its 95 % interval by bootstrap
over tasks, on how many tasks B is better, equal or worse, and how many such tasks
would tell the two apart (power 80 %, 5 %).`,
		Example: `  vitrine bench compare runs/a runs/b
  vitrine bench compare runs/a runs/a --models qwen,llama --json`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			rule := bench.Strict
			if compat {
				rule = bench.Compat
			}
			models := append(models, "", "")
			x, err := bench.Compare(args[0], args[1], models[0], models[1], rule)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(x)
			}
			return c.printComparison(x)
		},
	}
	cmd.Flags().BoolVar(&compat, "compat", false, "count as the published script does")
	cmd.Flags().StringSliceVar(&models, "models", nil, "model of each run, as A,B (default: the only one)")
	return cmd
}

func (c *common) printComparison(x bench.Comparison) error {
	fmt.Fprintf(c.out, "%s, %s: B is %s, A is %s\n\n", x.Benchmark, x.Rule, x.B, x.A)
	out := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "column\ttasks\tB - A\t95 %\tB better\tequal\tworse\ttasks that tell")
	for _, col := range x.Columns {
		difference, interval, tell := "–", "–", "–"
		if d := col.Difference; d != nil {
			show := func(v float64) string { return fmt.Sprintf("%+.*f", col.Digits, v*col.Times) }
			difference, interval = show(d.Value), "["+show(d.Low)+", "+show(d.High)+"]"
		}
		if col.Enough != nil {
			tell = fmt.Sprint(*col.Enough)
		}
		fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%d\t%d\t%d\t%s\n", col.Title, col.Tasks, difference, interval, col.Wins, col.Ties, col.Losses, tell)
	}
	return out.Flush()
}

func benchRankCommand(c *common) *cobra.Command {
	var against, column string
	var same []string
	var compat bool
	cmd := &cobra.Command{
		Use:   "rank RUN...|SCORES.csv --against ARENA.csv",
		Short: "Compare the order of models with an arena's: Spearman, Kendall, top k, rank consistency",
		Long: `Compare the order of the models of runs, or of a CSV file with a column model, with
that of another CSV file. FILE.csv:COLUMN takes a column that is not the first; one
whose name ends in rank holds ranks, of which lower ones are better. Intervals are by
bootstrap over models. Rank consistency is 1 − Σ|Δrank| / (n²/2) (ArtifactsBench).`,
		Example: `  vitrine bench rank runs/a runs/b runs/c --against arena.csv
  vitrine bench rank table.csv:total --against arena.csv:score --same "gpt5=GPT-5 (high)"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if against == "" {
				return usage("no order is named to compare with", "add --against FILE.csv, with the columns model and score")
			}
			rule := bench.Strict
			if compat {
				rule = bench.Compat
			}
			ours, err := scoresOf(args, column, rule)
			if err != nil {
				return err
			}
			there, err := sheetScores(against)
			if err != nil {
				return err
			}
			renamed, err := renamedModels(same)
			if err != nil {
				return err
			}
			r, err := bench.Rank(ours, there, renamed)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(r)
			}
			return c.printRanking(r)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&against, "against", "", againstHelp)
	flags.StringVar(&column, "column", "", "column of the runs' table (default: its first)")
	flags.StringArrayVar(&same, "same", nil, sameHelp)
	flags.BoolVar(&compat, "compat", false, "count as the published script does")
	return cmd
}

const (
	againstHelp = "CSV file with a column model and one of scores or ranks, as FILE.csv or FILE.csv:COLUMN"
	sameHelp    = "a model of ours that is called otherwise there, as OURS=THEIRS; may be given again"
)

// renamedModels are models of ours by what they are called there, from OURS=THEIRS.
func renamedModels(same []string) (map[string]string, error) {
	renamed := map[string]string{}
	for _, pair := range same {
		a, b, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, usage(fmt.Sprintf("--same: %q is no OURS=THEIRS", pair), `such as --same "gpt5=GPT-5 (high)"`)
		}
		renamed[a] = b
	}
	return renamed, nil
}

// scoresOf are those of runs, or of one file of scores.
func scoresOf(args []string, column string, rule bench.Rule) (bench.Scores, error) {
	if name, _, _ := strings.Cut(args[0], ":"); len(args) == 1 && strings.HasSuffix(name, ".csv") {
		return sheetScores(args[0])
	}
	for _, name := range args {
		if file, _, _ := strings.Cut(name, ":"); strings.HasSuffix(file, ".csv") {
			return bench.Scores{}, usage(fmt.Sprintf("%s is one of several: an order is of runs, or of one CSV file", name), "name one CSV file, and the other with --against")
		}
	}
	t, err := bench.Tabulate(args, rule, nil)
	if err != nil {
		return bench.Scores{}, err
	}
	return t.ScoresOf(column)
}

// sheetScores are those of FILE.csv or FILE.csv:COLUMN.
func sheetScores(name string) (bench.Scores, error) {
	file, column := name, ""
	if i := strings.LastIndex(name, ".csv:"); i >= 0 {
		file, column = name[:i+len(".csv")], name[i+len(".csv:"):]
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return bench.Scores{}, usage("cannot read "+file+": "+err.Error(), "name a CSV file with the columns model and score")
	}
	s, err := bench.ParseSheet(file, content)
	if err != nil {
		return bench.Scores{}, err
	}
	return s.ScoresOf(column)
}

func (c *common) printRanking(r bench.Ranking) error {
	out := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "model\tours\trank\tthere\trank")
	for _, m := range r.Models {
		fmt.Fprintf(out, "%s\t%g\t%g\t%g\t%g\n", m.Model, m.Ours, m.OurRank, m.There, m.ThereRank)
	}
	fmt.Fprintln(out)
	for _, s := range []struct {
		name string
		of   *stats.Estimate
	}{{"Spearman", r.Spearman}, {"Kendall τ-b", r.Kendall}, {"rank consistency", r.Consistency}} {
		if s.of == nil {
			fmt.Fprintf(out, "%s\t–\n", s.name)
			continue
		}
		fmt.Fprintf(out, "%s\t%.3f [%.3f, %.3f]\n", s.name, s.of.Value, s.of.Low, s.of.High)
	}
	for _, k := range []int{3, 5, 10} {
		if share, ok := r.Top[k]; ok {
			fmt.Fprintf(out, "top %d in common\t%.1f %% [%.1f, %.1f]\n", k, 100*share.Value, 100*share.Low, 100*share.High)
		}
	}
	if len(r.AbsentThere) > 0 {
		c.say("not there: %s", strings.Join(r.AbsentThere, ", "))
	}
	return out.Flush()
}
