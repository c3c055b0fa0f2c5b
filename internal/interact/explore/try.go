package explore

import (
	"context"

	"vitrine"
	"vitrine/internal/interact"
)

// try operates a candidate by its plans until one shows something.
func (e *explorer) try(ctx context.Context, s *interact.Session, c *candidate) error {
	if why := refusal(c); why != "" {
		e.record(c, []vitrine.Step{}, vitrine.VerdictUnclear, why, vitrine.EndFinished)
		return nil
	}
	why, end := "", vitrine.EndFinished
	var shown []vitrine.Step
	var o outcome
	for i, p := range plans(c) {
		var err error
		if i > 0 && o.still() { // the state is as fresh as it was
			before := o.steps
			o, err = e.operate(ctx, s, c, p)
			o.steps = append(before, o.steps...)
		} else {
			o, err = e.attempt(ctx, s, c, c.path, p)
		}
		if err != nil {
			return err
		}
		c.filled = c.filled || o.filled
		if o.works {
			return e.proven(ctx, s, c, o)
		}
		if o.outside {
			e.record(c, o.steps, vitrine.VerdictUnclear, otherHost, end)
			return nil
		}
		for _, step := range o.steps {
			c.missing = c.missing || step.Effect.Missing
		}
		if i == 0 {
			why, shown = o.why, o.steps
		}
		if o.failed { // it cannot be operated in any other way either
			break
		}
	}
	if c.inconclusive {
		e.record(c, shown, vitrine.VerdictUnclear, "it shows nothing here: "+why, end)
		return nil
	}
	e.record(c, shown, vitrine.VerdictDead, why, end)
	return nil
}

// outcome is what came of one plan.
type outcome struct {
	steps   []vitrine.Step
	works   bool
	outside bool // all it did was to ask for another host
	failed  bool // it could not be carried out
	filled  bool // fields were filled in for it
	why     string
}

// still reports that nothing at all came of the last step, on a page where nothing moves
// by itself.
func (o outcome) still() bool {
	if o.filled || len(o.steps) == 0 {
		return false
	}
	last := o.steps[len(o.steps)-1]
	return last.Failed == "" && interact.Empty(last.Effect) && last.PageMS < maxSettleMS
}

// attempt goes to the state of a candidate and carries out a plan.
func (e *explorer) attempt(ctx context.Context, s *interact.Session, c *candidate, way []vitrine.Action, p plan) (outcome, error) {
	if err := s.Reset(ctx, c.route); err != nil {
		return outcome{}, err
	}
	steps, err := e.follow(ctx, s, way)
	if err != nil {
		return outcome{}, err
	}
	o, err := e.operate(ctx, s, c, p)
	o.steps = append(steps, o.steps...)
	return o, err
}

// follow carries out actions that are known to work, without pictures of each.
func (e *explorer) follow(ctx context.Context, s *interact.Session, way []vitrine.Action) (steps []vitrine.Step, err error) {
	exact, sparing := s.Exact, s.Sparing
	s.Exact, s.Sparing = false, true
	defer func() { s.Exact, s.Sparing = exact, sparing }()
	for _, a := range way {
		step, err := s.Do(ctx, a)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// operate carries out a plan from where the session stands.
func (e *explorer) operate(ctx context.Context, s *interact.Session, c *candidate, p plan) (o outcome, err error) {
	if p.fills {
		filled, err := fill(ctx, s, c.facts.Form)
		if err != nil {
			return o, err
		}
		if len(filled) == 0 {
			o.why = "nothing changes"
			return o, nil
		}
		o.filled = true
		if o.steps, err = e.follow(ctx, s, filled); err != nil {
			return o, err
		}
	}
	for _, a := range p.actions {
		step, err := s.Do(ctx, a)
		o.steps = append(o.steps, step)
		if err != nil {
			return o, err
		}
		if step.Failed != "" {
			o.why, o.failed = step.Failed, !o.works
			break
		}
		if outside(step.Effect) {
			o.outside = true
		}
		works, why := proves(step, c.route)
		if works && !o.works {
			o.works, o.why = true, why
		} else if o.why == "" {
			o.why = why
		}
		if step.Effect.Loaded {
			break
		}
	}
	o.outside = o.outside && !o.works
	return o, nil
}

// proven records a control that works and enters what it opened into the queue.
func (e *explorer) proven(ctx context.Context, s *interact.Session, c *candidate, o outcome) error {
	before := c.at
	e.record(c, o.steps, vitrine.VerdictWorks, o.why, vitrine.EndFinished)
	c.proof = nil
	for _, step := range o.steps {
		c.proof = append(c.proof, step.Action)
		c.leaves = c.leaves || step.Effect.Loaded
	}
	if before >= 0 && e.spent() {
		return nil
	}
	scene, err := s.Look(ctx)
	if err != nil {
		return err
	}
	last := o.steps[len(o.steps)-1]
	id := e.state(scene, last.After, c.from, e.trace.Cases[c.at].ID)
	if c.depth >= e.settings.MaxDepth {
		return nil
	}
	if c.leaves && last.Effect.Loaded {
		route := interact.Route(e.driver.Site, scene.URL)
		e.found(scene, route, nil, id, c.depth+1)
		return nil
	}
	c.opens = e.found(scene, c.route, c.proof, id, c.depth+1) > 0
	return nil
}
