// Package explore exercises a site without a model: it finds the controls, ranks them,
// operates each from a fresh state and decides whether it works, with what changed as
// proof.
//
//	jobs ── candidates, best first ── attempt (plan, fill, proof)
//	   │                                    └─ new controls, new routes → candidates
//	   └─ again: controls without effect are retried after those that work
//
// The result depends on the site and the settings alone, not on chance or wall time.
package explore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// Settings determine an exploration, together with the site and the viewport.
type Settings struct {
	N int // cases that make the score, most important first; 0 means 3
	// Budget is the largest number of cases that are judged; 0 means 40. Cases that cannot
	// be judged do not count, but there are at most 3·Budget cases of both kinds.
	Budget int
	// MaxDepth is how many controls may have to be operated before a control appears, for
	// it to be tried; 0 means 3.
	MaxDepth int
	// Instruction is what the model was asked for; controls that it mentions rank higher.
	Instruction string
	// Routes to start from; empty means "/".
	Routes []string
}

func (s Settings) withDefaults() Settings {
	s.N, s.Budget, s.MaxDepth = cmp.Or(s.N, 3), cmp.Or(s.Budget, 40), cmp.Or(s.MaxDepth, 3)
	if len(s.Routes) == 0 {
		s.Routes = []string{"/"}
	}
	return s
}

// An Explorer is the [interact.Method] that needs no model and no test cases.
type Explorer struct {
	// Budget is the largest number of cases that are judged; see [Settings].
	Budget int
}

// By is explore.
func (e Explorer) By() vitrine.TraceBy { return vitrine.ByExplore }

// Cases are not known before the site is open.
func (e Explorer) Cases([]vitrine.TestCase) ([]vitrine.TestCase, bool) { return nil, true }

// Exercise explores the routes of the evidence, unless the cache has the trace.
func (e Explorer) Exercise(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	settings := Settings{N: s.N, Budget: e.Budget, Instruction: s.Instruction, Routes: s.Routes()}
	return s.Cache.Trace(ctx, d, settings, func(d *interact.Driver) (*vitrine.Trace, error) { return Explore(ctx, d, settings) })
}

// Explore exercises a site. A site that cannot be opened is a trace with an invalid
// Validity, no cases and the score 0; an error is never the site's doing. The score is
// s_interact of AesCoder §4.3: how many of the N most important cases work; 0 for a page
// whose only cases are links to other hosts; nil if no case could be judged.
func Explore(ctx context.Context, d *interact.Driver, s Settings) (*vitrine.Trace, error) {
	began := time.Now()
	e := &explorer{driver: d, settings: s.withDefaults(), known: map[string]bool{}, states: map[string]bool{}}
	e.words = words(e.settings.Instruction)
	e.trace = &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByExplore, Viewport: d.Viewport, Cases: []vitrine.Case{}, Wanted: e.settings.N, Cost: vitrine.Free()}
	for _, route := range e.settings.Routes {
		e.todo = append(e.todo, &job{kind: jobLook, route: route})
	}
	for len(e.todo) > 0 {
		v, err := d.Run(ctx, e.todo[0].route, e.workAll)
		if err != nil {
			return nil, fmt.Errorf("explore: %w", err)
		}
		if !v.Valid {
			e.pageLost(v)
		}
	}
	e.finish()
	e.trace.WallMS = float64(time.Since(began).Microseconds()) / 1000
	return e.trace, nil
}

// An explorer is the state of one exploration. It survives the loss of the page that it
// runs on.
type explorer struct {
	driver   *interact.Driver
	settings Settings
	words    map[string]bool // of the instruction
	trace    *vitrine.Trace
	todo     []*job
	queue    []*candidate // found and not tried yet
	done     []*candidate // tried, in order
	known    map[string]bool
	states   map[string]bool
	looked   bool // the first route was opened
}

// A job is a piece of work that starts from a fresh state.
type job struct {
	kind      jobKind
	route     string
	candidate *candidate
	group     []*candidate // of jobAgain
}

type jobKind int

const (
	jobLook    jobKind = iota // find the controls of a route
	jobTry                    // try one candidate
	jobAgain                  // retry candidates without effect after those that work
	jobForward                // walk through the steps of a form
)

// A candidate is a control and how to reach it.
type candidate struct {
	route        string
	path         []vitrine.Action // actions that reach it from the fresh state of the route
	from         string           // the state that it was found in
	control      vitrine.Control
	facts        interact.Facts
	rank         float64
	order        int
	depth        int
	proof        []vitrine.Action // actions that showed that it works
	at           int              // index of its case in the trace, -1 while it has none
	inconclusive bool             // a try without effect does not prove it dead
	leaves       bool             // it works by leaving the page
	opens        bool             // its effect brought new controls
	filled       bool             // it was tried with the fields around it filled in
	rounds       int              // how often it was retried
	works        int              // how many other candidates worked at its last retry
	afterOthers  bool             // it works only after others were operated
	walked       bool             // the form behind it was walked through (jobForward)
	missing      bool             // it leads to a page that the site does not have
}

// workAll works on jobs until none is left. It is called again, with a new session, after a
// job that lost the page.
func (e *explorer) workAll(ctx context.Context, s *interact.Session) error {
	s.Exact, s.Frugal = true, e.driver.Dir == ""
	e.trace.Browser = s.Browser()
	for len(e.todo) > 0 {
		if err := e.work(ctx, s, e.todo[0]); err != nil {
			return err
		}
		e.todo = e.todo[1:]
		if len(e.todo) == 0 {
			e.next()
		}
	}
	return nil
}

func (e *explorer) work(ctx context.Context, s *interact.Session, j *job) error {
	switch j.kind {
	case jobLook:
		return e.lookAt(ctx, s, j.route)
	case jobTry:
		return e.try(ctx, s, j.candidate)
	case jobForward:
		return e.forward(ctx, s, j.candidate)
	}
	return e.again(ctx, s, j.group)
}

// pageLost records that the page was lost as the result of the current job.
func (e *explorer) pageLost(v vitrine.Validity) {
	if len(e.todo) == 0 {
		return
	}
	j := e.todo[0]
	e.todo = e.todo[1:]
	switch {
	case j.kind == jobLook && !e.looked:
		e.trace.Validity = v
		e.todo = nil
		return
	case j.kind == jobTry:
		c := j.candidate
		step := vitrine.Step{Action: plans(c)[0].actions[0], Control: &c.control, Failed: v.Why}
		e.record(c, []vitrine.Step{step}, vitrine.VerdictDead, "operating it ends the page: "+v.Why, vitrine.EndPage)
	}
	if len(e.todo) == 0 {
		e.next()
	}
}

// next refills the empty work list: with the best candidate, then with retries of candidates
// without effect, then with one multi-step form.
func (e *explorer) next() {
	if c := e.popBest(); c != nil {
		e.todo = append(e.todo, &job{kind: jobTry, route: c.route, candidate: c})
		return
	}
	for _, group := range e.unproven() {
		e.todo = append(e.todo, &job{kind: jobAgain, route: group[0].route, group: group})
	}
	if len(e.todo) > 0 || e.spent() {
		return
	}
	for _, c := range e.done {
		if !c.walked && c.depth <= 1 && c.control.Role == "button" && nextStep.MatchString(c.control.Name) {
			c.walked = true
			e.todo = append(e.todo, &job{kind: jobForward, route: c.route, candidate: c})
			return
		}
	}
}

// popBest takes the most important candidate, within the budget.
func (e *explorer) popBest() *candidate {
	if len(e.queue) == 0 || e.spent() {
		return nil
	}
	slices.SortStableFunc(e.queue, func(a, b *candidate) int { return cmp.Or(cmp.Compare(b.rank, a.rank), a.order-b.order) })
	c := e.queue[0]
	e.queue = e.queue[1:]
	return c
}

// spent reports whether the budget is used up, for which cases that cannot be judged, such
// as links to other hosts, do not count.
func (e *explorer) spent() bool {
	judged := 0
	for i := range e.trace.Cases {
		if e.trace.Cases[i].Score != nil {
			judged++
		}
	}
	return judged >= e.settings.Budget || len(e.trace.Cases) >= 3*e.settings.Budget
}

// lookAt opens a route and adds its controls to the queue.
func (e *explorer) lookAt(ctx context.Context, s *interact.Session, route string) error {
	if err := s.Reset(ctx, route); err != nil {
		return err
	}
	scene, err := s.Look(ctx)
	if err != nil {
		return err
	}
	file, _, err := s.Frame(ctx, "state-"+stateID(scene))
	if err != nil {
		return err
	}
	e.looked, e.trace.Validity = true, vitrine.Validity{Valid: true}
	id := e.state(scene, file, "", "")
	e.found(scene, route, nil, id, 0)
	e.foundKeys(scene, route, nil, id)
	return nil
}

// record adds the case of a candidate to the trace, or replaces it.
func (e *explorer) record(c *candidate, steps []vitrine.Step, verdict vitrine.CaseVerdict, why string, end vitrine.EndReason) {
	control := c.control
	cs := vitrine.Case{
		Route: c.route, Task: task(c), Control: &control, Rank: c.rank, Steps: steps, Verdict: verdict, Why: why, End: end, Cost: vitrine.Free(),
	}
	if one, zero := 1.0, 0.0; verdict == vitrine.VerdictWorks {
		cs.Score = &one
	} else if verdict == vitrine.VerdictDead {
		cs.Score = &zero
	}
	if c.at >= 0 {
		cs.ID = e.trace.Cases[c.at].ID
		e.trace.Cases[c.at] = cs
		return
	}
	c.at = len(e.trace.Cases)
	cs.ID = fmt.Sprintf("c%03d", c.at+1)
	e.trace.Cases = append(e.trace.Cases, cs)
	e.done = append(e.done, c)
}

// verdict is the verdict of a candidate's case.
func (e *explorer) verdict(c *candidate) vitrine.CaseVerdict { return e.trace.Cases[c.at].Verdict }

// finish scores the trace by the N judged cases that rank highest. A page that could not be
// opened has no cases and scores 0.
func (e *explorer) finish() {
	t := e.trace
	var judged []vitrine.Case
	for _, c := range t.Cases {
		if c.Score != nil {
			judged = append(judged, c)
		}
	}
	if len(judged) == 0 && slices.ContainsFunc(t.Cases, func(c vitrine.Case) bool { return c.Why != otherHost }) {
		return // no score: none of the cases could be judged
	}
	slices.SortStableFunc(judged, func(a, b vitrine.Case) int { return cmp.Compare(b.Rank, a.Rank) })
	judged = judged[:min(len(judged), e.settings.N)]
	score := 0.0
	for _, c := range judged {
		score += *c.Score
	}
	t.Score = &score
}
