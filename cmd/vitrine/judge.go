package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
)

func judgeCommand(c *common) *cobra.Command {
	var recipeName, judge string
	cmd := &cobra.Command{
		Use:   "judge EVIDENCE...",
		Short: "Judge evidence folders again, without a browser",
		Long: `Judge evidence folders again, without a browser and without a build.

An evidence folder is one that score or render made. Its judgement.json is replaced;
what was seen stays as it is.`,
		Example: `  vitrine judge .vitrine/renders/page.html
  vitrine judge .vitrine/runs/*/evidence/* --recipe relook --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if judge != "measured" {
				return usage(fmt.Sprintf("--judge: there is no judge %q", judge), "this version has: measured")
			}
			recipe, err := loadRecipe(recipeName)
			if err != nil {
				return err
			}
			return judgeFolders(c, args, recipe)
		},
	}
	cmd.Flags().StringVar(&recipeName, "recipe", defaultRecipe, "reward recipe: "+strings.Join(reward.Builtin(), ", ")+", or a YAML file")
	cmd.Flags().StringVar(&judge, "judge", "measured", "who judges: measured (no model)")
	return cmd
}

func judgeFolders(c *common, dirs []string, recipe *reward.Recipe) error {
	type judged struct {
		Evidence  string             `json:"evidence"`
		Outcome   vitrine.Outcome    `json:"outcome"`
		Reward    *float64           `json:"reward"`
		Recipe    string             `json:"recipe"`
		Parts     map[string]float64 `json:"parts"`
		Fallbacks []vitrine.Fallback `json:"fallbacks,omitempty"`
		Judgement *vitrine.Judgement `json:"judgement"`
	}
	var all []judged
	for _, dir := range dirs {
		s, err := pipeline.Judge(dir, recipe)
		if err != nil {
			return err
		}
		all = append(all, judged{dir, s.Sample.Outcome, s.Sample.Reward, s.Sample.Recipe, s.Sample.Parts, s.Sample.Fallbacks, s.Judgement})
		if c.json {
			continue
		}
		c.say("%s  %s", dir, outcomeLine(s))
		printJudgement(c, s.Judgement)
		fmt.Fprintf(c.out, "%s\t%s\t%g\n", dir, s.Sample.Recipe, *s.Sample.Reward)
		for _, f := range s.Sample.Fallbacks {
			c.say("  %s: used %s in place of %s, since %s", f.Part, f.Used, f.Wanted, f.Why)
		}
	}
	if c.json {
		return c.printJSON(all)
	}
	return nil
}

// printJudgement tells a person what the judge says, worst first.
func printJudgement(c *common, j *vitrine.Judgement) {
	findings := slices.Clone(j.Findings)
	slices.SortStableFunc(findings, func(a, b vitrine.Finding) int {
		x, y := math.Inf(1), math.Inf(1)
		if a.Score != nil {
			x = *a.Score
		}
		if b.Score != nil {
			y = *b.Score
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	for _, f := range findings {
		if f.Status == vitrine.StatusScored {
			c.say("  %4.2f  %-20s %s", *f.Score, f.Check, f.Why)
		}
	}
	var scores []string
	for _, name := range []string{"appearance", "alignment", "aesthetics", "structure", "total"} {
		if v, ok := j.Scores[name]; ok {
			scores = append(scores, fmt.Sprintf("%s %.1f", name, v))
		}
	}
	if len(scores) > 0 {
		c.say("  %s", strings.Join(scores, "  "))
	}
}
