package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/model"
	"vitrine/internal/refine"
	"vitrine/internal/report"
	"vitrine/internal/runs"
)

// refining are the flags of vitrine refine.
type refining struct {
	*common
	looking
	resuming
	settings   refine.Settings
	policy     string
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
	r.addRendering(flags, "relook")
	r.vision.asking.add(c, flags)
	r.vision.addAsking(flags)
	r.interactFlags.add(flags)
	flags.StringVarP(&r.policy, "model", "m", "", "model that writes: provider/model or an alias")
	flags.StringVarP(&r.vision.model, "critic", "J", "", "vision model that scores and says what to mend (default: the measured judge)")
	flags.IntVar(&r.maxTokens, "max-tokens", 16384, "of one version, reasoning included")
	flags.StringVar(&r.policyHeat, "policy-temperature", "", "of the model that writes (default: left to the endpoint)")
	flags.IntVar(&r.settings.MaxRounds, "rounds", r.settings.MaxRounds, "accepted versions at most")
	flags.IntVar(&r.settings.MaxResamples, "resamples", r.settings.MaxResamples, "further tries for a round whose version was not better")
	flags.StringVar(&r.settings.OnReject, "on-reject", r.settings.OnReject, "what follows a version that is not better: retry, or stop")
	flags.Float64Var(&r.settings.Epsilon, "epsilon", 0, "how much more than the best is needed")
	flags.BoolVar(&r.settings.CriticFree, "critic-free", false, "no screenshots and no scores: the model looks over its own work")
	r.resuming.add(flags)
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
	if _, high := recipe.WithoutLength().Range(); high != nil && *high > 0 {
		r.settings.FullScore = *high
	}
	fresh, err := refine.New("refine", "", strings.TrimSpace(prompt), r.settings)
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
	critic, err := r.critic(ctx, p, fresh, writer)
	if err != nil {
		return err
	}
	defer critic.run.Close()
	err = refine.Run(ctx, critic.session, writer, critic, critic.keep)
	spent(r.common, writer.client)
	spent(r.common, p.client)
	if err != nil {
		return r.stopped(ctx, critic, err)
	}
	if err := exportSession(critic.run, critic.session); err != nil {
		return err
	}
	if err := critic.run.Finish(); err != nil {
		return err
	}
	return r.tell(critic.run.Dir, critic.session)
}

// stopped says how to go on with a session that did not come to its end.
func (r *refining) stopped(ctx context.Context, c *critic, err error) error {
	why := ""
	switch {
	case ctx.Err() != nil:
		why, err = "interrupted: ", exit(exitInterrupted)
	case !vitrine.AsFault("refine", err).Code.Retryable():
		return err
	}
	r.say("%s%d turns are saved. Go on with the same command and --resume --out %s", why, len(c.session.Turns), c.run.Dir)
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

// sessionFile is the session in a run folder.
const sessionFile = "session.json"

// keep stores the session, whole or not at all.
func (c *critic) keep(s *refine.Session) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return c.run.Put(sessionFile, append(b, '\n'))
}

// exportSession writes the trajectory of a finished session for trainers.
func exportSession(run *runs.Run, s *refine.Session) error {
	for name, export := range map[string]func(io.Writer, []*refine.Session) (int, error){
		"sft.jsonl": refine.WriteSFT, "grpo.jsonl": refine.WriteGRPO, "distillation.jsonl": refine.WriteDistillation,
	} {
		var lines bytes.Buffer
		if _, err := export(&lines, []*refine.Session{s}); err != nil {
			return err
		}
		if err := run.Put(name, lines.Bytes()); err != nil {
			return err
		}
	}
	return nil
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

// String says who writes, for the header of a run: versions of others are not mixed
// with them.
func (w *writer) String() string {
	text := fmt.Sprintf("%s, at most %d tokens", w.name, w.maxTokens)
	if w.temperature != nil {
		text += fmt.Sprintf(", temperature %g", *w.temperature)
	}
	return text
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
	run     *runs.Run
	done    map[string]vitrine.Sample // by earlier processes
	session *refine.Session
	policy  string
}

// critic makes a run folder with a fresh session, or opens the one to go on with.
func (r *refining) critic(ctx context.Context, p *worker, fresh *refine.Session, w *writer) (*critic, error) {
	header, err := p.header(ctx, "refine")
	if err != nil {
		return nil, err
	}
	header.Policy = w.String()
	header.Provenance.Settings["policy"] = header.Policy
	run, done, err := r.openRun(header)
	if err != nil {
		return nil, err
	}
	c := &critic{p, run, done, fresh, r.policy}
	if r.resume {
		err = c.goOn()
	} else {
		err = c.keep(fresh)
	}
	if err != nil {
		return nil, errors.Join(err, run.Close())
	}
	if r.resume {
		r.say("going on with %s: %d turns are done", run.Dir, len(c.session.Turns))
	}
	return c, nil
}

// goOn takes up the session of the run, if it is of the same prompt and settings.
func (c *critic) goOn() error {
	b, err := os.ReadFile(filepath.Join(c.run.Dir, sessionFile))
	var kept refine.Session
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	switch {
	case err != nil:
		return vitrine.NewFault("command", vitrine.FaultUsage, err, c.run.Dir+" holds no session to go on with").
			WithFix("name a run folder of vitrine refine with --out DIR, or leave out --resume")
	case kept.Instruction != c.session.Instruction:
		return madeWithAnother(c.run.Dir, "prompt")
	case kept.Settings != c.session.Settings:
		return madeWithAnother(c.run.Dir, "--rounds, --resamples, --on-reject, --epsilon or --critic-free")
	}
	c.session = &kept
	return c.run.Sweep()
}

// madeWithAnother refuses to add to a run what would not compare.
func madeWithAnother(dir, drift string) error {
	return usage(fmt.Sprintf("%s was made with another %s; its turns would not compare", dir, drift),
		"resume with the same flags, or start a new run with another --out")
}

// Assess renders and scores a version.
func (c *critic) Assess(ctx context.Context, output string) (refine.Assessment, error) {
	turn := len(c.session.Turns) + 1
	o := vitrine.Output{ID: fmt.Sprintf("turn-%d", turn), GroupID: c.session.ID, Model: c.policy, Instruction: c.session.Instruction, Text: output}
	scored, err := c.p.Add(ctx, o, nil, c.done[o.ID].Attempt+1, c.run)
	if err != nil {
		return refine.Assessment{}, err
	}
	s := scored.Sample
	if s.Error != nil {
		return refine.Assessment{}, s.Error
	}
	score := c.p.recipe.WithoutLength().Again(s.Parts, s.Gate) // refine.RewardReLook takes the length, of all
	a := refine.Assessment{Outcome: s.Outcome, Score: score, Why: s.Why, Evidence: s.Evidence, Feedback: refine.Said(&s)}
	for _, v := range scored.Evidence.Views {
		for _, f := range v.Frames {
			a.Frames = append(a.Frames, f.File)
		}
	}
	return a, nil
}
