package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine"
	"vitrine/internal/refine"
	"vitrine/internal/refinerun"
	"vitrine/internal/report"
	"vitrine/internal/runs"
	"vitrine/internal/setup"
	"vitrine/internal/starter"
)

// refining are the flags of vitrine refine.
type refining struct {
	*common
	setup.Looking
	resuming
	settings   refine.Settings
	policy     string
	maxTokens  int
	policyHeat string
	project    bool
}

func refineCommand(c *common) *cobra.Command {
	r := &refining{common: c, settings: refine.Defaults()}
	r.Judging.Repeats = 1
	cmd := &cobra.Command{
		Use:   "refine PROMPT",
		Short: "Let a model write a site, look at it, say what to mend, and write it again",
		Long: `Let a model write a site, look at it, say what to mend, and write it again (ReLook).

A version is accepted only if its score is above the best so far; else it is thrown
away and another is sampled. The best is returned on standard output. The run folder
has every version with its evidence, a report with the rounds side by side, the
session (session.json) and its trajectory for trainers (sft.jsonl, grpo.jsonl,
distillation.jsonl), with a mask of whose tokens are whose.

The session is written down with every version, before and after it is judged: an
interrupted or killed run goes on with the same command and --resume, and asks only for
what is missing.

Without -J the measured judge scores and says what to mend. PROMPT is the text
itself, or "-" for standard input.`,
		Example: `  vitrine refine "a pricing page" -m openai/gpt-5-mini -J anthropic/claude-haiku-4-5 --rounds 3
  vitrine refine "a pricing page" -m ollama/qwen3-coder --out runs/pricing > pricing.html
  vitrine refine "a pricing page" -m ollama/qwen3-coder --out runs/pricing --resume
  vitrine refine "a pricing page" -m openai/gpt-5-mini --critic-free`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	addRendering(&r.Looking, flags, "relook")
	addModels(&r.Judging.Models, c, flags)
	addAsking(&r.Judging, flags)
	addInteracting(&r.Interacting, flags)
	flags.StringVarP(&r.policy, "model", "m", "", "model that writes: provider/model or an alias")
	flags.StringVarP(&r.Judging.Model, "critic", "J", "", "vision model that scores and says what to mend (default: the measured judge)")
	flags.IntVar(&r.maxTokens, "max-tokens", 16384, "of one version, reasoning included")
	flags.StringVar(&r.policyHeat, "policy-temperature", "", "of the model that writes (default: left to the endpoint)")
	addRounds(&r.settings, flags)
	flags.BoolVar(&r.settings.CriticFree, "critic-free", false, "no screenshots and no scores: the model looks over its own work")
	flags.BoolVar(&r.project, "project", false, "the model writes a React project of several files, by the system prompt that vitrine prompt shows")
	r.resuming.add(flags)
	return cmd
}

// addRounds adds the flags of a loop.
func addRounds(s *refine.Settings, flags *pflag.FlagSet) {
	flags.IntVar(&s.MaxRounds, "rounds", s.MaxRounds, "accepted versions at most")
	flags.IntVar(&s.MaxResamples, "resamples", s.MaxResamples, "further tries for a round whose version was not better")
	flags.StringVar(&s.OnReject, "on-reject", s.OnReject, "what follows a version that is not better: retry, or stop")
	flags.StringVar(&s.Ask, "ask", s.Ask, "trigger: an accepted version that does not ask for feedback is the last; always: all rounds are written")
	flags.StringVar(&s.Accept, "accept", s.Accept, "better: only a version above the best so far; any: every version")
	flags.Float64Var(&s.Epsilon, "epsilon", 0, "how much more than the best is needed")
}

func (r *refining) run(ctx context.Context, prompt string) error {
	if prompt == "-" {
		b, err := io.ReadAll(r.in)
		if err != nil {
			return err
		}
		prompt = string(b)
	}
	if r.project {
		r.settings.System = starter.System()
	}
	recipe, err := setup.LoadRecipe(r.Recipe)
	if err != nil {
		return err
	}
	fresh, err := refine.New("refine", "", strings.TrimSpace(prompt), refinerun.ByRecipe(r.settings, recipe))
	if err != nil {
		return usage(err.Error(), "vitrine refine --help shows the settings")
	}
	switch {
	case fresh.Instruction == "":
		return usage("the prompt is empty", `say what to build, such as vitrine refine "a pricing page"`)
	case r.policy == "":
		return usage("no model is named that writes", "add -m provider/model; vitrine models ls lists some")
	}
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	p, err := r.Looking.Open(r.machine(), nil)
	if err != nil {
		return err
	}
	defer p.Close()
	writer, err := r.writer()
	if err != nil {
		return err
	}
	defer writer.Client.Close()
	loop, run, err := r.loop(ctx, p, fresh, writer)
	if err != nil {
		return err
	}
	defer run.Close()
	err = loop.Run(ctx)
	spent(r.common, writer.Client)
	spent(r.common, p.Client)
	if err != nil {
		return r.stopped(ctx, run.Dir, loop.Session, err)
	}
	if err := loop.Finish(); err != nil {
		return err
	}
	return r.tell(run.Dir, loop.Session)
}

// stopped says how to go on with a session that did not come to its end.
func (r *refining) stopped(ctx context.Context, dir string, s *refine.Session, err error) error {
	why := ""
	switch {
	case ctx.Err() != nil:
		why, err = "interrupted: ", exit(exitInterrupted)
	case !vitrine.AsFault("refine", err).Code.Retryable():
		return err
	}
	r.say("%s%d turns are saved. Go on with the same command and --resume --out %s", why, len(s.Turns), dir)
	return err
}

// tell shows what came of the session: the best version on standard output.
func (r *refining) tell(dir string, s *refine.Session) error {
	res := s.Result()
	if err := report.Write(dir); err != nil {
		return err
	}
	if r.json {
		return r.printJSON(map[string]any{"run": dir, "report": filepath.Join(dir, "report.html"), "result": res, "turns": s.Turns, "end": s.Why})
	}
	for _, t := range s.Turns {
		fate := "rejected"
		if t.Accepted {
			fate = "accepted"
		}
		score := ""
		if t.Assessment != nil {
			score = fmt.Sprintf(" %.3f", t.Assessment.Score)
		}
		r.say("turn %d, round %d: %s%s", t.Turn, t.Round, fate, score)
	}
	r.say("ended: %s; the best is turn %d", s.Why, res.BestTurn)
	r.say("report  %s", filepath.Join(dir, "report.html"))
	fmt.Fprintln(r.out, res.Output)
	return nil
}

// writer is the model that writes.
func (r *refining) writer() (*refinerun.Writer, error) {
	heat, err := setup.ParseTemperature("--policy-temperature", r.policyHeat)
	if err != nil {
		return nil, err
	}
	v := r.Judging // the same flags of asking, for another model
	v.Model, v.First = r.policy, ""
	client, err := v.Client(r.machine())
	if err != nil {
		return nil, err
	}
	return &refinerun.Writer{Client: client, Name: r.policy, MaxTokens: r.maxTokens, Temperature: heat}, nil
}

// loop makes a run folder with a fresh session, or opens the one to go on with.
func (r *refining) loop(ctx context.Context, p *setup.Pipeline, fresh *refine.Session, w *refinerun.Writer) (*refinerun.Loop, *runs.Run, error) {
	header, err := p.Header(ctx, "refine")
	if err != nil {
		return nil, nil, err
	}
	run, done, err := r.openRun(w.Header(header))
	if err != nil {
		return nil, nil, err
	}
	loop, err := refinerun.New(refinerun.Settings{Writer: w, Pipeline: p.Pipeline, Recipe: p.Recipe, Run: run, Done: done, Resume: r.resume}, fresh)
	if err != nil {
		return nil, nil, errors.Join(err, run.Close())
	}
	if r.resume {
		r.say("going on with %s: %d turns are done", run.Dir, len(loop.Session.Turns))
	}
	return loop, run, nil
}
