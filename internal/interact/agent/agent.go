package agent

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/model/dialog"
)

// An Agent exercises sites with one model. It is safe for concurrent use.
type Agent struct {
	Asker    dialog.Asker
	Settings Settings
	// Leaves of a rubric are carried out in place of interactions of the model's own
	// choice (WebDevJudge B.3).
	Leaves []Leaf
}

// Settings is what a run is a function of, with the site and what is asked of it.
type Settings struct {
	Model string // provider/model, or an alias
	// N is how many planned interactions count in [Agent.Aesthetics]; default 3, as
	// in AesCoder's training.
	N int
	// Steps is how many turns with an action a run may have. By default 4 for each
	// of N interactions, 15 for a test case, and for leaves of a rubric 8 (static,
	// dynamic) or 15 (complex, intention).
	Steps int
	// Frames is how many of the last pictures stay in the conversation; default 3.
	Frames int
	// Idle is after how many actions in a row that change nothing a run ends; default 4.
	// In the published profile of [Agent.Workflow] neither this nor Again ends one.
	Idle int
	// Again is how often one action may be done in one state before a run ends that
	// goes in circles; default 3.
	Again int
	// Deadline bounds a run by wall time, the model's included; default 5 minutes, at
	// most 9, since a session is ended after 12.
	Deadline time.Duration
	// Coordinates is how the model points in [Agent.Workflow]; default thousandths.
	Coordinates Coordinates
	// MaxTokens bounds an answer, reasoning included; default 4096.
	MaxTokens int
	// Temperature is left to the endpoint where it is nil; in the published profile
	// [Agent.Workflow] then has that of WebDevJudge.
	Temperature *float64
	// Repeat tells equal runs apart that are each to be answered by the model, from 0.
	Repeat int
}

const (
	defaultN        = 3
	stepsEach       = 4
	stepsTest       = 15 // WebGen-Bench: at most 15 interactions
	stepsStatic     = 8  // WebDevJudge Table 10, as are the next
	stepsBasic      = 8
	stepsComplex    = 15
	stepsIntention  = 15
	defaultFrames   = 3
	defaultIdle     = 4
	defaultAgain    = 3
	defaultDeadline = 5 * time.Minute
	maxDeadline     = 9 * time.Minute
)

// filled has the defaults in the place of what was left open. The error is a fault
// of code usage.
func (s Settings) filled() (Settings, error) {
	switch {
	case s.Model == "":
		return s, usage("no model is named", "Name one as provider/model.")
	case min(s.N, s.Steps, s.Frames, s.Idle, s.Again, s.MaxTokens, s.Repeat, int(s.Deadline)) < 0:
		return s, usage("a number is below 0", "Leave it out for the default.")
	case s.Deadline > maxDeadline:
		return s, usage(fmt.Sprintf("a deadline of %s", s.Deadline), "Say 9 minutes or less.")
	case s.Coordinates != "" && s.Coordinates != Thousandths && s.Coordinates != Pixels:
		return s, usage(fmt.Sprintf("coordinates %q", s.Coordinates), "Say thousandths or pixels.")
	}
	s.N = cmp.Or(s.N, defaultN)
	s.Frames = cmp.Or(s.Frames, defaultFrames)
	s.Idle = cmp.Or(s.Idle, defaultIdle)
	s.Again = cmp.Or(s.Again, defaultAgain)
	s.Deadline = cmp.Or(s.Deadline, defaultDeadline)
	s.Coordinates = cmp.Or(s.Coordinates, Thousandths)
	return s, nil
}

func usage(message, fix string) error {
	return vitrine.NewFault("interact", vitrine.FaultUsage, nil, message).WithFix(fix)
}

// By is agent.
func (a *Agent) By() vitrine.TraceBy { return vitrine.ByAgent }

// Cases are the test cases of the task, or else the leaves.
func (a *Agent) Cases(given []vitrine.TestCase) ([]vitrine.TestCase, bool) {
	if len(given) == 0 {
		for _, l := range a.Leaves {
			given = append(given, vitrine.TestCase{Task: l.Description, Category: l.Dimension})
		}
	}
	return given, true
}

// Exercise carries out the test cases of the subject; without any the leaves, and without
// those interactions of the model's own choice.
func (a *Agent) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	switch {
	case len(s.Cases) > 0:
		t := s.NewTrace(vitrine.ByAgent, d)
		t.Model = a.Settings.Model
		return t, s.Test(t, func(tc vitrine.TestCase) (vitrine.Case, error) { return a.Test(ctx, d, tc, s.Instruction) })
	case len(a.Leaves) > 0:
		t, err := a.Workflow(ctx, d, a.Leaves, s)
		switch {
		case err != nil:
		case s.Profile == vitrine.ProfilePublished:
			t.Wanted = len(planned(a.Leaves))
		case t.Score != nil: // N times their rate, as with test cases
			score := *t.Score * float64(s.N)
			t.Score, t.Wanted = &score, s.N
		}
		return t, err
	}
	return a.Aesthetics(ctx, d, s)
}
