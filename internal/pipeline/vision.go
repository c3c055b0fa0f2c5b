package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"vitrine"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/judge/vlm/dialog"
	"vitrine/internal/model"
	"vitrine/internal/reward"
)

// Vision says which models look at sites beside the measured judge. Several of them,
// or one that is asked several times, are a panel.
type Vision struct {
	Asker  dialog.Asker
	Models []string // provider/model, or aliases
	// Repeats is how often each is asked; 0 means once.
	Repeats int
	// Settings of every question; protocol and model are filled in.
	Settings vlm.Settings
	// Protocols about one site, such as appearance. Empty: those whose scores the
	// recipe reads.
	Protocols []string
	Images    model.ImageBudget
}

// visionSignals are the scores of protocols that recipes know.
var visionSignals = []struct{ signal, protocol, score string }{
	{"vision.appearance", "appearance", "appearance"},
	{"vision.total", "static", "total"},
	{"vision.visual", "visual", "visual"},
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

// see asks the model. What it says, usable or not, is kept; a protocol without a
// usable answer leaves the sample unjudged: the measured judge never stands in for
// a model that was asked.
func (w *work) see(ctx context.Context) error {
	v := w.settings.Vision
	if v == nil {
		return nil
	}
	s := w.subject(v.Images)
	var failed []error
	for _, protocol := range v.protocols(w.settings.Recipe) {
		j, err := v.judge(ctx, protocol, s)
		w.Opinions = append(w.Opinions, j)
		w.Sample.Cost = w.Sample.Cost.Plus(j.Cost)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		w.Sample.Findings = append(w.Sample.Findings, j.Findings...)
		w.signals.seen(protocol, j.Scores)
		for name, score := range j.Scores {
			w.Sample.Scores["vision."+name] = score
		}
	}
	return errors.Join(failed...)
}

// subject is what a model is told and shown of this output.
func (w *work) subject(images model.ImageBudget) vlm.Subject {
	return vlm.Subject{
		Evidence: w.Evidence, Instruction: w.output.Instruction, Topic: w.settings.Tasks[w.output.TaskID].Topic,
		Files: w.Artifact.Files, Frames: w.frames(images),
	}
}

// members are the judges of one protocol.
func (v *Vision) members(protocol string) (all []vlm.Settings) {
	for _, name := range v.Models {
		s := v.Settings
		s.Protocol, s.Model = protocol, name
		all = append(all, vlm.Repeats(s, max(1, v.Repeats))...)
	}
	return all
}

func (v *Vision) judge(ctx context.Context, protocol string, s vlm.Subject) (vitrine.Judgement, error) {
	members := v.members(protocol)
	if len(members) == 1 {
		return (&vlm.Judge{Asker: v.Asker, Settings: members[0]}).Judge(ctx, s)
	}
	return (&vlm.Panel{Asker: v.Asker, Members: members}).Judge(ctx, s)
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

// frames gives the pictures of a frame as a model takes them.
func (w *work) frames(budget model.ImageBudget) func(vitrine.Frame) ([]model.Image, error) {
	return func(f vitrine.Frame) ([]model.Image, error) {
		raw, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(f.File)))
		if err != nil {
			return nil, err
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.File, err)
		}
		return model.Fit(img, budget)
	}
}
