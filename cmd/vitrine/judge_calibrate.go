package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/stats"
)

type calibration struct {
	judging
	out   string
	folds int
	seed  uint64
}

func calibrateCommand(c *common) *cobra.Command {
	k := &calibration{judging: judging{common: c}}
	cmd := &cobra.Command{
		Use:   "calibrate --ratings FILE.csv",
		Short: "Fit the measured judge to people's ratings",
		Long: `Fit the weights of the measured judge to people's ratings, and say by cross-validation
what the fit is worth.

The ratings are a CSV file with a header: a column evidence (folder), image (PNG or
JPEG file) or id (of a sample of --run), a column score on any scale, and if need be
weight (how much a rating counts) and group (rows that belong together and stay in
one fold). Paths are relative to the file. No weight is ever negative: what is better
by a check is never worse by the fit.`,
		Example: `  vitrine judge calibrate --ratings ratings.csv --out profile.yaml
  vitrine judge calibrate --ratings ratings.csv --run .vitrine/runs/a --folds 5 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return k.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&k.ratings, "ratings", "", "CSV file of ratings (required)")
	flags.StringVar(&k.runDir, "run", "", "run folder that the column id is about")
	flags.StringVar(&k.out, "out", "profile.yaml", "file to write the profile to; an older one is replaced")
	flags.IntVar(&k.folds, "folds", 10, "parts that the ratings are cut into for cross-validation, 2 or more")
	flags.Uint64Var(&k.seed, "seed", 1, "seed of the folds and of the intervals")
	return cmd
}

func (k *calibration) run(ctx context.Context) error {
	if k.ratings == "" {
		return usage("--ratings is missing", "name a CSV file of ratings, see vitrine judge calibrate --help")
	}
	if k.folds < 2 {
		return usage(fmt.Sprintf("--folds: want 2 or more, got %d", k.folds), "10 is usual")
	}
	ratings, err := k.read()
	if err != nil {
		return err
	}
	if err := k.ready(ratings); err != nil { // judging takes a while
		return err
	}
	sites, bad, err := k.sites(ctx, ratings)
	if err != nil {
		return err
	}
	judge, checks := k.judge()
	rows, left := rows(sites, checks)
	if left > 0 {
		k.say("left out %d sites that do not render or cannot be measured: there is nothing to fit weights on", left)
	}
	said := counter{common: k.common, verb: "fitted", all: k.folds + 1}
	p, err := calibrate.Fit(judge, checks, rows, k.settings(), func(int, int) { said.one() })
	if err != nil {
		return k.unfit(err)
	}
	b, err := p.Marshal()
	if err != nil {
		return err
	}
	if err := os.WriteFile(k.out, b, 0o644); err != nil {
		return k.unwritable(err)
	}
	return k.print(p, left, bad)
}

// ready reports what is wrong with the ratings and with --out before anything is judged.
func (k *calibration) ready(ratings []calibrate.Rating) error {
	rows := make([]calibrate.Row, len(ratings))
	for i, r := range ratings {
		rows[i] = calibrate.Row{Name: r.Name, Rating: r.Score, Weight: r.Weight, Group: r.Group}
	}
	if err := calibrate.Fittable(rows, k.settings()); err != nil {
		return k.unfit(err)
	}
	_, missing := os.Stat(k.out)
	f, err := os.OpenFile(k.out, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return k.unwritable(err)
	}
	if missing != nil {
		_ = os.Remove(k.out)
	}
	return f.Close()
}

func (k *calibration) settings() calibrate.Settings {
	return calibrate.Settings{Folds: k.folds, Seed: k.seed}
}

func (k *calibration) unfit(err error) error {
	return vitrine.NewFault("judge", vitrine.FaultUsage, err, "cannot fit to "+k.ratings).
		WithFix(fmt.Sprintf("rate at least %d sites, not all alike, in at least as many groups as there are --folds", calibrate.LeastRows))
}

func (k *calibration) unwritable(err error) error {
	return vitrine.NewFault("command", vitrine.FaultUnwritable, err, "--out: cannot write "+k.out).WithFix("name a file in a folder that can be written to")
}

// rows are the sites that weights can be fitted on, and how many are not.
func rows(sites []rated, checks []string) (rows []calibrate.Row, left int) {
	for _, s := range sites {
		if !s.valid || math.IsNaN(s.hand) {
			left++
			continue
		}
		row := calibrate.Row{Name: s.Name, Hand: s.hand, Rating: s.Score, Weight: s.Weight, Group: s.Group, Scores: make([]float64, len(checks))}
		for i, id := range checks {
			row.Scores[i] = math.NaN()
			f := slices.IndexFunc(s.judgement.Findings, func(f vitrine.Finding) bool { return f.Check == id })
			if f >= 0 && s.judgement.Findings[f].Score != nil {
				row.Scores[i] = *s.judgement.Findings[f].Score
			}
		}
		rows = append(rows, row)
	}
	return rows, left
}

func (k *calibration) print(p *calibrate.Profile, left int, bad []unreadable) error {
	if k.json {
		return k.printJSON(map[string]any{"file": k.out, "profile": p, "left_out": left, "unreadable": bad})
	}
	w := tabwriter.NewWriter(k.common.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tn\tPearson\tSpearman\tKendall τ-b")
	printAgreement(w, "hand-set", p.Default)
	printAgreement(w, "calibrated, out of fold", p.Calibrated)
	_ = w.Flush()
	if better(p.Default.Pearson, p.Calibrated.Pearson) {
		k.say("the fit is no better than the hand-set weights on sites that it has not seen: more ratings may help")
	}
	k.say("wrote %s; try it on other ratings with vitrine judge agree --profile %s", k.out, k.out)
	return nil
}

// better reports whether a says at least as much as b.
func better(a, b *stats.Estimate) bool {
	return b == nil || a != nil && a.Value >= b.Value
}

func printAgreement(w *tabwriter.Writer, name string, a stats.Agreement) {
	fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", name, a.N, estimate(a.Pearson), estimate(a.Spearman), estimate(a.Kendall))
}

// estimate writes a statistic with its 95 % interval.
func estimate(e *stats.Estimate) string {
	if e == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", e.Value, e.Low, e.High)
}
