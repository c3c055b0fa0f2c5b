package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/pipeline"
	"vitrine/internal/report"
	"vitrine/internal/reward"
	"vitrine/internal/setup"
)

func judgeCommand(c *common) *cobra.Command {
	var recipeName, tasksFile string
	var v setup.Judging
	var how reading
	cmd := &cobra.Command{
		Use:   "judge EVIDENCE...",
		Short: "Judge evidence folders again, without a browser",
		Long: `Judge evidence folders again, without a browser and without a build.

An evidence folder is one that score or render made. Its judgement.json is replaced,
and opinions.json where a model judges; what was seen stays as it is. Anything else
that render takes, such as a page or a file of outputs, is rendered first. Where one
of several cannot be judged, its reward is null, the others are judged, and the exit
code is 4.`,
		Example: `  vitrine judge .vitrine/renders/page.html
  vitrine judge .vitrine/runs/*/evidence/* --recipe relook --json
  vitrine judge .vitrine/runs/*/evidence/* -m openai/gpt-5-mini --judge static,likert`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			recipe, err := setup.LoadRecipe(recipeName)
			if err != nil {
				return err
			}
			tasks, err := setup.ReadTasks(tasksFile)
			if err != nil {
				return err
			}
			calibration, err := v.OpenCalibration()
			if err != nil {
				return err
			}
			look, client, err := v.Open(c.machine(), recipe, false)
			if err != nil {
				return err
			}
			if client != nil {
				defer client.Close()
				defer spent(c, client)
			}
			ctx, release := cancelOnSignal(cmd.Context(), c)
			defer release()
			dirs, unjudged := evidenceOfAll(ctx, c, args, how)
			if len(dirs) == 0 {
				return unjudged
			}
			err = judgeFolders(ctx, c, dirs, pipeline.Settings{Recipe: recipe, Profile: v.Profile, Tasks: tasks, Calibration: calibration, Vision: look})
			return errors.Join(err, unjudged)
		},
	}
	cmd.Flags().StringVar(&recipeName, "recipe", defaultRecipe, "reward recipe: "+strings.Join(reward.Builtin(), ", ")+", or a YAML file")
	cmd.Flags().StringVar(&tasksFile, "tasks", "", "file of tasks, for their rubrics, checklists and test cases")
	addJudging(&v, c, cmd.Flags())
	how.add(cmd.Flags())
	cmd.AddCommand(calibrateCommand(c), agreeCommand(c))
	return cmd
}

// evidenceOfAll gives what there is of every source, with what kept the rest from it.
func evidenceOfAll(ctx context.Context, c *common, sources []string, how reading) ([]string, error) {
	var all []string
	for _, source := range sources {
		dirs, err := evidenceOf(ctx, c, source, how)
		all = append(all, dirs...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func judgeFolders(ctx context.Context, c *common, dirs []string, settings pipeline.Settings) error {
	type judged struct {
		Evidence  string              `json:"evidence"`
		Outcome   vitrine.Outcome     `json:"outcome,omitempty"`
		Reward    *float64            `json:"reward"`
		Recipe    string              `json:"recipe"`
		Parts     map[string]float64  `json:"parts"`
		Fallbacks []vitrine.Fallback  `json:"fallbacks,omitempty"`
		Judgement *vitrine.Judgement  `json:"judgement"`
		Opinions  []vitrine.Judgement `json:"opinions,omitempty"`
		Error     *vitrine.Fault      `json:"error,omitempty"`
	}
	var all []judged
	var unjudged error
	for _, dir := range dirs {
		s, err := pipeline.Judge(ctx, dir, settings)
		if fault := vitrine.AsFault("judge", err); err != nil {
			if len(dirs) == 1 {
				return err
			}
			if endsAll(ctx, fault.Code) {
				c.say("stopped at %s", dir)
				return err
			}
			unjudged = exit(exitUnjudged)
			opinions, _ := evidence.LoadOpinions(dir) // with the answers that could not be used
			all = append(all, judged{Evidence: dir, Recipe: settings.Recipe.ID(), Opinions: opinions, Error: fault})
			c.say("unjudged %s: %s %s: %s", dir, fault.Stage, fault.Code, fault.Message)
			continue
		}
		all = append(all, judged{dir, s.Sample.Outcome, s.Sample.Reward, s.Sample.Recipe, s.Sample.Parts, s.Sample.Fallbacks, s.Judgement, s.Opinions, nil})
		if c.json {
			continue
		}
		c.say("%s  %s", dir, report.Outcome(s.Sample))
		report.Judgement(c.err, s.Judgement)
		for i := range s.Opinions {
			c.say("  %s", s.Opinions[i].Judge)
			report.Judgement(c.err, &s.Opinions[i])
		}
		fmt.Fprintf(c.out, "%s\t%s\t%g\n", dir, s.Sample.Recipe, *s.Sample.Reward)
		for _, f := range s.Sample.Fallbacks {
			c.say("  %s: used %s in place of %s, since %s", f.Part, f.Used, f.Wanted, f.Why)
		}
	}
	if c.json {
		return errors.Join(c.printJSON(all), unjudged)
	}
	return unjudged
}

// endsAll reports whether a cause that kept one of several from a judgement ends the work
// on the others too.
func endsAll(ctx context.Context, cause vitrine.FaultCode) bool {
	return ctx.Err() != nil || cause.Stops() || cause == vitrine.FaultUsage || cause == vitrine.FaultInternal
}
