package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"vitrine"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/model"
	"vitrine/internal/reward"
)

// Vision says which models judge sites in addition to the measured judge, and what they
// are shown. Protocol and model of the settings of its judges are filled in.
type Vision struct {
	vlm.Judges
	// Protocols about one site, such as appearance. Empty: those whose scores the
	// recipe reads.
	Protocols []string
	Images    model.ImageBudget
	// Tree is the rubric of tasks that have none of their own; may be nil.
	Tree *rubric.Tree
}

// visionSignals are the scores of protocols that recipes know.
var visionSignals = []struct{ signal, protocol, score string }{
	{"vision.appearance", "appearance", "appearance"},
	{"vision.total", "static", "total"},
	{"vision.visual", "visual", "visual"},
	{"vision.plot", "plot", "plot"},
	{"vision.code", "code", "code"},
}

// protocols are those that are asked for, or those that a recipe reads.
func (v *Vision) protocols(r *reward.Recipe) []string {
	if len(v.Protocols) > 0 {
		return v.Protocols
	}
	var names []string
	for _, s := range visionSignals {
		if r.Needs(s.signal) {
			names = append(names, s.protocol)
		}
	}
	return names
}

// Reads reports whether a recipe reads what models see.
func (v *Vision) Reads(r *reward.Recipe) bool { return len(v.protocols(r)) > 0 }

// Check reports a protocol that is not there, or a recipe that asks for none.
func (v *Vision) Check(r *reward.Recipe) error {
	known := vlm.Protocols(false)
	for _, name := range v.protocols(r) {
		if !slices.Contains(known, name) {
			return vitrine.NewFault("judge", vitrine.FaultUsage, nil, fmt.Sprintf("no protocol %q", name)).WithFix(fmt.Sprintf("use %v", known))
		}
	}
	if len(v.protocols(r)) == 0 {
		return vitrine.NewFault("judge", vitrine.FaultUsage, nil, "the recipe "+r.Name+" reads no score of a model").
			WithFix("name protocols with --judge, such as --judge static")
	}
	return nil
}

// askModels asks the models by the protocols that the recipe reads. Their answers,
// usable or not, are kept. A protocol without a usable answer leaves the sample
// unjudged: the measured judge never replaces a model that was asked.
func (w *work) askModels(ctx context.Context) error {
	v := w.settings.Vision
	if v == nil {
		return nil
	}
	s, err := w.subject(v)
	if err != nil {
		return err
	}
	var failed []error
	asked := v.protocols(w.settings.Recipe)
	w.signals.askedBy(asked)
	for _, protocol := range asked {
		j, err := v.Judge(ctx, protocol, s)
		w.Opinions = append(w.Opinions, j)
		w.Sample.Cost = w.Sample.Cost.Plus(j.Cost)
		if f := vitrine.AsFault("judge", err); err != nil && f.Code.Stops() {
			return err // the others would fail alike, and it must not hide behind them
		}
		if err != nil {
			failed = append(failed, err)
			continue
		}
		w.Sample.Findings = append(w.Sample.Findings, j.Findings...)
		w.signals.seen(protocol, j.Scores)
		w.Sample.Feedback = cmp.Or(w.Sample.Feedback, j.Feedback)
		for name, score := range j.Scores {
			w.Sample.Scores["vision."+name] = score
		}
	}
	return errors.Join(failed...)
}

// subject is what a model gets to see of this output.
func (w *work) subject(v *Vision) (vlm.Subject, error) {
	task := w.settings.Tasks[w.output.TaskID]
	s := vlm.Subject{
		Evidence: w.Evidence, Instruction: w.output.Instruction, Topic: task.Topic,
		Files: w.Artifact.Files, Frames: Frames(w.dir, v.Images), Tree: v.Tree, Cases: task.TestCases,
	}
	var err error
	if len(task.Picture) > 0 && slices.Contains(v.protocols(w.settings.Recipe), "plot") {
		if s.Truth, err = model.FitEncoded(task.Picture, v.Images); err != nil {
			return s, vitrine.NewFault("judge", vitrine.FaultUsage, err, "the picture of task "+task.ID+" is not one")
		}
	}
	if task.Rubric != nil {
		if s.Tree, err = rubric.Parse(task.Rubric); err != nil {
			return s, vitrine.NewFault("judge", vitrine.FaultUsage, err, "the rubric of task "+task.ID+" is not one")
		}
	}
	if task.Checklist != nil {
		if err := json.Unmarshal(task.Checklist, &s.Checklist); err != nil {
			return s, vitrine.NewFault("judge", vitrine.FaultUsage, err, "the checklist of task "+task.ID+" is not one")
		}
	}
	return s, nil
}

// seen notes the scores that recipes know.
func (s signals) seen(protocol string, scores map[string]float64) {
	for _, v := range visionSignals {
		if score, ok := scores[v.score]; ok && v.protocol == protocol {
			s.Values[v.signal] = score
			delete(s.Missing, v.signal)
		}
	}
}

// Frames gives the pictures of a frame of an evidence folder as a model takes them.
func Frames(dir string, budget model.ImageBudget) func(vitrine.Frame) ([]model.Image, error) {
	return func(f vitrine.Frame) ([]model.Image, error) {
		raw, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.File)))
		if err != nil {
			return nil, err
		}
		images, err := model.FitEncoded(raw, budget)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.File, err)
		}
		return images, nil
	}
}
