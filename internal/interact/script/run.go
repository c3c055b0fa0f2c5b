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
// does not load, crashes or hangs fails: the case ends with [vitrine.EndPage]. Errors
// are ours. Then, if it is not nil, is called with the session as the script left it.
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
		miss(&c, s, "the page went away before")
		c.Verdict, c.Score, c.End, c.Why = vitrine.VerdictFail, new(0.0), vitrine.EndPage, validity.Why
	}
	c.WallMS = float64(time.Since(began).Microseconds()) / 1000
	return c, err
}

// newCase is a case of which nothing has been tried.
func newCase(s Script) vitrine.Case {
	return vitrine.Case{
		ID: s.ID, Route: s.Route, Task: s.Task, Expected: s.Expected, Category: s.Category, Steps: []vitrine.Step{},
		Script: string(Write(s)), Cost: vitrine.Free(),
	}
}

// miss adds the checks that were not come to, as not held.
func miss(c *vitrine.Case, s Script, why string) {
	done := len(c.Checks)
	for _, step := range s.Steps {
		if step.Expect == nil {
			continue
		}
		if done--; done < 0 {
			c.Checks = append(c.Checks, vitrine.Check{Step: len(c.Steps) - 1, Expect: step.says(), Weight: step.counts(), Saw: why})
		}
	}
}

// A run is a script under way on a session.
type run struct {
	session *interact.Session
	result  *vitrine.Case
	scene   *interact.Scene // nil after an action: the page has to be looked at again
}

// carryOut carries out a script on a session that stands at its route, in a fresh state. A
// step that cannot be carried out ends it: the verdict is fail, the end
// [vitrine.EndBadScript], and Why names the step. Whether the script is to blame or the
// site, which lacks what it was to have, is for the caller to say. An error is ours, or
// the page's doing for [interact.Driver.Run] to tell; the case with it holds what
// was done so far.
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
			miss(&c, s, fmt.Sprintf("not come to: step %d could not be carried out", i+1))
			c.Verdict, c.Score, c.End = vitrine.VerdictFail, new(0.0), vitrine.EndBadScript
			c.Why = fmt.Sprintf("step %d could not be carried out: %s: %s", i+1, step, failed)
			return c, nil
		}
	}
	c.Verdict, c.Score = Verdict(c.Checks)
	c.End, c.Why = vitrine.EndFinished, why(c.Checks)
	return c, nil
}

// step does or checks one thing. Failed says why it could not be done.
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

// check holds one expectation against the page.
func (r *run) check(ctx context.Context, step Step) error {
	check := vitrine.Check{Step: len(r.result.Steps) - 1, Expect: step.says(), Weight: step.counts()}
	var saws []string
	for _, c := range step.Expect {
		seen, err := r.see(ctx, c)
		if err != nil {
			return err
		}
		held, saw := c.holds(seen)
		if saws = append(saws, saw); held {
			check.Held, saws = true, []string{saw}
			break
		}
	}
	check.Saw = strings.Join(saws, "; ")
	r.result.Checks = append(r.result.Checks, check)
	return nil
}

// see gathers what a condition is about.
func (r *run) see(ctx context.Context, c Condition) (seen, error) {
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

// touched is the box around the last two elements that were operated, as they stand.
// What is drawn on is left out: it shows by its own pixels what it does.
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

// hull is the box around two; an empty one is none.
func hull(a, b vitrine.Box) vitrine.Box {
	if a.W == 0 || a.H == 0 {
		return b
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return vitrine.Box{X: x, Y: y, W: max(a.X+a.W, b.X+b.W) - x, H: max(a.Y+a.H, b.Y+b.H) - y}
}

// asElement is an element as conditions know it. What holds no value shows its text.
func asElement(e interact.Element) element {
	value := e.Value
	if value == "" && e.Tag != "input" && e.Tag != "select" && e.Tag != "textarea" {
		value = e.Text
	}
	return element{visible: e.Visible, enabled: e.Enabled, checked: e.Checked, focused: e.Focused, value: value, attributes: e.Attrs, style: e.Styles}
}

// says is what an expectation expects, as a line of a report.
func (s Step) says() string {
	all := make([]string, len(s.Expect))
	for i, c := range s.Expect {
		all[i] = c.String()
	}
	return strings.Join(all, " or ")
}

// counts is the weight of an expectation in the verdict.
func (s Step) counts() float64 {
	if s.Optional {
		return 0
	}
	return s.Weight
}

// why says in a sentence what the checks found.
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
