package vlm

import (
	"context"

	"vitrine"
	"vitrine/internal/model/dialog"
)

// Judges are the models that are asked. Several of them, or one that is asked several
// times, are a panel.
type Judges struct {
	Asker  dialog.Asker
	Models []string // provider/model, or aliases
	// Repeats is how often each is asked; 0 means once.
	Repeats int
	// Settings of every question; protocol and model are filled in.
	Settings Settings
	// First is asked before the models, which are then asked only where it is unsure;
	// nil asks no other model first.
	First *First
}

// First is the cheap judge of a cascade.
type First struct {
	Model   string
	Repeats int
	Unsure  Unsure
}

// panel has all models that answer by one protocol.
func (j *Judges) panel(protocol string) Panel {
	p := Panel{Asker: j.Asker}
	for _, name := range j.Models {
		p.Members = append(p.Members, j.repeats(protocol, name, j.Repeats)...)
	}
	return p
}

func (j *Judges) repeats(protocol, name string, n int) []Settings {
	s := j.Settings
	s.Protocol, s.Model = protocol, name
	return Repeats(s, max(1, n))
}

// cascade asks the cheap judge first.
func (j *Judges) cascade(protocol string) *Cascade {
	return &Cascade{
		Cheap:  Panel{Asker: j.Asker, Members: j.repeats(protocol, j.First.Model, j.First.Repeats)},
		Strong: j.panel(protocol), Unsure: j.First.Unsure,
	}
}

// Judge asks the models about one site, by a protocol.
func (j *Judges) Judge(ctx context.Context, protocol string, s Subject) (vitrine.Judgement, error) {
	panel := j.panel(protocol)
	switch {
	case j.First != nil:
		return j.cascade(protocol).Judge(ctx, s)
	case len(panel.Members) == 1:
		return (&Judge{Asker: j.Asker, Settings: panel.Members[0]}).Judge(ctx, s)
	}
	return panel.Judge(ctx, s)
}

// Compare asks the models which of two sites is better, by a protocol about pairs.
func (j *Judges) Compare(ctx context.Context, protocol string, a, b Subject) (vitrine.Comparison, error) {
	panel := j.panel(protocol)
	switch {
	case j.First != nil:
		return j.cascade(protocol).Compare(ctx, a, b)
	case len(panel.Members) == 1:
		return (&Judge{Asker: j.Asker, Settings: panel.Members[0]}).Compare(ctx, a, b)
	}
	return panel.Compare(ctx, a, b)
}
