package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/meta"
	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
)

type agreeing struct {
	*common
	rated                    meta.Settings
	comparisons, feasibility string
	seed                     uint64
}

func agreeCommand(c *common) *cobra.Command {
	a := &agreeing{common: c}
	cmd := &cobra.Command{
		Use:   "agree",
		Short: "Say how far a judge agrees with people",
		Long: `Say how far a judge agrees with people. All figures have 95 % intervals.

With --ratings the measured judge is compared with people's ratings: correlations for
each of its scores, and for each group where the ratings have that column. Sites that
do not render count, with their score of 0. The file is that of vitrine judge
calibrate. With --run, the rewards of the run are compared as well.

With --comparisons, verdicts on pairs are compared with people's labels; the file is that
of vitrine compare --pairs, and the figures are those of vitrine meta pairs. With
--feasibility, answers whether tasks can be carried out are compared with people's, by the
figures of vitrine meta units. Each line of the file is an object with a label and feasible,
true or false; feasible may be null. Vitrine meta import reads both files for the other
commands of vitrine meta, such as card.`,
		Example: `  vitrine judge agree --ratings ratings.csv --run .vitrine/runs/a
  vitrine judge agree --ratings others.csv --calibration calibration.yaml
  vitrine judge agree --comparisons comparisons.jsonl
  vitrine judge agree --feasibility tasks.jsonl --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&a.rated.File, "ratings", "", "CSV file of ratings of sites")
	flags.StringVar(&a.comparisons, "comparisons", "", "JSON lines of comparisons of pairs, with labels")
	flags.StringVar(&a.feasibility, "feasibility", "", "JSON lines of answers about tasks, with labels")
	flags.StringVar(&a.rated.Run, "run", "", "run folder that the column id is about")
	flags.StringVar(&a.rated.Calibration, "calibration", "", "judge with this calibration, made by vitrine judge calibrate")
	flags.Uint64Var(&a.seed, "seed", 1, "seed of the intervals")
	return cmd
}

func (a *agreeing) run(ctx context.Context) error {
	switch {
	case a.files() != 1:
		return usage(fmt.Sprintf("want one of --ratings, --comparisons and --feasibility, got %d", a.files()), "name one file, see vitrine judge agree --help")
	case a.comparisons != "":
		return a.recorded("comparisons", a.comparisons, answers.Pair)
	case a.feasibility != "":
		return a.recorded("feasibility", a.feasibility, answers.Unit)
	}
	a.rated.Say = a.say
	ratings, err := meta.Read(a.rated)
	if err != nil {
		return err
	}
	sites, bad, err := ratings.Judge(ctx)
	if err != nil {
		return err
	}
	groups := meta.Agree(sites, a.seed)
	if a.json {
		return a.printJSON(map[string]any{"groups": groups, "unreadable": bad})
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "group\tscore\tn\tPearson\tSpearman\tKendall τ-b")
	for _, g := range groups {
		for _, name := range slices.Sorted(maps.Keys(g.Scores)) {
			fmt.Fprintf(w, "%s\t", orAll(g.Group))
			printAgreement(w, name, g.Scores[name])
		}
	}
	return w.Flush()
}

// recorded prints the figures of answers that a file holds.
func (a *agreeing) recorded(set, file string, kind answers.Kind) error {
	lines, err := imports.Read(set, file)
	if err != nil {
		return err
	}
	s, err := answers.Of(lines)
	if err != nil {
		return usage(file+" cannot be used: "+err.Error(), "vitrine judge agree --help says what a line holds")
	}
	figures := answers.Judges(s, []answers.Kind{kind}, nil, a.seed)
	if a.json {
		return a.printJSON(figures)
	}
	return answers.Print(a.out, figures)
}

// files is how many of the three kinds of file are named.
func (a *agreeing) files() (n int) {
	for _, name := range []string{a.rated.File, a.comparisons, a.feasibility} {
		if name != "" {
			n++
		}
	}
	return n
}

func orAll(group string) string {
	if group == "" {
		return "all"
	}
	return group
}
