package refinerun

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"vitrine/internal/digest"
	"vitrine/internal/disk"
	"vitrine/internal/generate"
	"vitrine/internal/model"
	"vitrine/internal/pipeline"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
	"vitrine/internal/runs"
)

// An Author writes each answer to a file of tasks by a session in a run folder of its own.
type Author struct {
	Dir      string // of the run folders
	Settings refine.Settings
	Client   *model.Client
	Model    string
	// Pipeline scores the versions by Recipe, and Header says all that decides on them;
	// without a critic there is neither.
	Pipeline *pipeline.Pipeline
	Recipe   *reward.Recipe
	Header   runs.Header
}

// String implements [generate.Author].
func (a *Author) String() string {
	how := "relook"
	if a.Settings.CriticFree {
		how = "critic-free"
	}
	return how + " " + digest.Of(a.Settings, a.Header.Provenance.Fingerprint())[:12]
}

// Write implements [generate.Author]. The session of an answer whose writing ended early is
// gone on with.
func (a *Author) Write(ctx context.Context, q generate.Question) (generate.Written, error) {
	settings := a.Settings
	settings.System = q.Request.System
	fresh, err := refine.New(q.ID, q.Task.ID, q.Task.Instruction, settings)
	if err != nil {
		return generate.Written{}, err
	}
	w := &Writer{Client: a.Client, Name: a.Model, MaxTokens: q.Request.MaxTokens, Temperature: q.Request.Temperature, TopP: q.Request.TopP, Seed: q.Request.Seed, Sample: q.Request.Repeat}
	loop, err := a.open(fresh, w)
	if err != nil {
		return generate.Written{}, err
	}
	defer loop.settings.Run.Close()
	if err := loop.Run(ctx); err != nil {
		return generate.Written{}, err
	}
	if err := loop.Finish(); err != nil {
		return generate.Written{}, err
	}
	return loop.written()
}

// open takes up the session of an answer, or begins it. A folder that has none is what a
// killed process left before anything was written.
func (a *Author) open(fresh *refine.Session, w *Writer) (*Loop, error) {
	dir := filepath.Join(a.Dir, runs.FolderName(fresh.ID))
	_, err := os.Stat(filepath.Join(dir, sessionFile))
	resume := err == nil
	switch {
	case !resume && !errors.Is(err, fs.ErrNotExist):
		return nil, disk.Fault(err)
	case !resume:
		if err := os.RemoveAll(dir); err != nil {
			return nil, disk.Fault(err)
		}
	}
	run, done, err := runs.Open(a.Dir, dir, resume, w.Header(a.Header))
	if err != nil {
		return nil, err
	}
	loop, err := New(Settings{Writer: w, Pipeline: a.Pipeline, Recipe: a.Recipe, Run: run, Done: done, Resume: resume}, fresh)
	if err != nil {
		return nil, errors.Join(err, run.Close())
	}
	return loop, nil
}

// written is the answer of a session that has ended.
func (l *Loop) written() (w generate.Written, err error) {
	took, err := l.Took()
	if err != nil {
		return w, err
	}
	r, best := l.Session.Result(), took.Best
	w.Text, w.Reasoning, w.Finish, w.Refusal, w.Model, w.Usage = r.Output, best.Reasoning, best.Finish, best.Refusal, best.By, best.Usage
	w.USD, w.Latency, w.Attempts, w.Cached = took.Cost.Plus(took.Critic).USD, took.Writing+took.Seeing, took.Tries, took.Cached
	w.Loop = &generate.Loop{
		Rounds: r.Accepted, Versions: len(l.Session.Turns), Best: r.BestTurn, Score: r.BestScore, End: string(l.Session.Why),
		Usage: took.Usage, WritingSeconds: took.Writing.Seconds(), CriticUSD: took.Critic.USD, Run: l.settings.Run.Dir,
	}
	return w, nil
}

// ByRecipe are the settings of a session whose versions a recipe scores: its full score, and
// ReLook's reward.
func ByRecipe(s refine.Settings, r *reward.Recipe) refine.Settings {
	s.Reward = refine.RewardReLook
	if _, high := r.WithoutLength().Range(); high != nil && *high > 0 {
		s.FullScore = *high
	}
	return s
}
