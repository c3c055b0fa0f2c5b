package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/digest"
	"vitrine/internal/interact"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/dialog"
)

// verdicts are the answers to a test case and what they are to us (WebGen-Bench).
var verdicts = map[string]vitrine.CaseVerdict{"YES": vitrine.VerdictPass, "PARTIAL": vitrine.VerdictPartial, "NO": vitrine.VerdictFail}

// Test carries out a test case and says whether its expected result came about: 1
// for YES, 0.5 for PARTIAL, 0 for NO. A page that breaks fails. Where the model gives
// no verdict, the score is nil and End says why; the error is ours or the caller's.
func (a *Agent) Test(ctx context.Context, d *interact.Driver, tc vitrine.TestCase, instruction string) (vitrine.Case, error) {
	began := time.Now()
	a, err := a.ready()
	if err != nil {
		return vitrine.Case{}, err
	}
	r := &run{
		name: "test-" + digest.Of(tc.Task, tc.ExpectedResult)[:8], form: testForm(d.Viewport),
		brief: brief{
			instruction: instruction, kind: "the test", most: cmp.Or(a.Settings.Steps, stepsTest),
			items: "to do: " + tc.Task + "\nexpected: " + tc.ExpectedResult,
		},
	}
	e, err := a.perform(ctx, d, r, r.converse)
	c := r.tell(e, began)
	c.Task, c.Expected, c.Category = tc.Task, tc.ExpectedResult, tc.Category
	return c, err
}

// ready is the agent with its settings filled in.
func (a *Agent) ready() (*Agent, error) {
	s, err := a.Settings.filled()
	return &Agent{Asker: a.Asker, Settings: s}, err
}

// none is a choice that is not made: not every endpoint takes null among choices.
const none = "none"

// testAnswer is one answer in a test case.
type testAnswer struct {
	order
	Verdict string  `json:"verdict"`
	Reason  *string `json:"reason"`
}

func testForm(window vitrine.Viewport) form {
	fields := append([]answer.Field{thoughtField()}, orderFields("click", "type", "scroll", "wait", "back", "answer")...)
	shape := answer.Object(append(fields,
		answer.Field{Name: "direction", Shape: answer.Choice("up", "down", none).About("of scroll")},
		answer.Field{Name: "reason", Shape: answer.Text(maxReason).OrNull().About("of answer, else null")},
		answer.Field{Name: "verdict", Shape: answer.Choice("YES", "PARTIAL", "NO", none).About("of answer")},
	)...)
	return form{prompt: "test", marked: true, ends: "answer", schema: shape.Schema(), read: func(text string, t *turn) (move, error) {
		var said testAnswer
		if err := read(text, shape, &said); err != nil {
			return move{}, err
		}
		return said.move(t, window)
	}}
}

func (s testAnswer) move(t *turn, window vitrine.Viewport) (move, error) {
	m := move{thought: s.Thought}
	if s.Action != "answer" {
		if s.Verdict != none {
			return m, errors.New("verdict: is given with the action answer only")
		}
		var err error
		m.actions, err = s.actions(t.seen.scene.Controls, window)
		return m, err
	}
	if s.Verdict == none || s.Reason == nil {
		return m, errors.New("verdict, reason: answer needs both")
	}
	m.done, m.conclusion = true, conclusion{verdict: verdicts[s.Verdict], why: *s.Reason}
	return m, nil
}

// tell makes the case of a run with one conclusion.
func (r *run) tell(e ending, began time.Time) vitrine.Case {
	c := vitrine.Case{
		ID: r.name, Route: "/", Steps: r.steps(), Verdict: vitrine.VerdictUnclear, End: e.reason, Why: e.why, Error: e.fault,
		Calls: r.calls, Cost: dialog.Cost(r.calls), WallMS: since(began),
	}
	switch {
	case e.reason == vitrine.EndPage:
		c.Verdict, c.Score = vitrine.VerdictFail, score(vitrine.VerdictFail)
	case e.conclusion.verdict != "":
		c.Verdict, c.Score, c.Error = e.conclusion.verdict, score(e.conclusion.verdict), nil
		c.Why = strings.Join(filled(e.conclusion.why, e.why, r.doubt(c.Verdict)), "; ")
	}
	return c
}

// doubt names the contradiction between a verdict and what was measured.
func (r *run) doubt(v vitrine.CaseVerdict) string {
	if len(r.steps()) == 0 || v == vitrine.VerdictFail || slices.ContainsFunc(r.turns, (*turn).effective) {
		return ""
	}
	return "beware: none of its actions changed anything"
}

// score is what a verdict counts: 1, 0.5 or 0.
func score(v vitrine.CaseVerdict) *float64 {
	s := 0.0
	switch v {
	case vitrine.VerdictPass, vitrine.VerdictWorks:
		s = 1
	case vitrine.VerdictPartial:
		s = 0.5
	case vitrine.VerdictUnclear:
		return nil
	}
	return &s
}

// filled are the texts that are not empty.
func filled(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

func since(t time.Time) float64 { return float64(time.Since(t).Microseconds()) / 1000 }
