package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/compare"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/pipeline"
	"vitrine/internal/setup"
)

// comparing are the flags of compare.
type comparing struct {
	*common
	setup.Judging
	reading
	position  string
	seed      int64
	pairs     string
	rendering sync.Mutex
}

func compareCommand(c *common) *cobra.Command {
	p := &comparing{common: c}
	cmd := &cobra.Command{
		Use:   "compare A B | --pairs FILE",
		Short: "Say which of two sites is better",
		Long: `Say which of two sites is better, from their evidence folders. A page, a project or
anything else that render takes is rendered first.

Without a model the measured judge compares its totals; a difference of a point of
100 is a tie. A model judges by a protocol about pairs, in both orders unless
--position says otherwise: where the orders do not agree it is a tie. As published it is
asked once, in the order as given.

With --position alone the model grades each site by itself, by direct, likert or
rubric, and the scores are compared: equal ones tie, and those of likert also where
they differ by 1.

With --judge workflow, and without a model, two evidence folders are compared in which an
agent carried out the same rubric (vitrine interact agent --rubric), by the sums of the
pass rates.

With --pairs a file of pairs is compared, a JSON object each with a and b, and if need
be id, rubric, category and label. Each is written to standard output on a line of its
own with its comparison, for vitrine judge agree --comparisons.`,
		Example: `  vitrine compare .vitrine/renders/a .vitrine/renders/b
  vitrine compare a.html b.html
  vitrine compare a b -m openai/gpt-5-mini --judge likert --json
  vitrine compare a b -m openai/gpt-5-mini --judge likert --position alone
  vitrine compare --pairs pairs.jsonl -m openai/gpt-5-mini > comparisons.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if p.pairs != "" {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	flags := cmd.Flags()
	addModels(&p.Models, c, flags)
	flags.StringVar(&p.Judge, "judge", "direct", "protocol by which the model compares: "+strings.Join(vlm.Protocols(true), ", ")+"; or without a model "+compare.Workflow)
	flags.StringVarP(&p.Model, "model", "m", "", "model that compares: provider/model or an alias; several, comma-separated, are a panel (default: none, measured)")
	flags.IntVar(&p.Repeats, "repeats", 1, "how often each model is asked the same, without using earlier answers")
	addAsking(&p.Judging, flags)
	addCriteria(&p.Judging, flags)
	p.reading.add(flags)
	flags.StringVar(&p.position, "position", "", "order in which a model sees them: both, given or random; or alone: each by itself (default: both; with --profile published given)")
	flags.Int64Var(&p.seed, "seed", 1, "of --position random")
	flags.StringVar(&p.pairs, "pairs", "", "file of pairs, JSON lines")
	return cmd
}

func (p *comparing) run(cmd *cobra.Command, args []string) error {
	var look *pipeline.Vision
	if p.Model != "" {
		client, err := p.Client(p.machine())
		if err != nil {
			return err
		}
		defer client.Close()
		defer spent(p.common, client)
		if look, err = p.Vision(client); err != nil {
			return err
		}
		look.Settings.Position, look.Settings.Seed = p.order(), p.seed
	}
	ctx, release := cancelOnSignal(cmd.Context(), p.common)
	defer release()
	if p.pairs != "" {
		return p.all(ctx, look)
	}
	r, err := p.one(ctx, args[0], args[1], look)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(r)
	}
	p.print(r)
	return nil
}

// order is --position. WebDevJudge asked once, in the order as given (D.1).
func (p *comparing) order() vlm.Position {
	if p.position == "" && p.Profile != vitrine.ProfilePublished {
		return vlm.PositionBoth
	}
	return cmp.Or(vlm.Position(p.position), vlm.PositionGiven)
}

// one compares two sites, which are rendered first if they have to be.
func (p *comparing) one(ctx context.Context, a, b string, look *pipeline.Vision) (vitrine.Comparison, error) {
	p.rendering.Lock() // a browser for each of many pairs would be too many
	dirs, err := evidenceOfAll(ctx, p.common, []string{a, b}, p.reading)
	p.rendering.Unlock()
	if err != nil {
		return vitrine.Comparison{}, err
	}
	if len(dirs) != 2 {
		return vitrine.Comparison{}, usage(fmt.Sprintf("%s and %s hold %d sites together, and two are compared", a, b, len(dirs)), "render them, and name two of the evidence folders")
	}
	return compare.Folders(ctx, dirs[0], dirs[1], p.Judge, look)
}

// print tells a person; the verdict alone goes to standard output.
func (p *comparing) print(r vitrine.Comparison) {
	p.say("%s", r.Judge)
	for _, name := range slices.Sorted(maps.Keys(r.A)) {
		p.say("  %-12s A %6.1f   B %6.1f", name, r.A[name], r.B[name])
	}
	for _, o := range r.Orders {
		order := "A first"
		if o.Swapped {
			order = "B first, which the judge calls A"
		}
		p.say("  %s: %s. %s", order, o.Verdict, o.Feedback)
	}
	if n := r.Panel; n != nil && n.Agreement != nil {
		p.say("  %d judges, agreement %.2f", len(n.Members), *n.Agreement)
	}
	for _, f := range r.Findings {
		if f.Score != nil && *f.Score < 1 {
			p.say("  %s: %s", f.Check, f.Why)
		}
	}
	verdict := string(r.Verdict)
	if verdict == "" {
		verdict = "none"
	}
	fmt.Fprintln(p.out, verdict)
}
