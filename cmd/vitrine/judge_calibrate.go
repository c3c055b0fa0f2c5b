package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/meta"
	"vitrine/internal/stats"
)

type calibration struct {
	*common
	rated meta.Settings
	out   string
	folds int
	seed  uint64
}

func calibrateCommand(c *common) *cobra.Command {
	k := &calibration{common: c}
	cmd := &cobra.Command{
		Use:     "calibrate --ratings FILE.csv",
		Aliases: []string{"fit"},
		Short:   "Fit the measured judge to people's ratings",
		Long: `Fit the weights of the measured judge to people's ratings, and say by cross-validation
what the fit is worth.

The ratings are a CSV file with a header: a column evidence (folder), image (PNG or
JPEG file) or id (of a sample of --run), a column score on any scale, and if need be
weight (how much a rating counts) and group (rows that belong together and stay in
one fold). Paths are relative to the file. No weight is ever negative: what is better
by a check is never worse by the fit.`,
		Example: `  vitrine judge calibrate --ratings ratings.csv --out calibration.yaml
  vitrine judge calibrate --ratings ratings.csv --run .vitrine/runs/a --folds 5 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return k.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringVar(&k.rated.File, "ratings", "", "CSV file of ratings (required)")
	flags.StringVar(&k.rated.Run, "run", "", "run folder that the column id is about")
	flags.StringVar(&k.out, "out", "calibration.yaml", "file to write the calibration to; an older one is replaced")
	flags.IntVar(&k.folds, "folds", 10, "parts that the ratings are cut into for cross-validation, 2 or more")
	flags.Uint64Var(&k.seed, "seed", 1, "seed of the folds and of the intervals")
	return cmd
}

func (k *calibration) run(ctx context.Context) error {
	if k.rated.File == "" {
		return usage("--ratings is missing", "name a CSV file of ratings, see vitrine judge calibrate --help")
	}
	if k.folds < 2 {
		return usage(fmt.Sprintf("--folds: want 2 or more, got %d", k.folds), "10 is usual")
	}
	k.rated.Say = k.say
	ratings, err := meta.Read(k.rated)
	if err != nil {
		return err
	}
	settings := calibrate.Settings{Folds: k.folds, Seed: k.seed}
	if err := ratings.Fittable(settings); err != nil { // judging takes a while
		return err
	}
	if err := k.writable(); err != nil {
		return err
	}
	sites, bad, err := ratings.Judge(ctx)
	if err != nil {
		return err
	}
	p, left, err := ratings.Fit(sites, settings)
	if err != nil {
		return err
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

// writable reports what is wrong with --out, and leaves nothing behind.
func (k *calibration) writable() error {
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

func (k *calibration) unwritable(err error) error {
	return vitrine.NewFault("command", vitrine.FaultUnwritable, err, "--out: cannot write "+k.out).WithFix("name a file in a folder that can be written to")
}

func (k *calibration) print(p *calibrate.Calibration, left int, bad []meta.Unreadable) error {
	if k.json {
		return k.printJSON(map[string]any{"file": k.out, "calibration": p, "left_out": left, "unreadable": bad})
	}
	w := tabwriter.NewWriter(k.common.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tn\tPearson\tSpearman\tKendall τ-b")
	printAgreement(w, "hand-set", p.Default)
	printAgreement(w, "calibrated, out of fold", p.Calibrated)
	_ = w.Flush()
	if better(p.Default.Pearson, p.Calibrated.Pearson) {
		k.say("the fit is no better than the hand-set weights on sites that it has not seen: more ratings may help")
	}
	k.say("wrote %s; try it on other ratings with vitrine judge agree --calibration %s", k.out, k.out)
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
