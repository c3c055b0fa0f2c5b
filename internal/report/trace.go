package report

import (
	"fmt"

	"vitrine"
	"vitrine/internal/tracetext"
)

// A traceView is what happened when the site was exercised.
type traceView struct {
	*vitrine.Trace
	Counts    []verdictCount
	ScoreText string // what s_interact is made of; "" without one
	FSR       string // of test cases; "" without any
	Cases     []caseView
}

// A verdictCount is what came to one verdict.
type verdictCount struct {
	Verdict vitrine.CaseVerdict
	Words   string
	Names   []string
}

// words are what a verdict is called where it is counted.
func words(v vitrine.CaseVerdict) string {
	if v == vitrine.VerdictUnclear {
		return "could not be judged"
	}
	return string(v)
}

// A caseView is one case with its film strip.
type caseView struct {
	vitrine.Case
	Film []stepView
}

// A stepView is one step: what was done, what it changed, and the window before and
// after.
type stepView struct {
	vitrine.Step
	N             int
	What          string // the action in words
	Outcome       string // its effect in words
	Before, After string // pictures; "" where there is none
	Width, Height int    // of the window
	Judged        string
}

// verdicts are all of them, in the order in which they are counted.
var verdicts = []vitrine.CaseVerdict{
	vitrine.VerdictWorks, vitrine.VerdictDead, vitrine.VerdictPass, vitrine.VerdictPartial, vitrine.VerdictFail, vitrine.VerdictAbsent, vitrine.VerdictUnclear,
}

func newTraceView(k kept) *traceView {
	t := k.trace
	if t == nil {
		return nil
	}
	v := &traceView{Trace: t, ScoreText: tracetext.Score(t)}
	for _, c := range t.Cases {
		v.Cases = append(v.Cases, caseView{c, film(k, c)})
	}
	named := tracetext.Verdicts(t)
	for _, verdict := range verdicts {
		if names := named[verdict]; len(names) > 0 {
			v.Counts = append(v.Counts, verdictCount{verdict, words(verdict), names})
		}
	}
	if share, unjudged, ok := t.FSR(); ok && t.By != vitrine.ByExplore {
		v.FSR = fmt.Sprintf("FSR %.1f %%, as WebGen-Bench counts %.1f %%", 100*share, 100*t.FSRCompat())
		if unjudged > 0 {
			v.FSR += fmt.Sprintf("; %d could not be judged", unjudged)
		}
	}
	return v
}

func film(k kept, c vitrine.Case) (steps []stepView) {
	size := k.trace.Viewport
	for i, s := range c.Steps {
		v := stepView{Step: s, N: i + 1, What: inWords(s), Outcome: tracetext.Effect(s.Effect), Width: size.Width, Height: size.Height}
		before := s.Marked
		if before == "" {
			before = s.Before
		}
		if before != "" {
			v.Before = k.file(before)
		}
		if s.After != "" {
			v.After = k.file(s.After)
		}
		if s.Judged != nil {
			v.Judged = number(*s.Judged)
		}
		steps = append(steps, v)
	}
	return steps
}

// inWords is the action with its control named as a person reads it, not by its path.
func inWords(s vitrine.Step) string {
	a := s.Action
	if c := s.Control; c != nil && a.Target != nil && (c.Name != "" || a.Target.CSS == "") {
		a.Target = &vitrine.Target{Role: c.Role, Name: c.Name}
	}
	return tracetext.Action(a)
}
