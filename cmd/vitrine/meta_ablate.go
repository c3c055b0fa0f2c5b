package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/judge/vlm"
	"vitrine/internal/meta/answers"
	"vitrine/internal/metarun"
)

// pieces are what a judge can do without.
var pieces = []string{"image", "code", "rubric", "criteria", "instruction"}

func metaAblateCommand(c *common) *cobra.Command {
	a := &metaAsking{common: c}
	var seed uint64
	var drop []string
	cmd := &cobra.Command{
		Use:   "ablate DATA...",
		Short: "What a piece of what a judge is shown or told is worth",
		Long: `Show what a piece of what a judge is shown or told is worth: it is asked with everything,
then without each piece, and by how much it does better against people with it is measured on
the same items. Without image it is shown the code alone, without code the screenshots;
without rubric, or criteria, rubric and likert are asked as direct; without instruction it is
not told what was asked for.` + metaIntervals,
		Example: `  vitrine meta ablate pairs.jsonl --judge likert -m openai/gpt-5-mini --drop image,code
  vitrine meta ablate pages.jsonl --judge likert -m openai/gpt-5-mini --drop criteria,instruction`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.asking.Seed = seed
			if len(a.judges) != 1 || len(drop) == 0 {
				return usage("want one --judge that is asked, and pieces with --drop", "such as --judge likert -m openai/gpt-5-mini --drop image,code")
			}
			var dropped []answers.Dropped
			set, whole, err := a.open(cmd.Context(), args, nil)
			if err != nil {
				return err
			}
			for _, piece := range drop {
				a.drop = piece
				without, names, err := a.open(cmd.Context(), args, nil)
				if err != nil {
					return err
				}
				set = without
				for n := range whole {
					dropped = append(dropped, answers.Dropped{Piece: piece, Whole: whole[n], Without: names[n]})
				}
			}
			figures := answers.Worth(set, dropped, seed)
			if len(figures.Figures) == 0 {
				return usage("people have settled none of the items that the judge was asked about", "give labels or truth")
			}
			if c.json {
				return c.printJSON(figures)
			}
			return answers.Print(c.out, figures)
		},
	}
	a.add(c, cmd.Flags(), anyKind...)
	cmd.Flags().StringSliceVar(&drop, "drop", nil, "pieces to do without, comma-separated: "+strings.Join(pieces, ", "))
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the intervals")
	return cmd
}

// without takes a piece from what a model is asked.
func without(piece string, m *metarun.Model) error {
	s := &m.Settings
	seen := cmp.Or(s.Observation, vlm.ObserveBoth)
	switch {
	case piece == "":
	case piece == "image" && seen == vlm.ObserveBoth:
		s.Observation = vlm.ObserveCode
	case piece == "code" && seen == vlm.ObserveBoth:
		s.Observation = vlm.ObserveImage
	case piece == "rubric" && s.Protocol == "rubric", piece == "criteria" && s.Protocol == "likert":
		s.Protocol = "direct"
	case piece == "instruction":
		m.Withheld = true
	case slices.Contains(pieces, piece):
		return usage(fmt.Sprintf("--drop %s: %s, shown %s, is not given it", piece, s.Protocol, seen), "name a piece that the judge has")
	default:
		return usage(fmt.Sprintf("--drop: there is no piece %q", piece), "use "+strings.Join(pieces, ", "))
	}
	return nil
}
