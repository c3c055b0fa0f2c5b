package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/refine"
	"vitrine/internal/report"
	"vitrine/internal/store"
)

// refining are the flags of vitrine refine.
type refining struct {
	*common
	looking
	settings   refine.Settings
	policy     string
	dir        string
	maxTokens  int
	policyHeat string
}

func refineCommand(c *common) *cobra.Command {
	r := &refining{common: c, settings: refine.Defaults()}
	r.vision.repeats = 1
	cmd := &cobra.Command{
		Use:   "refine PROMPT",
		Short: "Let a model write a site, look at it, say what to mend, and write it again",
		Long: `Let a model write a site, look at it, say what to mend, and write it again (ReLook).

A version is accepted only if its score is above the best so far; else it is thrown
away and another is sampled. The best is returned on standard output. The run folder
has every version with its evidence, a report with the rounds side by side, the
session (session.json) and its trajectory for trainers (sft.jsonl, grpo.jsonl,
distillation.jsonl), with a mask of whose tokens are whose.

Without -J the measured judge scores and says what to mend. PROMPT is the text
itself, or "-" for standard input.`,
		Example: `  vitrine refine "a pricing page" -m openai/gpt-5-mini -J anthropic/claude-haiku-4-5 --rounds 3
  vitrine refine "a pricing page" -m ollama/qwen3-coder --out runs/pricing > pricing.html
  vitrine refine "a pricing page" -m openai/gpt-5-mini --critic-free`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	flags := cmd.Flags()
	r.addRendering(flags, "relook")
	r.vision.asking.add(c, flags)
	r.vision.addAsking(flags)
	r.trying.add(flags)
	flags.StringVarP(&r.policy, "model", "m", "", "model that writes: provider/model or an alias")
	flags.StringVarP(&r.vision.model, "critic", "J", "", "vision model that scores and says what to mend (default: the measured judge)")
	flags.IntVar(&r.maxTokens, "max-tokens", 16384, "of one version, reasoning included")
	flags.StringVar(&r.policyHeat, "policy-temperature", "", "of the model that writes (default: left to the endpoint)")
	flags.IntVar(&r.settings.MaxRounds, "rounds", r.settings.MaxRounds, "accepted versions at most")
	flags.IntVar(&r.settings.MaxResamples, "resamples", r.settings.MaxResamples, "further tries for a round whose version was not better")
	flags.StringVar(&r.settings.OnReject, "on-reject", r.settings.OnReject, "what follows a version that is not better: retry, or stop")
	flags.Float64Var(&r.settings.Epsilon, "epsilon", 0, "how much more than the best is needed")
	flags.BoolVar(&r.settings.CriticFree, "critic-free", false, "no screenshots and no scores: the model looks over its own work")
	flags.StringVar(&r.dir, "out", "", "run folder (default: a new one under "+runsDir+")")
	return cmd
}

func (r *refining) run(ctx context.Context, prompt string) error {
	if prompt == "-" {
		b, err := io.ReadAll(r.in)
		if err != nil {
			return err
		}
		prompt = string(b)
	}
	r.settings.Reward = refine.RewardReLook
	recipe, err := loadRecipe(r.recipe)
	if err != nil {
		return err
	}
	if _, high := recipe.Range(); high != nil && *high > 0 {
		r.settings.FullScore = *high
	}
	session, err := refine.New("refine", "", strings.TrimSpace(prompt), r.settings)
	if err != nil {
		return usage(err.Error(), "vitrine refine --help shows the settings")
	}
	switch {
	case session.Instruction == "":
		return usage("the prompt is empty", `say what to build, such as vitrine refine "a pricing page"`)
	case r.policy == "":
		return usage("no model is named that writes", "add -m provider/model; vitrine models ls lists some")
	}
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	p, err := r.pipeline(r.common, nil)
	if err != nil {
		return err
	}
	defer p.Close()
	writer, err := r.writer()
	if err != nil {
		return err
	}
	defer writer.client.Close()
	critic, err := r.critic(ctx, p, session)
	if err != nil {
		return err
	}
	defer critic.run.Close()
	err = refine.Run(ctx, session, writer, critic)
	spent(r.common, writer.client)
	spent(r.common, p.client)
	if kept := keepSession(critic.run.Dir, session); err == nil || kept != nil {
		err = errors.Join(kept, err)
	}
	switch {
	case ctx.Err() != nil:
		return exit(vitrine.ExitInterrupted)
	case err != nil:
		return err
	}
	return r.tell(critic.run.Dir, session)
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

// keepSession writes the session and its trajectory for trainers.
func keepSession(dir string, s *refine.Session) error {
	write := func(name string, to func(io.Writer) error) error {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return vitrine.NewFault("store", vitrine.FaultUnwritable, err, "cannot keep the session")
		}
		return errors.Join(to(f), f.Close())
	}
	lines := func(export func(io.Writer, []*refine.Session) (int, error)) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := export(w, []*refine.Session{s})
			return err
		}
	}
	err := write("session.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
	if !s.Done {
		return err
	}
	return errors.Join(err, write("sft.jsonl", lines(refine.WriteSFT)), write("grpo.jsonl", lines(refine.WriteGRPO)), write("distillation.jsonl", lines(refine.WriteDistillation)))
}

// A writer is the model that writes.
type writer struct {
	client      *model.Client
	name        string
	maxTokens   int
	temperature *float64
}

func (r *refining) writer() (*writer, error) {
	heat, err := temperature("--policy-temperature", r.policyHeat)
	if err != nil {
		return nil, err
	}
	v := r.vision // the same flags of asking, for another model
	v.model, v.first = r.policy, ""
	client, err := v.client(r.common)
	if err != nil {
		return nil, err
	}
	return &writer{client, r.policy, r.maxTokens, heat}, nil
}

// Answer writes the next version. One that was cut off is what it is; one that was
// refused or is empty is an output without a site.
func (w *writer) Answer(ctx context.Context, ask refine.Request) (refine.Answer, error) {
	q := model.Request{MaxTokens: w.maxTokens, Temperature: w.temperature, Repeat: ask.Turn}
	for _, m := range ask.Messages {
		q.Messages = append(q.Messages, model.Message{Role: model.Role(m.Role), Parts: []model.Part{{Text: m.Content}}})
	}
	reply, err := w.client.Ask(ctx, w.name, q)
	if err != nil {
		return refine.Answer{}, err
	}
	a := refine.Answer{Text: reply.Text}
	if reply.Usage.Out > 0 {
		a.Tokens = &reply.Usage.Out
	}
	return a, nil
}

// A critic renders and scores versions; each becomes a sample of the run.
type critic struct {
	p       *worker
	run     *store.Run
	session *refine.Session
	policy  string
}

func (r *refining) critic(ctx context.Context, p *worker, s *refine.Session) (*critic, error) {
	header, err := p.header(ctx, "refine")
	if err != nil {
		return nil, err
	}
	run, err := store.Create(cmp.Or(r.dir, newRunDir(time.Now().UTC(), "refine")), header)
	return &critic{p, run, s, r.policy}, err
}

// Assess renders and scores a version.
func (c *critic) Assess(ctx context.Context, output string) (refine.Assessment, error) {
	turn := len(c.session.Turns) + 1
	o := vitrine.Output{ID: fmt.Sprintf("turn-%d", turn), GroupID: c.session.ID, Model: c.policy, Instruction: c.session.Instruction, Text: output}
	scored, err := c.p.Add(ctx, o, nil, 1, c.run)
	if err != nil {
		return refine.Assessment{}, err
	}
	s := scored.Sample
	if s.Error != nil {
		return refine.Assessment{}, s.Error
	}
	a := refine.Assessment{Outcome: s.Outcome, Score: *s.Reward, Why: s.Why, Evidence: s.Evidence, Feedback: refine.Said(&s)}
	for _, v := range scored.Evidence.Views {
		for _, f := range v.Frames {
			a.Frames = append(a.Frames, f.File)
		}
	}
	return a, nil
}
