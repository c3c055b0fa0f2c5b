// Package refinerun carries out a refine session in a run folder: a model writes, versions
// are rendered and scored, and all that is needed to go on is kept after each turn.
package refinerun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/pipeline"
	"vitrine/internal/refine"
	"vitrine/internal/reward"
	"vitrine/internal/runs"
)

// sessionFile is the session in a run folder.
const sessionFile = "session.json"

// Settings say who writes, who scores, and where it is kept.
type Settings struct {
	Writer   *Writer
	Pipeline *pipeline.Pipeline
	Recipe   *reward.Recipe // of the pipeline
	Run      *runs.Run
	// Done are samples of the run from earlier processes, by id.
	Done map[string]vitrine.Sample
	// Resume goes on with the session of the run, which must be of the same prompt and
	// settings.
	Resume bool
}

// A Loop is a session in a run folder. Each version becomes a sample of the run.
type Loop struct {
	settings Settings
	Session  *refine.Session
	versions []Version // as they were written
}

// New keeps a fresh session in the run folder, or takes up the one that is there.
func New(s Settings, fresh *refine.Session) (*Loop, error) {
	l := &Loop{settings: s, Session: fresh}
	if s.Resume {
		return l, l.goOn()
	}
	return l, l.keep(fresh)
}

// Run works on the session until it ends. What was done before an error is kept.
func (l *Loop) Run(ctx context.Context) error {
	return refine.Run(ctx, l.Session, l, l, l.keep)
}

// Finish writes the trajectory of a session that has ended for trainers, and ends the run.
func (l *Loop) Finish() error {
	for name, export := range map[string]func(io.Writer, []*refine.Session) (int, error){
		"sft.jsonl": refine.WriteSFT, "grpo.jsonl": refine.WriteGRPO, "distillation.jsonl": refine.WriteDistillation,
	} {
		var lines bytes.Buffer
		if _, err := export(&lines, []*refine.Session{l.Session}); err != nil {
			return err
		}
		if err := l.settings.Run.Put(name, lines.Bytes()); err != nil {
			return err
		}
	}
	return l.settings.Run.Finish()
}

// keep stores the session, whole or not at all.
func (l *Loop) keep(s *refine.Session) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return l.settings.Run.Put(sessionFile, append(b, '\n'))
}

// goOn takes up the session of the run, if it is of the same prompt and settings.
func (l *Loop) goOn() error {
	dir := l.settings.Run.Dir
	var kept refine.Session
	err := disk.ReadJSON(filepath.Join(dir, sessionFile), &kept)
	switch {
	case err != nil:
		return vitrine.NewFault("command", vitrine.FaultUsage, err, dir+" holds no session to go on with").
			WithFix("name a run folder of vitrine refine with --out DIR, or leave out --resume")
	case kept.Instruction != l.Session.Instruction:
		return madeWithAnother(dir, "prompt")
	case kept.Settings != l.Session.Settings:
		return madeWithAnother(dir, "--rounds, --resamples, --on-reject, --epsilon or --critic-free")
	}
	l.Session = &kept
	if err := l.noted(); err != nil {
		return err
	}
	return l.settings.Run.Sweep()
}

// madeWithAnother refuses to add to a run what would not compare.
func madeWithAnother(dir, drift string) error {
	return vitrine.NewFault("command", vitrine.FaultUsage, nil, fmt.Sprintf("%s was made with another %s; its turns would not compare", dir, drift)).
		WithFix("resume with the same flags, or start a new run with another --out")
}

// Answer has the model write the next version.
func (l *Loop) Answer(ctx context.Context, ask refine.Request) (refine.Answer, error) {
	reply, err := l.settings.Writer.write(ctx, ask)
	if err != nil {
		return refine.Answer{}, err
	}
	a := refine.Answer{Text: reply.Text}
	if reply.Usage.Out > 0 {
		a.Tokens = &reply.Usage.Out
	}
	return a, l.note(versionOf(ask.Turn, reply))
}

// Assess renders and scores a version.
func (l *Loop) Assess(ctx context.Context, output string) (refine.Assessment, error) {
	turn := len(l.Session.Turns) + 1
	o := vitrine.Output{ID: fmt.Sprintf("turn-%d", turn), TaskID: l.Session.TaskID, GroupID: l.Session.ID, Model: l.settings.Writer.Name, Instruction: l.Session.Instruction, Text: output}
	scored, err := l.settings.Pipeline.Add(ctx, o, nil, l.settings.Done[o.ID].Attempt+1, l.settings.Run)
	if err != nil {
		return refine.Assessment{}, err
	}
	s := scored.Sample
	if s.Error != nil {
		return refine.Assessment{}, s.Error
	}
	score := l.settings.Recipe.WithoutLength().Again(s.Parts, s.Gate) // refine.RewardReLook takes the length, of all
	a := refine.Assessment{Outcome: s.Outcome, Score: score, Why: s.Why, Evidence: s.Evidence, Feedback: refine.Said(&s)}
	for _, v := range scored.Evidence.Views {
		for _, f := range v.Frames {
			a.Frames = append(a.Frames, f.File)
		}
	}
	return a, nil
}
