package verify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/model/dialog"
)

// A Verifier holds sites against test cases with one model. It is safe for
// concurrent use.
type Verifier struct {
	Asker    dialog.Asker
	Settings Settings
	// Explorer finds the controls that the model is given.
	Explorer explore.Explorer
}

// Settings is what a verdict is a function of, with the site and the test case.
type Settings struct {
	Model string // provider/model, or an alias
	// CodeTokens bounds the code that is shown, at four bytes a token; default 8000.
	CodeTokens int
	// MaxTokens bounds an answer, reasoning included; default 4096.
	MaxTokens int
	// Temperature is left to the endpoint where it is nil.
	Temperature *float64
}

// Context is what is known of a site before it is opened. All of it may be missing.
type Context struct {
	Instruction string         // what the model was asked to build
	Code        []vitrine.File // what it wrote
	Explored    *vitrine.Trace // what explore found
}

// Verify has the model write a script for a test case, runs it from a fresh state and
// gives the verdict of its checks. A script that cannot be carried out, that checks an
// element that is not there or that no selector says, or that passes though no step of it changed anything, is
// mended once. Without a usable answer the case is
// unclear, without a score, and its Error says why. An error is ours. The case holds
// the script, every call and their cost.
func (v *Verifier) Verify(ctx context.Context, d *interact.Driver, tc vitrine.TestCase, about Context) (vitrine.Case, error) {
	began := time.Now()
	c, err := v.verify(ctx, d, tc, about)
	c.WallMS = float64(time.Since(began).Microseconds()) / 1000
	c.Cost = dialog.Cost(c.Calls)
	return c, err
}

func (v *Verifier) verify(ctx context.Context, d *interact.Driver, tc vitrine.TestCase, about Context) (vitrine.Case, error) {
	empty := vitrine.Case{Route: "/", Task: tc.Task, Expected: tc.ExpectedResult, Category: tc.Category, Steps: []vitrine.Step{}}
	var scene *interact.Scene
	validity, err := d.Run(ctx, empty.Route, func(ctx context.Context, s *interact.Session) (err error) {
		scene, err = s.Look(ctx)
		return err
	})
	if err != nil {
		return empty, err
	}
	if !validity.Valid {
		empty.Verdict, empty.Score, empty.End, empty.Why = vitrine.VerdictFail, new(0.0), vitrine.EndPage, validity.Why
		return empty, nil
	}
	t, err := v.newTalk(tc, about, scene)
	if err != nil {
		return empty, err
	}
	s, err := t.plan(ctx)
	if err != nil {
		return t.unanswered(empty, err)
	}
	return t.try(ctx, d, s)
}

// try runs a script, has it mended if it decides nothing, and runs it again.
func (t *talk) try(ctx context.Context, d *interact.Driver, s script.Script) (vitrine.Case, error) {
	var scene *interact.Scene
	c, err := script.Run(ctx, d, s, func(ctx context.Context, session *interact.Session, c vitrine.Case) (err error) {
		if lost(c) || idle(c) {
			scene, err = session.Look(ctx)
		}
		return err
	})
	if err == nil && c.End != vitrine.EndPage && (lost(c) || idle(c)) {
		mended, problem := t.repair(ctx, s, wentWrong(c, scene))
		if problem != nil {
			return t.unanswered(c, problem)
		}
		if string(script.Write(mended)) != c.Script {
			c, err = script.Run(ctx, d, mended, nil)
			c.Repaired = true
		}
	}
	if idle(c) {
		c.Why += "; " + idleWhy
	}
	c.Calls = t.calls
	return c, err
}

// lost reports whether a script names what it did not find.
func lost(c vitrine.Case) bool {
	return c.End == vitrine.EndBadScript || slices.ContainsFunc(c.Checks, func(k vitrine.Check) bool {
		return !k.Held && (strings.Contains(k.Saw, script.NoElement) || strings.Contains(k.Saw, interact.ErrSelector.Error()))
	})
}

const idleWhy = "none of the steps changed anything"

// idle reports whether a script passes whose steps had no effect.
func idle(c vitrine.Case) bool {
	return c.Verdict == vitrine.VerdictPass && len(c.Steps) > 0 && !slices.ContainsFunc(c.Steps, func(s vitrine.Step) bool { return !interact.Empty(s.Effect) })
}

// unanswered is a case without a verdict, since the model gave no usable answer. What
// is no fault is a bug, and so is what ends ctx.
func (t *talk) unanswered(c vitrine.Case, err error) (vitrine.Case, error) {
	c.Calls = t.calls
	var fault *vitrine.Fault
	if !errors.As(err, &fault) || fault.Code == vitrine.FaultInterrupted {
		return c, err
	}
	c.Verdict, c.Score, c.Error, c.End = vitrine.VerdictUnclear, nil, fault, vitrine.EndModel
	var unusable *dialog.Unusable
	if errors.As(err, &unusable) && unusable.Cause == dialog.CauseInvalid {
		c.End = vitrine.EndBadAnswer
	}
	c.Why = fault.Error()
	return c, nil
}

// By is verify.
func (v *Verifier) By() vitrine.TraceBy { return vitrine.ByVerify }

// Cases are the test cases of the task: without any there is nothing to verify.
func (v *Verifier) Cases(given []vitrine.TestCase) ([]vitrine.TestCase, bool) {
	return given, len(given) > 0
}

// Exercise verifies each test case of the subject. The planner of scripts is given what
// the explorer found.
func (v *Verifier) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	explored, err := v.Explorer.Exercise(ctx, d, s)
	if err != nil {
		return nil, err
	}
	known := Context{Instruction: s.Instruction, Code: s.Files, Explored: explored}
	t := s.NewTrace(vitrine.ByVerify, d)
	t.Model = v.Settings.Model
	return t, s.Test(t, func(tc vitrine.TestCase) (vitrine.Case, error) { return v.Verify(ctx, d, tc, known) })
}
