package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/stats"
)

type agreeing struct {
	judging
	seed uint64
}

func agreeCommand(c *common) *cobra.Command {
	a := &agreeing{judging: judging{common: c}}
	cmd := &cobra.Command{
		Use:   "agree --ratings FILE.csv",
		Short: "Say how far the measured judge agrees with people",
		Long: `Say how far the measured judge agrees with people's ratings: correlations with 95 %
intervals for each of its scores, and for each group where the ratings have that
column. Sites that do not render count, with their score of 0.

The file of ratings is that of vitrine judge calibrate. With --run, the rewards of
the run are compared as well.`,
		Example: `  vitrine judge agree --ratings ratings.csv --run .vitrine/runs/a
  vitrine judge agree --ratings others.csv --profile profile.yaml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&a.ratings, "ratings", "", "CSV file of ratings (required)")
	flags.StringVar(&a.runDir, "run", "", "run folder that the column id is about")
	flags.StringVar(&a.profile, "profile", "", "judge with this profile, made by vitrine judge calibrate")
	flags.Uint64Var(&a.seed, "seed", 1, "seed of the intervals")
	return cmd
}

// groupAgreement is how far each score agrees with the ratings of a group.
type groupAgreement struct {
	Group  string                     `json:"group"` // empty: all
	Scores map[string]stats.Agreement `json:"scores"`
}

func (a *agreeing) run(ctx context.Context) error {
	if a.ratings == "" {
		return usage("--ratings is missing", "name a CSV file of ratings, see vitrine judge agree --help")
	}
	ratings, err := a.read()
	if err != nil {
		return err
	}
	sites, bad, err := a.sites(ctx, ratings)
	if err != nil {
		return err
	}
	groups := a.compare(sites)
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

func orAll(group string) string {
	if group == "" {
		return "all"
	}
	return group
}

// compare sets scores against ratings: of all sites, then of each group.
func (a *agreeing) compare(sites []rated) []groupAgreement {
	members := map[string][]rated{}
	for _, s := range sites {
		members[s.Group] = append(members[s.Group], s)
	}
	groups := []groupAgreement{{"", a.agreement(sites)}}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "" {
			groups = append(groups, groupAgreement{name, a.agreement(members[name])})
		}
	}
	return groups
}

func (a *agreeing) agreement(sites []rated) map[string]stats.Agreement {
	type pairs struct{ scores, ratings []float64 }
	by := map[string]*pairs{}
	add := func(name string, score, rating float64) {
		if by[name] == nil {
			by[name] = &pairs{}
		}
		by[name].scores, by[name].ratings = append(by[name].scores, score), append(by[name].ratings, rating)
	}
	for _, s := range sites {
		for name, score := range s.judgement.Scores {
			add(name, score, s.Score)
		}
		if s.reward != nil {
			add("reward", *s.reward, s.Score)
		}
	}
	out := map[string]stats.Agreement{}
	for name, p := range by {
		out[name] = stats.Agree(p.scores, p.ratings, a.seed)
	}
	return out
}
