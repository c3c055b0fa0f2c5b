package interact

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"vitrine"
	"vitrine/internal/disk"
)

// A Method decides which actions are done to a site and what they show: explore, agent,
// verify or script.
type Method interface {
	// By names it in traces.
	By() vitrine.TraceBy
	// Cases are what it exercises where the task has the given test cases, as far as that
	// is known before the site is opened. Without any ok there is nothing to exercise.
	Cases(given []vitrine.TestCase) (cases []vitrine.TestCase, ok bool)
	// Exercise opens the site, acts on it and gives the scored trace. Errors are ours.
	Exercise(ctx context.Context, d *Driver, s Subject) (*vitrine.Trace, error)
}

// Settings say how sites are exercised.
type Settings struct {
	Method Method
	// Prover is the method in its place where a recipe reads whether required behaviours
	// work, and the method was not asked for by name.
	Prover  Method
	Profile vitrine.Profile // by which a model exercises; empty is vitrine
	// N is how many interactions count for s_interact; 0 means 3 (AesCoder §4.3).
	N int
	// Cases are exercised where the task of an output brings none.
	Cases []vitrine.TestCase
}

// A Subject is what is known of a site that is exercised.
type Subject struct {
	Evidence    *vitrine.Evidence // of its capture
	Instruction string            // what the model was asked to build
	Files       []vitrine.File    // what it wrote
	Cases       []vitrine.TestCase
	Profile     vitrine.Profile
	Topic       string // of the task; may be empty
	N           int    // interactions that count for s_interact
	Cache       *Cache
}

// Run exercises a site and gives the scored trace: nil where there is nothing to exercise,
// every case failed where the site does not start. A fault is ours or a model's;
// the trace that has no score for it, or no score worth having, comes with it.
func Run(ctx context.Context, d *Driver, set Settings, s Subject) (*vitrine.Trace, error) {
	s.N, s.Profile = cmp.Or(s.N, set.N, 3), set.Profile
	if len(s.Cases) == 0 {
		s.Cases = set.Cases
	}
	cases, ok := set.Method.Cases(s.Cases)
	if !ok {
		return nil, nil
	}
	if !s.Evidence.Validity.Valid {
		t := s.neverStarts(set.Method.By(), d, cases)
		if len(s.Cases) == 0 && len(cases) > 0 {
			t.Of = vitrine.OfLeaves
		}
		return t, nil
	}
	began := time.Now()
	t, err := set.Method.Exercise(ctx, d, s)
	if err != nil {
		return nil, vitrine.AsFault("interact", disk.Classify(err))
	}
	t.WallMS = cmp.Or(t.WallMS, float64(time.Since(began).Microseconds())/1000)
	if f := fault(t); f != nil {
		return t, f
	}
	return t, nil
}

// NewTrace is a trace of the subject without cases.
func (s Subject) NewTrace(by vitrine.TraceBy, d *Driver) *vitrine.Trace {
	return &vitrine.Trace{
		Schema: vitrine.TraceSchema, By: by, Browser: s.Evidence.Browser, Viewport: d.Viewport, Validity: s.Evidence.Validity,
		Cases: []vitrine.Case{}, Wanted: s.N, Cost: vitrine.Free(),
	}
}

// Routes are those of the site that were seen.
func (s Subject) Routes() (routes []string) {
	for _, v := range s.Evidence.Views {
		if v.Validity.Valid && !slices.Contains(routes, v.Route) {
			routes = append(routes, v.Route)
		}
	}
	return routes
}

// neverStarts is the trace of a site that does not start.
func (s Subject) neverStarts(by vitrine.TraceBy, d *Driver, cases []vitrine.TestCase) *vitrine.Trace {
	t, zero := s.NewTrace(by, d), 0.0
	t.Score = &zero
	for i, tc := range cases {
		t.Cases = append(t.Cases, vitrine.Case{
			ID: fmt.Sprint(i + 1), Route: "/", Task: tc.Task, Expected: tc.ExpectedResult, Category: tc.Category, Steps: []vitrine.Step{},
			Verdict: vitrine.VerdictFail, Score: &zero, Why: "the site does not start: " + s.Evidence.Validity.Why, End: vitrine.EndPage,
		})
	}
	return t
}

// Test adds the test cases of the subject to a trace, each from a fresh state of the site,
// and scores it.
func (s Subject) Test(t *vitrine.Trace, test func(vitrine.TestCase) (vitrine.Case, error)) error {
	for i, tc := range s.Cases {
		c, err := test(tc)
		if err != nil {
			return fmt.Errorf("test case %d: %w", i+1, err)
		}
		c.ID, c.Category = fmt.Sprint(i+1), tc.Category
		t.Cases, t.Cost = append(t.Cases, c), t.Cost.Plus(c.Cost)
		if c.Error != nil && c.Error.Code.Stops() {
			break // every other case would fail alike
		}
	}
	Score(t)
	return nil
}

// Score gives test cases their s_interact: N times the FSR, so that any number of them
// weighs as much as N interactions.
func Score(t *vitrine.Trace) {
	if share, _, ok := t.FSR(); ok {
		score := share * float64(t.Wanted)
		t.Score = &score
	}
}

// fault is why a trace gives no score, or why every other one would have none.
func fault(t *vitrine.Trace) *vitrine.Fault {
	found := t.Error
	for _, c := range t.Cases {
		if c.Error != nil && c.Error.Code.Stops() {
			return c.Error
		}
		if found == nil {
			found = c.Error
		}
	}
	switch {
	case t.Score != nil:
		return nil
	case found == nil && t.Model != "" && len(t.Cases) > 0:
		return vitrine.NewFault("interact", vitrine.FaultJudge, nil, "the model judged nothing of what it tried").WithFix("score the sample again, or name another model")
	}
	return found
}
