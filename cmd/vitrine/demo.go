package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/examples"
	"vitrine/internal/inputs"
	"vitrine/internal/report"
)

func demoCommand(c *common) *cobra.Command {
	s := &scoring{common: c}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Score the example outputs that ship with Vitrine",
		Long: `Score the example outputs that ship with Vitrine: good and poor pages, failures of
every kind, a component, a drawing and projects. No key, no model and, once the
packages of the projects are installed, no network are needed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.demo(cmd.Context()) },
	}
	addLooking(&s.Looking, c, cmd.Flags())
	addInteracting(&s.Interacting, cmd.Flags())
	if err := cmd.Flags().Set("viewport", "desktop,mobile"); err != nil {
		panic(err) // a constant of ours
	}
	cmd.Flags().StringVar(&s.dir, "out", "", "run folder (default: a new one under "+runsDir+")")
	cmd.Flags().StringVar(&s.progress, "progress", "auto", "progress display: auto, live, plain or none")
	return cmd
}

func (s *scoring) demo(ctx context.Context) error {
	input, err := inputs.Bytes("demo.jsonl", examples.Demo, inputs.Settings{})
	if err != nil {
		return err
	}
	defer input.Close()
	res, err := s.score(ctx, "demo.jsonl", input)
	if err != nil {
		return err
	}
	all, wrong := []examples.Result{}, 0
	for _, sample := range res.samples {
		row := examples.Compare(sample)
		if !row.AsMeant {
			wrong++
		}
		all = append(all, row)
	}
	file := filepath.Join(res.dir, "report.html")
	if s.json {
		err = s.printJSON(map[string]any{"run": res.dir, "report": file, "samples": all, "summary": res.summary})
	} else {
		report.Text(s.err, res.summary)
		s.printDemo(all)
		s.say("report  %s", file)
		fmt.Fprintln(s.out, file)
	}
	if err != nil || wrong == 0 {
		return err
	}
	return vitrine.NewFault("demo", vitrine.FaultInternal, nil, fmt.Sprintf("%d of %d demo outputs did not come out as meant", wrong, len(all))).
		WithFix("run vitrine doctor; fonts or Chromium of this machine may differ")
}

func (s *scoring) printDemo(all []examples.Result) {
	s.say("")
	for _, row := range all {
		mark, reward := "ok ", "    -"
		if !row.AsMeant {
			mark = "BAD"
		}
		if row.Reward != nil {
			reward = fmt.Sprintf("%5.2f", *row.Reward)
		}
		s.say("  %s %s  %-14s %-22s %s", mark, reward, row.Outcome, row.ID, row.Shows)
		if !row.AsMeant {
			s.say("        %s", row.Why)
		}
	}
	s.say("")
}
