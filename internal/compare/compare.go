// Package compare says which of two evidence folders shows the better site: by a model, by
// the measured judge, or by what an agent came to on both.
package compare

import (
	"context"
	"errors"
	"os"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/pipeline"
)

// measuredTie is by how many of 100 points the measured judge has to like one site
// better. Less is within what a check more or less comes to.
const measuredTie = 1

// Folders says which of two evidence folders shows the better site, by one protocol
// about pairs. Without a model, vision is nil and the measured judge compares its
// totals, or with the protocol [Workflow] the traces are compared. The instruction and the
// rubric are those of the first.
func Folders(ctx context.Context, dirA, dirB, protocol string, vision *pipeline.Vision) (vitrine.Comparison, error) {
	switch {
	case protocol == Workflow && vision != nil:
		return vitrine.Comparison{}, vitrine.NewFault("judge", vitrine.FaultUsage, nil, "workflow compares saved traces and asks no model").WithFix("leave out -m")
	case protocol == Workflow:
		return compareWorkflow(dirA, dirB)
	}
	one, errA := load(dirA)
	other, errB := load(dirB)
	if err := errors.Join(errA, errB); err != nil {
		return vitrine.Comparison{}, err
	}
	if vision == nil {
		return compareMeasured(one.evidence, other.evidence), nil
	}
	return vision.Compare(ctx, protocol, one.subject(vision), other.subject(vision))
}

// side is one side of a pair: an evidence folder with what was parsed.
type side struct {
	dir      string
	evidence *vitrine.Evidence
	files    []vitrine.File
}

func load(dir string) (side, error) {
	s := side{dir: dir}
	var err error
	if s.evidence, err = evidence.Load(dir); err != nil {
		return s, err
	}
	a, err := evidence.LoadArtifact(dir)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		s.files = a.Files
	}
	return s, err
}

func (s side) subject(v *pipeline.Vision) vlm.Subject {
	return vlm.Subject{Evidence: s.evidence, Instruction: s.evidence.Instruction, Files: s.files, Frames: pipeline.Frames(s.dir, v.Images), Tree: v.Tree}
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
