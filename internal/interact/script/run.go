package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/page"
)

// Run runs a script on a page of its own, from a fresh state of the site. A page that
// does not load, crashes or hangs fails: the case ends with [vitrine.EndPage]. An error is
// never the page's doing. Then, if it is not nil, is called with the session in the state
// in which the script left it.
func Run(ctx context.Context, d *interact.Driver, s Script, then func(context.Context, *interact.Session, vitrine.Case) error) (vitrine.Case, error) {
	began := time.Now()
	c := newCase(s)
	validity, err := d.Run(ctx, s.Route, func(ctx context.Context, session *interact.Session) (err error) {
		if c, err = carryOut(ctx, session, s); err != nil || then == nil {
			return err
		}
		return then(ctx, session, c)
	})
	if err == nil && !validity.Valid {
		failRest(&c, s, "not reached: the page was lost")
		c.Verdict, c.Score, c.End, c.Why = vitrine.VerdictFail, new(0.0), vitrine.EndPage, validity.Why
	}
	c.WallMS = float64(time.Since(began).Microseconds()) / 1000
	return c, err
}

// newCase is the case of a script that has not been run yet.
func newCase(s Script) vitrine.Case {
	return vitrine.Case{
		ID: s.ID, Route: s.Route, Task: s.Task, Expected: s.Expected, Category: s.Category, Steps: []vitrine.Step{},
		Script: string(Write(s)), Cost: vitrine.Free(),
	}
}

// failRest adds the checks that were not reached, as failed.
func failRest(c *vitrine.Case, s Script, why string) {
	done := len(c.Checks)
	for _, step := range s.Steps {
		if step.Expect == nil {
			continue
		}
		if done--; done < 0 {
			c.Checks = append(c.Checks, vitrine.Check{Step: len(c.Steps) - 1, Expect: step.expectation(), Weight: step.weight(), Saw: why})
		}
	}
}

// A run is the state of a script that runs on a session.
type run struct {
	session *interact.Session
	result  *vitrine.Case
	scene   *interact.Scene // nil after an action: the page has to be observed again
}

// carryOut carries out a script on a session that was reset to the script's route. A step
// that cannot be carried out ends it: the verdict is fail, the end [vitrine.EndBadScript],
// and Why names the step. The caller decides whether the script is at fault, or the site,
// which lacks a control that it should have. [interact.Driver.Run] decides whether the page
// caused an error; the case that is returned with it holds the steps done before.
func carryOut(ctx context.Context, session *interact.Session, s Script) (vitrine.Case, error) {
	c := newCase(s)
	r := run{session: session, result: &c}
	if !session.Records() && !s.looksAtPictures() {
		session.Sparing = true
		defer func() { session.Sparing = false }()
	}
	for i, step := range s.Steps {
		failed, err := r.step(ctx, step)
		if err != nil {
			return c, fmt.Errorf("step %d: %w", i+1, err)
		}
		if failed != "" {
			failRest(&c, s, fmt.Sprintf("not reached: step %d could not be carried out", i+1))
			c.Verdict, c.Score, c.End = vitrine.VerdictFail, new(0.0), vitrine.EndBadScript
			c.Why = fmt.Sprintf("step %d could not be carried out: %s: %s", i+1, step, failed)
			return c, nil
		}
	}
	c.Verdict, c.Score = Verdict(c.Checks)
	c.End, c.Why = vitrine.EndFinished, why(c.Checks)
	return c, nil
}

// step carries out an action or checks an expectation. Failed says why the action could not
// be carried out.
func (r *run) step(ctx context.Context, step Step) (failed string, err error) {
	if step.Do == nil {
		return "", r.check(ctx, step)
	}
	done, err := r.session.Do(ctx, *step.Do)
	if err != nil {
		return "", err
	}
	r.scene = nil
	r.result.Steps = append(r.result.Steps, done)
	return done.Failed, nil
}

// check checks one expectation on the page.
func (r *run) check(ctx context.Context, step Step) error {
	check := vitrine.Check{Step: len(r.result.Steps) - 1, Expect: step.expectation(), Weight: step.weight()}
	var observations []string
	for _, c := range step.Expect {
		seen, err := r.observe(ctx, c)
		if err != nil {
			return err
		}
		held, saw := c.holds(seen)
		if observations = append(observations, saw); held {
			check.Held, observations = true, []string{saw}
			break
		}
	}
	check.Saw = strings.Join(observations, "; ")
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// observe gathers the state of the page that a condition is about.
func (r *run) observe(ctx context.Context, c Condition) (seen, error) {
	if r.scene == nil {
		scene, err := r.session.Look(ctx)
		if err != nil {
			return seen{}, err
		}
		r.scene = scene
	}
	s := seen{
		text: r.scene.Text, url: strings.TrimPrefix(r.scene.URL, page.Origin), storage: r.scene.Storage, dialogs: r.scene.Dialogs, errors: r.scene.Errors,
	}
	if n := len(r.result.Steps); n > 0 {
		s.last = &r.result.Steps[n-1].Effect
	}
	var err error
	switch {
	case c.Of != nil:
		s.elements, err = r.query(ctx, c, *c.Of)
	case c.Kind == KindText || c.Kind == KindNoText:
		s.elements, err = r.query(ctx, c, vitrine.Target{Text: c.Text})
	case c.Kind == KindChanged:
		s.touched, err = r.touched(ctx)
	}
	if errors.Is(err, interact.ErrSelector) {
		s.bad, err = err.Error(), nil
	}
	return s, err
}

func (r *run) query(ctx context.Context, c Condition, t vitrine.Target) (all []element, err error) {
	var wants interact.Wants
	switch c.Kind {
	case KindAttribute:
		wants.Attrs = []string{c.Key}
	case KindStyle:
		wants.Styles = []string{c.Key}
	}
	found, err := r.session.Query(ctx, t, wants)
	for _, e := range found {
		all = append(all, asElement(e))
	}
	return all, err
}

// touched is the box around the current places of the last two elements that were operated.
// Pictures and canvases are left out, since their own pixels show the effect.
func (r *run) touched(ctx context.Context) (around vitrine.Box, err error) {
	operated := 0
	for i := len(r.result.Steps) - 1; i >= 0 && operated < 2; i-- {
		c := r.result.Steps[i].Control
		if c == nil || slices.Contains([]string{"canvas", "svg", "video", "img"}, c.Tag) {
			continue
		}
		found, err := r.session.Query(ctx, vitrine.Target{CSS: c.Path})
		if err != nil {
			return around, err
		}
		for _, e := range found {
			around = hull(around, e.Box)
		}
		operated++
	}
	return around, nil
}

// hull is the smallest box around two boxes; an empty one is ignored.
func hull(a, b vitrine.Box) vitrine.Box {
	if a.W == 0 || a.H == 0 {
		return b
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return vitrine.Box{X: x, Y: y, W: max(a.X+a.W, b.X+b.W) - x, H: max(a.Y+a.H, b.Y+b.H) - y}
}

// asElement is an element as conditions see it. The value of an element that is no form
// field is its text.
func asElement(e interact.Element) element {
	value := e.Value
	if value == "" && e.Tag != "input" && e.Tag != "select" && e.Tag != "textarea" {
		value = e.Text
	}
	return element{visible: e.Visible, enabled: e.Enabled, checked: e.Checked, focused: e.Focused, value: value, attributes: e.Attrs, style: e.Styles}
}

// expectation is what a step expects, as a line of a report.
func (s Step) expectation() string {
	all := make([]string, len(s.Expect))
	for i, c := range s.Expect {
		all[i] = c.String()
	}
	return strings.Join(all, " or ")
}

// weight is the weight of an expectation in the verdict.
func (s Step) weight() float64 {
	if s.Optional {
		return 0
	}
	return s.Weight
}

// why sums up the checks in a sentence.
func why(checks []vitrine.Check) string {
	held, all, missed := 0, 0, ""
	for _, c := range checks {
		if c.Weight == 0 {
			continue
		}
		all++
		if c.Held {
			held++
		} else if missed == "" {
			missed = fmt.Sprintf("; the first that did not is %s; saw %s", c.Expect, c.Saw)
		}
	}
	return fmt.Sprintf("%d of %d checks held%s", held, all, missed)
}
