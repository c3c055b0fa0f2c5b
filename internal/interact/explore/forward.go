package explore

import (
	"context"
	"regexp"
	"slices"

	"vitrine"
	"vitrine/internal/interact"
)

// nextStep are names of controls that lead to the next step of something.
var nextStep = regexp.MustCompile(`(?i)^\W*(next|continue|proceed|forward|weiter|suivant)\b`)

const maxSteps = 5 // of something that has steps

// forward goes through something that has steps, such as a wizard, filling in each, and
// enters what it finds into the queue.
func (e *explorer) forward(ctx context.Context, s *interact.Session, c *candidate) error {
	if err := s.Reset(ctx, c.route); err != nil {
		return err
	}
	way := c.path
	if _, err := e.follow(ctx, s, way); err != nil {
		return err
	}
	for range maxSteps {
		filled, err := fill(ctx, s, "")
		if err != nil {
			return err
		}
		next := append(filled, vitrine.Action{Kind: vitrine.ActClick, Target: on(c)})
		steps, err := e.follow(ctx, s, next)
		if err != nil {
			return err
		}
		way = slices.Concat(way, next)
		if last := steps[len(steps)-1]; last.Failed != "" || interact.Empty(last.Effect) {
			return nil
		}
		scene, err := s.Look(ctx)
		if err != nil {
			return err
		}
		e.found(scene, c.route, way, c.from, min(c.depth+1, e.settings.MaxDepth))
	}
	return nil
}
