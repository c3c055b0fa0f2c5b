package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
	"vitrine/internal/metarun"
	"vitrine/internal/redteam"
)

func metaPairBenchCommand(c *common) *cobra.Command {
	m := metaFigures{
		use: "pairbench", kinds: []answers.Kind{answers.Rating}, short: "Scores in both orders of the inputs, by templates, paraphrases, distractors",
		needs: "items of kind rating, and answers of a judge",
		long: `Show PairBench's figures of judges of ratings, as WebGen-R1 uses them: 1 - RS, the share of
scores that are within epsilon of each other in both orders of the inputs (answers of which
one is "swapped"), and Smoothness, the entropy of the scores in bits; of all items and by
"template". Besides, how far templates go together, what a paraphrase changes, and whether
a distractor, a version that is "broken", is below what it is a "variant_of".

With --judge alignment and -m the model is asked: about each page with its instruction, with
the instruction in other words, for which it is asked first, and with that of another page,
by each of the five templates and in both orders of instruction and screenshot. --sample
draws so many pages.` + metaIntervals,
	}
	m.making = func(ctx context.Context, a *metaAsking, items []answers.Item) ([]answers.Item, error) {
		if !slices.Equal(a.judges, []string{"alignment"}) {
			return nil, usage("pairbench asks by the protocol alignment alone", "say --judge alignment")
		}
		a.asking.Inputs = true
		judges, err := a.judgesOf("alignment")
		if err != nil {
			return nil, err
		}
		first := judges[0].(*metarun.Model)
		reword := first.Settings
		reword.Observation = "" // words alone
		known := map[string]answers.Item{}
		for _, i := range items {
			known[i.ID] = i
		}
		return metarun.PairBench(ctx, items, &vlm.Judge{Asker: first.Asker, Settings: reword}, known, a.asking.Seed)
	}
	return versionsCommand(c, m, answers.PairBench)
}

func metaEquivalenceCommand(c *common) *cobra.Command {
	var operators []string
	m := metaFigures{
		use: "equivalence", kinds: anyKind, short: "The same function made otherwise: how often an answer changes",
		needs: "items that are a variant_of another, and answers of a judge to both; --make makes them of pages",
		long: `Show how often judges answer otherwise of another version of the same thing ("variant_of"),
such as a page with other labels or another structure and equal function: there no answer
should change. Of a "broken" version it must: grades must fall, and units must cease to hold,
where they held before. By kind of version ("variant").

With --make versions of the pages are made by operators of vitrine redteam, and the judge is
asked about them.` + metaIntervals,
	}
	m.making = func(_ context.Context, _ *metaAsking, items []answers.Item) ([]answers.Item, error) {
		if len(operators) == 0 {
			return items, nil
		}
		if unknown := redteam.Unknown(operators); len(unknown) > 0 {
			return nil, usage(fmt.Sprintf("--make: there is no operator %q", unknown[0]), "use "+strings.Join(redteam.OperatorNames(), ", "))
		}
		all, without := metarun.Remade(items, operators, 1, 1)
		return versionsMade(c, all, without, "made otherwise")
	}
	cmd := versionsCommand(c, m, answers.Equivalence)
	cmd.Flags().StringSliceVar(&operators, "make", nil, "versions to make and ask about: "+strings.Join(redteam.OperatorNames(), ", "))
	return cmd
}

// versionsCommand is a command over versions of items, with the tolerance of ratings.
func versionsCommand(c *common, m metaFigures, compute func(s *answers.Set, judges []string, epsilon float64, seed uint64) answers.Figures) *cobra.Command {
	var epsilon float64
	m.compute = func(s *answers.Set, judges []string, seed uint64) answers.Figures {
		return compute(s, judges, epsilon, seed)
	}
	cmd := m.command(c)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !(epsilon >= 0) {
			return usage("--epsilon is no distance", "give a number of points from 0")
		}
		return nil
	}
	cmd.Flags().Float64Var(&epsilon, "epsilon", 0, "ratings that differ by at most so many points count as equal")
	return cmd
}
