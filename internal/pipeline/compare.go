package pipeline

import (
	"context"
	"errors"
	"os"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/vlm"
)

// measuredTie is by how many of 100 points the measured judge has to like one site
// better. Less is within what a check more or less comes to.
const measuredTie = 1

// Compare says which of two evidence folders shows the better site, by one protocol
// about pairs. Without a model, vision is nil and the measured judge compares its
// totals, or with the protocol [Workflow] the traces are compared. The instruction and the
// rubric are those of the first.
func Compare(ctx context.Context, dirA, dirB, protocol string, vision *Vision) (vitrine.Comparison, error) {
	switch {
	case protocol == Workflow && vision != nil:
		return vitrine.Comparison{}, vitrine.NewFault("judge", vitrine.FaultUsage, nil, "workflow compares saved traces and asks no model").WithFix("leave out -m")
	case protocol == Workflow:
		return compareWorkflow(dirA, dirB)
	}
	a, errA := pairOf(dirA)
	b, errB := pairOf(dirB)
	if err := errors.Join(errA, errB); err != nil {
		return vitrine.Comparison{}, err
	}
	if vision == nil {
		return compareMeasured(a.Evidence, b.Evidence), nil
	}
	one, errA := a.subject(vision)
	other, errB := b.subject(vision)
	if err := errors.Join(errA, errB); err != nil {
		return vitrine.Comparison{}, err
	}
	return vision.compare(ctx, protocol, one, other)
}

// pairOf is one side of a pair: an evidence folder with what was parsed.
func pairOf(dir string) (*work, error) {
	ev, err := evidence.Load(dir)
	if err != nil {
		return nil, err
	}
	w := &work{Scored: Scored{Evidence: ev, Artifact: &vitrine.Artifact{}}, Pipeline: judging(Settings{}), dir: dir}
	w.output.Instruction = ev.Instruction
	if a, err := evidence.LoadArtifact(dir); err == nil {
		w.Artifact = a
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return w, nil
}

func compareMeasured(a, b *vitrine.Evidence) vitrine.Comparison {
	x, y := measured.Judge(a), measured.Judge(b)
	c := vitrine.Comparison{
		Judge: x.Judge, Protocol: "measured", Position: string(vlm.PositionGiven), A: x.Scores, B: y.Scores, Cost: vitrine.Free(),
	}
	totalA, okA := x.Scores["total"]
	totalB, okB := y.Scores["total"]
	switch {
	case !okA || !okB:
	case totalA > totalB+measuredTie:
		c.Verdict = vitrine.VerdictA
	case totalB > totalA+measuredTie:
		c.Verdict = vitrine.VerdictB
	default:
		c.Verdict = vitrine.VerdictTie
	}
	return c
}
