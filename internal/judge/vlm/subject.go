package vlm

import (
	"cmp"
	"fmt"

	"vitrine"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/model"
)

// A Subject is what is judged: a site, or for the filters only an instruction.
type Subject struct {
	Evidence    *vitrine.Evidence // nil for protocols that read words alone
	Instruction string            // empty: the one in the evidence
	Topic       string            // of the task, in a word or two; may be empty
	Files       []vitrine.File    // the code, for protocols that read it
	// Frames gives the pictures of a frame, resized and tiled as the model wants
	// them. Protocols that look at nothing do not call it.
	Frames    frameSource
	Tree      *rubric.Tree       // for rubric
	Checklist []Item             // for checklist
	Cases     []vitrine.TestCase // for feasibility and trajectory
	// Trajectory is what was done on the site and what came of it, for trajectory.
	Trajectory string
	Truth      []model.Image // the true picture, for plot
}

// instruction is what the site was to be.
func (s *Subject) instruction() string {
	if s.Instruction == "" && s.Evidence != nil {
		return s.Evidence.Instruction
	}
	return s.Instruction
}

// invalid says why there is no render to look at, or is empty.
func (s *Subject) invalid() string {
	if s.Evidence == nil || s.Evidence.Validity.Valid {
		return ""
	}
	v := s.Evidence.Validity
	return cmp.Or(v.Why, string(v.Reason), "nothing was captured")
}

// A picture is one frame with where it was taken.
type picture struct {
	view  *vitrine.View
	frame vitrine.Frame
}

func (p picture) String() string {
	return fmt.Sprintf("route %s, %d×%d window, %d ms after loading", p.view.Route, p.view.Viewport.Width, p.view.Viewport.Height, p.frame.TimeMS)
}

// maxRoutes bounds the pictures of one call.
const maxRoutes = 8

// routePictures are the first frames of the routes at the first viewport, "/" first.
func routePictures(ev *vitrine.Evidence) []picture {
	var found []picture
	for i := range ev.Views {
		v := &ev.Views[i]
		if v.Validity.Valid && v.Viewport == ev.Views[0].Viewport && len(v.Frames) > 0 && len(found) < maxRoutes {
			found = append(found, picture{v, v.Frames[0]})
		}
	}
	return found
}

// firstPicture is the first frame of "/".
func firstPicture(ev *vitrine.Evidence) []picture {
	return routePictures(ev)[:min(1, len(routePictures(ev)))]
}

// moments is T of ReLook §2.5.
const moments = 3

// temporalPictures are the first three frames of "/".
func temporalPictures(ev *vitrine.Evidence) []picture {
	var found []picture
	if len(ev.Views) > 0 {
		v := &ev.Views[0]
		for _, f := range v.Frames[:min(moments, len(v.Frames))] {
			found = append(found, picture{v, f})
		}
	}
	return found
}

// frameSource gives the pictures of a frame.
type frameSource = func(vitrine.Frame) ([]model.Image, error)
