package main

import (
	"cmp"
	"os"
	"strings"

	"github.com/spf13/cobra"

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
	judges           bool // it has --judge
}

func (m metaFigures) command(c *common) *cobra.Command {
	var judges []string
	var seed uint64
	cmd := &cobra.Command{
		Use:     m.use + " DATA.jsonl",
		Short:   m.short,
		Long:    m.long,
		Example: "  vitrine meta " + m.use + " data.jsonl\n  vitrine meta " + m.use + " data.jsonl --json | jq '.figures[]'",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := answers.Open(args[0])
			if err != nil {
				return err
			}
			figures := m.compute(set, judges, seed)
			if c.json {
				return c.printJSON(figures)
			}
			return answers.Print(c.out, figures)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the intervals")
	if m.judges {
		cmd.Flags().StringSliceVar(&judges, "judge", nil, "only these judges (default: all of the file)")
	}
	return cmd
}

const metaIntervals = `

Intervals are of 95 %. They draw whole tasks, since answers about one task go together
(bootstrap, 2,000 draws); those of shares are Wilson's for as many answers as the tasks are
worth. What is not defined is null.`

func metaRatersCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "raters", short: "People against people: kappas, alpha, pairwise agreement, and each rater",
		long: `Show how far people agree with each other: the share of pairs of raters that say the same,
with ties and without, Fleiss' kappa (where each item has as many raters), Krippendorff's
alpha and Cohen's kappa, and of each rater speed, position bias, and how they do on settled
items and against the others.` + metaIntervals,
		compute: func(s *answers.Set, _ []string, seed uint64) answers.Figures { return answers.Raters(s, seed) },
	}.command(c)
}

func metaRepeatCommand(c *common) *cobra.Command {
	return metaFigures{
		use: "repeat", short: "A judge against itself: the same question several times", judges: true,
		long: `Show how far judges say the same when they are asked again: over all repeats, each two of
them, and whether answers drift with each repeat.` + metaIntervals,
		compute: answers.Repeats,
	}.command(c)
}
