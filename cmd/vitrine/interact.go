package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/interact/script"
	"vitrine/internal/pipeline"
	"vitrine/internal/report"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
)

// maxTried is how many controls are tried of a site that is looked at by itself.
const maxTried = 40

// An interacting command exercises one site and shows how.
type interacting struct {
	rendering
	by   vitrine.TraceBy
	save string
}

func interactCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "interact",
		Short: "Exercise a site: without a model, by an agent, or by scripts that are checked",
		Long: `Exercise a site and show what every action changed.

SOURCE is what render takes: an .html file, a folder, a text with what a model wrote, a
file of outputs, or "-". A run folder is made, with trace.json, the frames before and after each action
and a report with the film strips.`,
	}
	cmd.AddCommand(
		interactBy(c, vitrine.ByBehave, "Prove what the instruction asks for by relations, without any model", `  vitrine interact behave page.html --instruction "A todo list with search"
  vitrine interact behave page.html --instruction "A todo list with search" --only search`),
		interactBy(c, vitrine.ByExplore, "Operate the controls one by one, without any model", `  vitrine interact explore page.html
  vitrine interact explore ./my-site --try 100 --json`),
		interactBy(c, vitrine.ByAgent, "Let a model exercise the site, turn by turn", `  vitrine interact agent page.html -m openai/gpt-5-mini --instruction "A todo list"
  vitrine interact agent page.html -m openai/gpt-5-mini --cases tests.jsonl`),
		interactBy(c, vitrine.ByVerify, "Let a model plan a script for each test case once, and check it in the browser", `  vitrine interact verify page.html -m openai/gpt-5-mini --cases tests.jsonl --save scripts.yaml`),
		interactRun(c),
	)
	return cmd
}

func interactBy(c *common, by vitrine.TraceBy, short, example string) *cobra.Command {
	i := &interacting{rendering: rendering{common: c}, by: by}
	cmd := &cobra.Command{
		Use: string(by) + " SOURCE", Short: short, Example: example, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd.Context(), args[0]) },
	}
	i.flags(cmd)
	flags := cmd.Flags()
	flags.IntVar(&i.Interacting.N, "interactions", 3, "how many of the most important interactions count for s_interact")
	switch by {
	case vitrine.ByBehave:
		addProving(&i.Interacting, flags)
		addModels(&i.Judging.Models, c, flags)
		addSpending(&i.Judging, flags)
		flags.StringSliceVar(&i.Interacting.Only, "only", nil, "behaviours to prove, comma-separated, such as create,search (default: all that are asked for)")
	case vitrine.ByExplore:
		flags.IntVar(&i.Interacting.Try, "try", maxTried, "controls that are tried, at most")
	case vitrine.ByAgent:
		flags.StringVar(&i.Judging.Rubric, "rubric", "", "rubric tree whose leaves are carried out, a file that vitrine rubric made")
	}
	if setup.Asks(by) {
		flags.StringVar(&i.Interacting.Cases, "cases", "", "test cases: JSON lines with task and expected_result")
		flags.StringVarP(&i.Judging.Model, "model", "m", "", "model that tries: provider/model or an alias")
		flags.StringVar(&i.Judging.Temperature, "temperature", "", "of the answers (default: left to the endpoint)")
		addModels(&i.Judging.Models, c, flags)
		addAsking(&i.Judging, flags)
	}
	if by == vitrine.ByVerify {
		flags.StringVar(&i.save, "save", "", "file to write the scripts to, for vitrine interact run")
	}
	return cmd
}

func interactRun(c *common) *cobra.Command {
	i := &interacting{rendering: rendering{common: c}, by: vitrine.ByScript}
	cmd := &cobra.Command{
		Use: "run SCRIPTS SOURCE", Short: "Run scripts that a person wrote or verify saved (docs/scripts.md)",
		Example: "  vitrine interact run scripts.yaml page.html", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return usage("cannot read the scripts: "+err.Error(), "docs/scripts.md shows how to write them")
			}
			if i.Interacting.Scripts, err = script.Parse(args[0], text); err != nil {
				return err
			}
			return i.run(cmd.Context(), args[1])
		},
	}
	i.flags(cmd)
	i.Interacting.N = 3
	return cmd
}

func (i *interacting) flags(cmd *cobra.Command) {
	addRendering(&i.Looking, cmd.Flags(), defaultRecipe)
	i.reading.add(cmd.Flags())
	cmd.Flags().StringVar(&i.dir, "out", "", "run folder (default: a new one under "+runsDir+")")
	cmd.Flags().StringVar(&i.instruction, "instruction", "", "what the model was asked: what it names is tried first")
	cmd.Flags().StringVar(&i.kind, "kind", "", "what the text holds: page, project, component, svg, plot (default: find out)")
}

func (i *interacting) run(ctx context.Context, source string) error {
	ctx, release := cancelOnSignal(ctx, i.common)
	defer release()
	from, err := i.survey(ctx, []string{source})
	if err != nil {
		return err
	}
	defer from.Close()
	i.Interacting.By, i.Judging.Judge = string(i.by), setup.NoModel // the model tries, and judges nothing else
	if i.by == vitrine.ByVerify && i.Interacting.Cases == "" {
		return usage("verify tries test cases, and none are named", `add --cases FILE; each line is {"task":"…","expected_result":"…"}`)
	}
	p, err := i.Looking.Open(i.machine(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	all, dir, err := i.intoRun(ctx, p, source, from)
	spent(i.common, p.Client)
	var code exit
	if err != nil && !(errors.As(err, &code) && len(all) > 0) {
		return err
	}
	return errors.Join(err, i.report(dir, all))
}

// report says what came of each site.
func (i *interacting) report(dir string, all []*pipeline.Scored) error {
	if f := all[0].Sample.Error; f != nil && all[0].Trace == nil && len(all) == 1 {
		return f
	}
	if err := i.keepScripts(all); err != nil {
		return err
	}
	traces, unjudged := []any{}, error(nil)
	for _, scored := range all {
		traces = append(traces, map[string]any{"id": scored.Sample.ID, "trace": scored.Trace})
		if !i.json {
			i.tell(scored)
		}
		if f := scored.Sample.Error; f != nil {
			i.say("not judged: %s: %s", f.Code, f.Message)
			unjudged = exit(exitUnjudged)
		}
	}
	file := filepath.Join(dir, "report.html")
	switch {
	case i.json && len(all) == 1:
		return errors.Join(i.printJSON(map[string]any{"run": dir, "report": file, "trace": all[0].Trace}), unjudged)
	case i.json:
		return errors.Join(i.printJSON(map[string]any{"run": dir, "report": file, "traces": traces}), unjudged)
	}
	fmt.Fprintln(i.out, file)
	return unjudged
}

// intoRun makes a run folder of the sites, so that its report shows the film strips.
func (i *interacting) intoRun(ctx context.Context, p *setup.Pipeline, source string, from *sources) ([]*pipeline.Scored, string, error) {
	header, err := p.Header(ctx, source)
	if err != nil {
		return nil, "", err
	}
	run, _, err := runs.Open(runsDir, i.dir, false, header)
	if err != nil {
		return nil, "", err
	}
	defer run.Close()
	var all []*pipeline.Scored
	err = from.each(func(item sourced) error {
		scored, err := p.Add(ctx, item.Output, item.Artifact, 1, run)
		if ctx.Err() != nil {
			return exit(exitInterrupted)
		}
		if err == nil {
			scored.Evidence = nil // it is in the run folder
			all = append(all, scored)
		}
		return err
	})
	if err != nil && len(all) == 0 {
		return nil, "", err
	}
	if err == nil {
		err = run.Finish()
	}
	return all, run.Dir, errors.Join(err, report.Write(run.Dir))
}

// keepScripts writes the scripts of all traces to a file of their own.
func (i *interacting) keepScripts(scored []*pipeline.Scored) error {
	var all strings.Builder
	for _, s := range scored {
		if s.Trace == nil {
			continue
		}
		for _, c := range s.Trace.Cases {
			all.WriteString(c.Script)
		}
	}
	if i.save == "" || all.Len() == 0 {
		return nil
	}
	if err := os.WriteFile(i.save, []byte(all.String()), 0o644); err != nil {
		return vitrine.NewFault("store", vitrine.FaultUnwritable, err, "cannot write the scripts").WithFix("choose another file with --save")
	}
	i.say("scripts  %s", i.save)
	return nil
}

// tell says what came of every case.
func (i *interacting) tell(s *pipeline.Scored) {
	i.say("%s", report.Outcome(s.Sample))
	if s.Trace == nil {
		i.say("nothing was tried")
		return
	}
	report.Trace(i.err, s.Trace)
}
