package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/pipeline"
	"vitrine/internal/report"
	"vitrine/internal/setup"
)

type rendering struct {
	*common
	setup.Looking
	reading
	dir, instruction, kind string
}

func renderCommand(c *common) *cobra.Command {
	r := &rendering{common: c}
	cmd := &cobra.Command{
		Use:   "render SOURCE...",
		Short: "Show a page, a folder or a model's output, and say what is seen",
		Long: `Show a page, a folder or a model's output, and say what is seen.

SOURCE is an .html, .svg, .tsx or .jsx file, a folder (a project with a package.json,
a static site, or several of them), an archive, a text file with what a model wrote,
a file of outputs as vitrine score takes it, or "-" for any of these on standard input.
A page is shown with the files of its folder that it names. Frames and everything
gathered are written to an evidence folder, one for each output.`,
		Example: `  vitrine render page.html --viewport desktop,mobile --instruction "A page for a bakery"
  vitrine render ./my-site --out evidence/my-site
  pbpaste | vitrine render -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	addRendering(&r.Looking, cmd.Flags(), lookingRecipe)
	addJudging(&r.Judging, c, cmd.Flags())
	addInteracting(&r.Interacting, cmd.Flags())
	r.reading.add(cmd.Flags())
	cmd.Flags().StringVar(&r.dir, "out", "", "evidence folder, or the folder of several (default: under .vitrine/renders)")
	cmd.Flags().Lookup("try").Usage = fmt.Sprintf("controls that explore tries, at most (default: %d)", maxTried)
	cmd.Flags().StringVar(&r.instruction, "instruction", "", "what the model was asked, to judge the site against")
	cmd.Flags().StringVar(&r.kind, "kind", "", "what the text holds: page, project, component, svg, plot (default: find out)")
	return cmd
}

func (r *rendering) run(ctx context.Context, names []string) error {
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	from, err := r.survey(ctx, names)
	if err != nil {
		return err
	}
	defer from.Close()
	r.Interacting.Try = cmp.Or(r.Interacting.Try, maxTried) // one site is shown: all of its controls are of interest
	p, err := r.Looking.Open(r.machine(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	docs := []any{}
	err = from.each(func(item sourced) error {
		scored, dir, err := r.show(ctx, p.Pipeline, item)
		switch {
		case err != nil:
			return err
		case r.json:
			docs = append(docs, map[string]any{
				"evidence": dir, "outcome": scored.Sample.Outcome, "why": scored.Sample.Why, "validity": scored.Evidence.Validity,
				"views": report.Views(scored.Evidence, dir), "judgement": scored.Judgement, "site": scored.Evidence.Site, "trace": scored.Trace,
			})
		default:
			printSeen(r.common, scored, dir)
		}
		return nil
	})
	if r.json && len(docs) == 1 && from.outputs == 1 {
		return errors.Join(err, r.printJSON(docs[0]))
	}
	if r.json && len(docs) > 0 {
		return errors.Join(err, r.printJSON(docs))
	}
	return err
}

// show renders one thing into its evidence folder.
func (r *rendering) show(ctx context.Context, p *pipeline.Pipeline, item sourced) (*pipeline.Scored, string, error) {
	dir, err := r.folder(item)
	if err != nil {
		return nil, "", err
	}
	scored, err := p.ScoreArtifact(ctx, item.Output, item.Artifact, dir)
	if err != nil {
		_ = os.RemoveAll(dir) // half gathered
		return nil, "", exit(exitInterrupted)
	}
	if f := scored.Sample.Error; f != nil && f.Stage != "reward" {
		_ = os.RemoveAll(dir)
		return nil, "", f
	} else if f != nil { // it was seen and measured: what is missing is a grade, which render does not show
		scored.Sample.Outcome = vitrine.OutcomeRendered
	}
	if scored.Trace != nil {
		err = report.WritePage(dir, scored.Sample)
	}
	return scored, dir, err
}

// folder makes an empty evidence folder. One with older evidence is replaced,
// never written into: its frames may be shared with the cache.
func (r *rendering) folder(item sourced) (string, error) {
	dir := r.dir
	switch {
	case dir == "":
		dir = filepath.Join(".vitrine", "renders", item.folder())
	case item.many:
		dir = filepath.Join(dir, item.folder())
	}
	if entries, err := os.ReadDir(dir); r.dir != "" && err == nil && len(entries) > 0 {
		if _, err := evidence.Load(dir); err != nil {
			return "", usage("--out: "+dir+" holds something else than evidence", "name a new folder, or one that render made")
		}
	}
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", vitrine.NewFault("store", vitrine.FaultUnwritable, err, "cannot make the evidence folder").WithFix("choose another with --out DIR")
	}
	return dir, nil
}

// printSeen prints the names of the frames to stdout, and messages to stderr.
func printSeen(c *common, s *pipeline.Scored, dir string) {
	c.say("%s", report.Outcome(s.Sample))
	for _, v := range report.Views(s.Evidence, dir) {
		for _, f := range v.Frames {
			fmt.Fprintln(c.out, f)
		}
	}
	report.Judgement(c.err, s.Judgement)
	if s.Trace != nil {
		c.say("tried by %s", s.Trace.By)
		report.Trace(c.err, s.Trace)
		c.say("report    %s", filepath.Join(dir, "report.html"))
	}
	for _, m := range s.Evidence.Console {
		if m.Level == "exception" || m.Level == "error" {
			first, _, _ := strings.Cut(m.Text, "\n")
			c.say("  console %s at %s %s: %s", m.Level, m.Route, m.Viewport, first)
		}
	}
	if f := s.Evidence.Site.Failure; f != nil && f.Log != "" {
		c.say("\n%s", f.Log)
	}
	c.say("evidence  %s", dir)
}
