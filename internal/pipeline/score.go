package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/cache"
	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/parse"
)

// Scored is a sample with everything that its reward was computed from.
type Scored struct {
	Sample    vitrine.Sample
	Artifact  *vitrine.Artifact
	Evidence  *vitrine.Evidence
	Judgement *vitrine.Judgement
	Opinions  []vitrine.Judgement // of models, one for each protocol
	Trace     *vitrine.Trace      // nil if the site was not exercised
}

// Score takes one output through all stages and writes the evidence below dir. It
// returns a sample whatever the output is; one that could not be judged carries its
// fault. The only error is that of ctx.
func (p *Pipeline) Score(ctx context.Context, o vitrine.Output, dir string) (*Scored, error) {
	return p.ScoreArtifact(ctx, o, nil, dir)
}

// ScoreArtifact is Score for an artifact that was parsed already, such as a folder of
// files. A nil artifact is parsed from the output's text.
func (p *Pipeline) ScoreArtifact(ctx context.Context, o vitrine.Output, a *vitrine.Artifact, dir string) (*Scored, error) {
	w := newWork(p, o, a, dir)
	err := w.run(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if w.Judgement != nil { // also if a model gave no usable answer: its answer is kept
		stage := w.stage
		if failed := w.save(); failed != nil {
			err = errors.Join(failed, err) // a disk that is full comes first: it stops the run
		} else {
			w.stage = stage
		}
	}
	if err != nil {
		w.Sample.Status, w.Sample.Reward, w.Sample.Outcome = vitrine.SampleUnjudged, nil, ""
		w.Sample.Error = withCauseInMessage(vitrine.AsFault(w.stage, disk.Classify(err)))
	}
	return &w.Scored, nil
}

// withCauseInMessage joins a fault's message with its cause, for a record that does not
// keep the error chain.
func withCauseInMessage(f *vitrine.Fault) *vitrine.Fault {
	message := f.Message
	if cause := errors.Unwrap(f); cause != nil {
		message += ": " + cause.Error()
	}
	return vitrine.NewFault(f.Stage, f.Code, nil, message).WithFix(f.Fix)
}

// work is the state of scoring one output.
type work struct {
	Scored
	*Pipeline
	output     vitrine.Output
	dir        string
	signals    signals
	stage      string    // the current one, for faults
	content    string    // hash of the evidence; empty if the cache does not have it
	exploreKey cache.Key // of the explorer's trace
	keys       []cache.Key
}

func newWork(p *Pipeline, o vitrine.Output, a *vitrine.Artifact, dir string) *work {
	w := &work{Scored: Scored{Artifact: a}, Pipeline: p, output: o, dir: dir, signals: newSignals()}
	w.Sample = vitrine.Sample{
		ID: o.ID, TaskID: o.TaskID, Model: o.Model, GroupID: o.GroupID, Meta: o.Meta,
		Recipe: p.settings.Recipe.ID(), Profile: p.settings.Profile, Parts: map[string]float64{}, Findings: []vitrine.Finding{}, Attempt: 1, Cost: vitrine.Free(),
	}
	for _, part := range p.settings.Recipe.PartNames() {
		w.Sample.Parts[part] = 0
	}
	return w
}

// timed runs one stage and adds its duration to ms, in milliseconds.
func (w *work) timed(stage string, ms *float64, do func() error) error {
	w.stage = stage
	start := time.Now()
	err := do()
	*ms += float64(time.Since(start).Microseconds()) / 1000
	return err
}

func (w *work) run(ctx context.Context) error {
	if err := w.resolveInstruction(); err != nil {
		return err
	}
	timing := &w.Sample.TimingMS
	if err := w.timed("parse", &timing.Parse, w.parse); err != nil {
		return err
	}
	if gate, stop := w.stopped(); stop {
		return w.finishStopped(ctx, gate)
	}
	if w.Artifact.Kind == vitrine.KindProject || w.Artifact.Kind == vitrine.KindComponent {
		defer cache.Hold(w.settings.CacheDir)() // the site is served from the cache
	}
	var b build.Result
	err := w.timed("build", &timing.Build, func() (err error) {
		b, err = w.build(ctx, w.Artifact, w.settings.Tasks[w.output.TaskID].Files...)
		w.Sample.Cached.Build = b.Cached
		w.keep(b.Key)
		return err
	})
	if err != nil {
		return err
	}
	err = w.timed("capture", &timing.Capture, func() error { return w.captureSite(ctx, b.Site) })
	if err != nil {
		return err
	}
	var parallel errgroup.Group // the site is exercised while it is judged (AesCoder §1)
	parallel.Go(func() error { return w.exercise(ctx, b.Site) })
	err = w.timed("judge", &timing.Judge, func() error { return w.assess(ctx) })
	if failed := parallel.Wait(); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	return w.computeReward()
}

// resolveInstruction fills in the instruction from the output's task.
func (w *work) resolveInstruction() error {
	w.stage = "input"
	task, known := w.settings.Tasks[w.output.TaskID]
	if w.output.Instruction == "" {
		w.output.Instruction = task.Instruction
	}
	if w.output.TaskID != "" && !known && w.settings.Tasks != nil && w.output.Instruction == "" {
		return vitrine.NewFault("input", vitrine.FaultUnknownTask, nil, fmt.Sprintf("no task has the id %q", w.output.TaskID)).
			WithFix("check task_id against the file given with --tasks")
	}
	return nil
}

func (w *work) parse() error {
	if w.Artifact == nil {
		w.Artifact = parse.Output(w.output)
	}
	w.Evidence = &vitrine.Evidence{
		Schema: vitrine.EvidenceSchema, Tool: vitrine.Version, Settings: w.settings.Capture, Instruction: w.output.Instruction,
		Site: vitrine.Site{Kind: w.Artifact.Kind, Routes: []string{}},
	}
	return w.readSource()
}

// readSource records the signals that follow from the artifact and the output's text
// alone.
func (w *work) readSource() (err error) {
	w.Sample.Kind = w.Artifact.Kind
	w.signals.parsed(w.Artifact)
	if w.settings.Recipe.Needs("output.tokens") {
		if w.signals.Values["output.tokens"], err = parse.Tokens(w.output); err != nil {
			return err
		}
	}
	w.Evidence.Hint, err = w.hint(w.Artifact, w.settings.Recipe.Hint)
	w.signals.hinted(w.Evidence.Hint)
	return err
}

// stopped reports whether scoring ends before the build: the output has no files, or a
// gate of the recipe says stop.
func (w *work) stopped() (reason string, stop bool) {
	if len(w.Artifact.Files) == 0 {
		return "there is no website in the output", true
	}
	if gate, fires := w.settings.Recipe.StopGate(w.signals.Signals); fires {
		return "the recipe stops where " + gate.String(), true
	}
	return "", false
}

// finishStopped computes the reward of an output that is not built or captured.
func (w *work) finishStopped(ctx context.Context, reason string) error {
	if len(w.Artifact.Files) > 0 {
		w.Evidence.Site.Failure = &vitrine.BuildFailure{Code: vitrine.FailureStopped, Message: reason}
	} else if n := len(w.Artifact.Notes); n > 0 {
		reason = w.Artifact.Notes[n-1].Text
	}
	w.Evidence.Validity = vitrine.Validity{Reason: vitrine.InvalidLoadFailed, Why: reason}
	if err := w.exercise(ctx, nil); err != nil { // without a site all test cases fail
		return err
	}
	return w.timed("judge", &w.Sample.TimingMS.Judge, func() error { return w.judge(ctx) })
}

// captureSite captures the site, or records the failure of its build.
func (w *work) captureSite(ctx context.Context, site *vitrine.Site) error {
	if site.Failure != nil {
		w.Evidence.Site = *site
		w.Evidence.Validity = vitrine.Validity{Reason: vitrine.InvalidLoadFailed, Why: site.Failure.Message}
		return nil
	}
	if err := w.lacksPlotly(ctx, site); err != nil {
		return err
	}
	seen, err := w.capture(ctx, site, w.dir)
	if err != nil {
		return err
	}
	w.Sample.Cached.Capture, w.content = seen.cached, seen.content
	w.keep(seen.key)
	seen.evidence.Hint, seen.evidence.Instruction = w.Evidence.Hint, w.Evidence.Instruction
	w.Evidence = seen.evidence
	return nil
}

// judge assesses the evidence and computes the reward.
func (w *work) judge(ctx context.Context) error {
	if err := w.assess(ctx); err != nil {
		return err
	}
	return w.computeReward()
}

// assess runs the measured judge, and asks the models if there are any.
func (w *work) assess(ctx context.Context) error {
	w.Sample.Outcome, w.Sample.Why = outcome(w.Artifact, w.Evidence)
	if why, bad := invalidFrame(w.Evidence); bad && w.Sample.Outcome == vitrine.OutcomeRendered && w.settings.Recipe.Needs("frames.valid") {
		w.Sample.Outcome, w.Sample.Why = vitrine.OutcomeInvalidRender, why
	}
	w.signals.flag("build.ok", w.Sample.Outcome == vitrine.OutcomeRendered || w.Sample.Outcome == vitrine.OutcomeInvalidRender)
	j, err := w.measure()
	if err != nil {
		return err
	}
	w.Judgement = &j
	w.Sample.Findings, w.Sample.Scores, w.Sample.Cost = slices.Clone(j.Findings), maps.Clone(j.Scores), j.Cost
	w.signals.judged(w.Evidence, &j)
	return w.askModels(ctx)
}

// computeReward computes the reward from the signals of all stages.
func (w *work) computeReward() error {
	w.exercised()
	r, err := w.reward()
	if err != nil {
		return err
	}
	apply(&w.Sample, r)
	return nil
}

// apply sets the reward of a sample.
func apply(s *vitrine.Sample, r vitrine.Reward) {
	s.Status, s.Reward, s.Error = vitrine.SampleScored, &r.Value, nil
	s.Recipe, s.Parts, s.Gate, s.Fallbacks = r.Recipe, r.Parts, r.Gate, r.Fallbacks
}

// save writes the evidence folder.
func (w *work) save() error {
	w.stage = "store"
	save := evidence.Save
	if w.content != "" {
		save = evidence.SaveManifest // the other files came from the cache, with the frames
	}
	return errors.Join(
		os.MkdirAll(w.dir, 0o755),
		save(w.dir, w.Evidence),
		evidence.SaveKeys(w.dir, w.keys),
		evidence.SaveArtifact(w.dir, w.Artifact, w.output.Text),
		evidence.SaveOutput(w.dir, w.output),
		evidence.SaveJudgement(w.dir, w.Judgement),
		evidence.SaveOpinions(w.dir, w.Opinions),
		evidence.SaveTrace(w.dir, w.Trace),
	)
}

// Judge judges an evidence folder again, without a browser or a build, and computes its
// reward by the recipe. It replaces the judgement in the folder, and the opinions if
// models are asked. It uses only the settings of judging.
func Judge(ctx context.Context, dir string, s Settings) (*Scored, error) {
	w, err := loadWork(dir, s)
	if err != nil {
		return nil, err
	}
	if err := w.readSource(); err != nil {
		return nil, err
	}
	if f := w.Evidence.Site.Failure; f != nil && f.Code == vitrine.FailureStopped {
		if _, stop := w.stopped(); !stop {
			return nil, vitrine.NewFault("judge", vitrine.FaultUsage, nil, dir+" was never built or captured: "+f.Message).
				WithFix("score the output again with --recipe " + s.Recipe.Name)
		}
	}
	if err := w.judge(ctx); err != nil {
		return nil, errors.Join(err, evidence.SaveOpinions(dir, w.Opinions))
	}
	return &w.Scored, errors.Join(evidence.SaveJudgement(dir, w.Judgement), evidence.SaveOpinions(dir, w.Opinions))
}

// loadWork restores the work that wrote an evidence folder.
func loadWork(dir string, s Settings) (*work, error) {
	ev, err := evidence.Load(dir)
	if err != nil {
		return nil, err
	}
	a, errA := evidence.LoadArtifact(dir)
	o, errO := evidence.LoadOutput(dir)
	if err := errors.Join(errA, errO); err != nil {
		return nil, vitrine.NewFault("store", vitrine.FaultUsage, err, dir+" lacks the artifact or the output")
	}
	p := judging(s)
	p.settings.adapt()
	w := newWork(p, o, a, dir)
	w.Evidence = ev
	w.Trace, err = evidence.LoadTrace(dir)
	return w, err
}

// outcome returns what became of a site, with the reason in one sentence.
func outcome(a *vitrine.Artifact, ev *vitrine.Evidence) (vitrine.Outcome, string) {
	failure := ev.Site.Failure
	switch {
	case len(a.Files) == 0:
		return vitrine.OutcomeNoArtifact, ev.Validity.Why
	case failure != nil && failure.Code == vitrine.FailureStopped:
		return vitrine.OutcomeBuildFailed, failure.Message
	case failure != nil:
		return vitrine.OutcomeBuildFailed, string(failure.Code) + ": " + failure.Message
	case !ev.Validity.Valid:
		return vitrine.OutcomeInvalidRender, string(ev.Validity.Reason) + ": " + ev.Validity.Why
	}
	return vitrine.OutcomeRendered, ""
}
