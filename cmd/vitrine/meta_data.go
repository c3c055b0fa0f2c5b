package main

import (
	"cmp"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
)

func metaImportCommand(c *common) *cobra.Command {
	var sets strings.Builder
	for _, name := range imports.Names() {
		sets.WriteString("\n  " + name + strings.Repeat(" ", 20-len(name)) + imports.About(name))
	}
	var out string
	cmd := &cobra.Command{
		Use:   "import SET PATH",
		Short: "Read a published set of answers into the form of vitrine meta",
		Long: `Read a published set of people's and judges' answers, of which you have a copy, into
the form that the other commands read (docs/meta-data.md). The path is the folder of
its repository, or of csv a file. Nothing is fetched.

Sets:
` + sets.String(),
		Example: `  git clone https://github.com/WebPAI/Interaction2Code
  vitrine meta import interaction2code Interaction2Code --out i2c.jsonl`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			lines, err := imports.Read(args[0], args[1])
			if err != nil {
				return err
			}
			if out == "" {
				return answers.Write(c.out, lines)
			}
			f, err := os.Create(out)
			if err != nil {
				return usage("cannot write "+out+": "+err.Error(), "name a file in a folder that can be written to")
			}
			c.say("%d lines in %s", len(lines), out)
			return cmp.Or(answers.Write(f, lines), f.Close())
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: standard output)")
	return cmd
}

// metaFigures is a command that prints figures over a file of the form.
type metaFigures struct {
	use, short, long string
	compute          func(s *answers.Set, judges []string, seed uint64) answers.Figures
	judges           bool           // it has --judge
	needs            string         // what the data must hold
	kinds            []answers.Kind // that a judge can be asked about
	repeats          int            // by default, of a judge that is asked; 0 is once
	making           makes          // of what is asked about; nil takes the items as they are
	once             bool           // as published pairs are asked about in the order as given
}

func (m metaFigures) command(c *common) *cobra.Command {
	asking := &metaAsking{common: c}
	var seed uint64
	if len(m.kinds) > 0 {
		m.long += metaLive
	}
	cmd := &cobra.Command{
		Use:     m.use + " DATA...",
		Short:   m.short,
		Long:    m.long,
		Example: "  vitrine meta " + m.use + " data.jsonl\n  vitrine meta " + m.use + " data.jsonl --json | jq '.figures[]'",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			asking.asking.Seed = seed
			if m.once && asking.Profile == vitrine.ProfilePublished && !cmd.Flags().Changed("orders") {
				asking.orders = "given" // WebDevJudge D.1
			}
			set, judges, err := asking.open(cmd.Context(), args, m.making)
			if err != nil {
				return err
			}
			if err := set.Has(judges...); err != nil {
				return err
			}
			figures := m.compute(set, judges, seed)
			if len(figures.Figures) == 0 {
				return usage("vitrine meta "+m.use+" needs "+m.needs+"; the data hold "+set.Holds(), "docs/meta-data.md has the form, and docs/meta.md which command shows what")
			}
			if c.json {
				return c.printJSON(figures)
			}
			return answers.Print(c.out, figures)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the intervals")
	switch {
	case len(m.kinds) > 0:
		asking.add(c, cmd.Flags(), m.kinds...)
		if m.repeats > 0 {
			asking.asking.Repeats = m.repeats
			cmd.Flags().Lookup("repeats").DefValue = strconv.Itoa(m.repeats)
		}
	case m.judges:
		cmd.Flags().StringArrayVar(&asking.judges, "judge", nil, "only this judge; may be given again (default: all of the file)")
	}
	return cmd
}

const metaIntervals = `

DATA is a file of the form, or a folder that vitrine score or vitrine redteam --mutants made;
several are read as one.

Intervals are of 95 %. They draw whole tasks, since answers about one task go together
(bootstrap, 2,000 draws); those of shares are Wilson's for as many answers as the tasks are
worth. What is not defined is null.`

func metaRatersCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "raters", short: "People against people: kappas, alpha, pairwise agreement, and each rater",
		needs: "labels",
		long: `Show how far people agree with each other: the share of pairs of raters that say the same,
with ties and without, Fleiss' kappa (where each item has as many raters), Krippendorff's
alpha and Cohen's kappa, and of each rater speed, position bias, and how they do on settled
items and against the others.` + metaIntervals,
		compute: func(s *answers.Set, _ []string, seed uint64) answers.Figures { return answers.Raters(s, seed) },
	}.command(c)
}

func metaRepeatCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "repeat", short: "A judge against itself: the same question several times", kinds: anyKind, repeats: 3,
		needs: "answers of a judge to the same items again, with repeat 2, 3 and so on",
		long: `Show how far judges say the same when they are asked again: over all repeats, each two of
them, and whether answers drift with each repeat.` + metaIntervals,
		compute: answers.Repeats,
	}.command(c)
}

// anyKind are those that a judge can be asked about.
var anyKind = []answers.Kind{answers.Pair, answers.Unit, answers.Rating}

// judging are the kinds of questions that a command is about.
func judging(kinds ...answers.Kind) func(*answers.Set, []string, uint64) answers.Figures {
	return func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return answers.Judges(s, kinds, judges, seed)
	}
}

func metaPairsCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "pairs", short: "Judges of pairs against people: agreement, and what the order does", kinds: []answers.Kind{answers.Pair}, compute: judging(answers.Pair), once: true,
		needs: "items of kind pair, and answers of judges",
		long: `Show how far judges of pairs agree with people: with ties and without, beyond chance, by
category, and over pairs asked in both orders how often the order decides. With --profile
published a judge is asked once, in the order as given, unless --orders both.` + metaIntervals,
	}.command(c)
}

func metaUnitsCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "units", short: "Judges of yes or no against people: precision, recall, F1, accuracy", kinds: []answers.Kind{answers.Unit}, compute: judging(answers.Unit, answers.Class),
		needs: "items of kind unit or class, and answers of judges",
		long: `Show how far judges of what holds or does not, or of categories, agree with people: accuracy,
precision, recall, F1 and kappa, by category.` + metaIntervals,
	}.command(c)
}

func metaRatingsCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "ratings", short: "Judges' grades against people's: correlations, errors, calibration", kinds: []answers.Kind{answers.Rating}, compute: judging(answers.Rating),
		needs: "items of kind rating, and answers of judges",
		long: `Show how far judges' grades go with people's: Pearson, Spearman, Kendall's tau-b, mean absolute
error, bias, the curve of calibration, and an isotonic fit that is made on one split and
measured on the other.` + metaIntervals,
	}.command(c)
}

func metaBetweenCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "between", short: "Judges against each other, and which two the items tell apart", judges: true, compute: answers.Between,
		needs: "answers of two judges to the same items",
		long: `Show how far judges agree with each other, and whether of two one is nearer to people: McNemar's
test, of ratings a permutation test, as they are and corrected for their number (Holm), and
how many items would separate two at a power of 0.8. Of pairs, what the majority says: A, tie and
B are G, S and B where A is the new thing and B the one before.` + metaIntervals,
	}.command(c)
}

func metaCascadeCommand(c *common) *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "cascade DATA CHEAP DEAR",
		Short: "A cheap judge first, a dear one where it is unsure: agreement against cost",
		Long: `Show what it is worth to ask a cheap judge first and a dear one where the cheap one is unsure:
at each threshold of its confidence the agreement with people, how many items go on, and the
cost; and how often the cheap one alone is right where it is sure. The threshold to use is
the cheapest at which agreement is not below the interval of the dear judge alone; there is
none where nothing is saved. Where answers have no confidence, it is how far a judge says the
same in both orders and all repeats.` + metaIntervals,
		Example: `  vitrine meta cascade data.jsonl gpt-4o-mini gpt-4o`,
		Args:    cobra.ExactArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := imports.Open(args[0])
			if err != nil {
				return err
			}
			if err := set.Has(args[1:]...); err != nil {
				return err
			}
			figures := answers.Cascades(set, args[1], args[2], seed)
			if len(figures.Figures) == 0 {
				return usage("no pair or unit that people settled has answers of both judges", "give labels, and answers of both to the same items; ratings have no cascade")
			}
			if c.json {
				return c.printJSON(figures)
			}
			return answers.Print(c.out, figures)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the intervals")
	return cmd
}

func metaSwapCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "swap", short: "What the order of a pair does to a judge", kinds: []answers.Kind{answers.Pair}, compute: answers.Swaps,
		needs: "items of kind pair, and answers of a judge in both orders, one of them swapped",
		long: `Show what the order of a pair does, over the pairs that a judge answered in both orders: how
often it says the same, which place it prefers, and how far its agreement with people is
from that in the other order.` + metaIntervals,
	}.command(c)
}
