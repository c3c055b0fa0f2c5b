package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/model/answer"
	"vitrine/internal/model/dialog"
)

// Aesthetics is the interactive aesthetics agent (AesCoder §4.3, G.3): it plans from
// the first window, takes the N most important interactions that need no network,
// tries them in one session, one action a turn, and judges each action by what came
// of it. The last judgement on an interaction is that on its case. The trace's score
// is s_interact, the sum of these; one without a judgement, which the paper writes
// as NaN, is left out. It is 0 where there is nothing to try, or the page
// breaks before anything is judged, and nil where nothing could be judged. The error is ours or the caller's.
//
// In the published profile the agent knows the topic, Enter follows what is typed, and the
// arrow keys are for games alone, with words on how to play one. In ours they are the
// model's choice. Where nothing could be judged, the paper has 0 in place of nil.
func (a *Agent) Aesthetics(ctx context.Context, d *interact.Driver, s interact.Subject) (*vitrine.Trace, error) {
	began := time.Now()
	a, err := a.ready()
	if err != nil {
		return nil, err
	}
	n := a.Settings.N
	b := brief{instruction: s.Instruction, kind: "the interactions", most: cmp.Or(a.Settings.Steps, stepsEach*n)}
	if s.Profile == vitrine.ProfilePublished {
		b.published, b.topic = true, s.Topic
	}
	r := &run{name: "aesthetics", form: aestheticsForm(n, b), brief: b}
	var p *plan
	e, err := a.perform(ctx, d, r, func(ctx context.Context) (ending, error) {
		var e ending
		var err error
		if p, e, err = r.plan(ctx, n); err != nil || e.reason != "" || len(p.chosen) == 0 {
			return e, err
		}
		r.brief.items = p.words()
		r.form = aestheticsForm(len(p.chosen), b)
		return r.converse(ctx)
	})
	if err != nil {
		return nil, err
	}
	t, err := a.trace(ctx, d)
	if err != nil {
		return nil, err
	}
	t.Of = vitrine.OfInteractions
	t.Validity, t.Wanted, t.Calls, t.Cost = e.validity, n, r.calls, dialog.Cost(r.calls)
	t.Cases = r.cases(p, e)
	t.Score = sum(t.Cases)
	if t.Score == nil && (e.reason == vitrine.EndPage || p != nil && len(p.chosen) == 0) {
		t.Score = new(float64)
	}
	if t.Score == nil {
		t.Error = e.fault
	}
	t.WallMS = since(began)
	return t, nil
}

// trace is a trace without cases.
func (a *Agent) trace(ctx context.Context, d *interact.Driver) (*vitrine.Trace, error) {
	version, err := d.Browser.Version(ctx)
	return &vitrine.Trace{
		Schema: vitrine.TraceSchema, By: vitrine.ByAgent, Model: a.Settings.Model, Browser: version, Viewport: d.Viewport,
		Validity: vitrine.Validity{Valid: true}, Cases: []vitrine.Case{}, Cost: vitrine.Free(),
	}, err
}

// sum adds up the scores of the cases that were judged; nil without any.
func sum(cases []vitrine.Case) *float64 {
	var total *float64
	for i := range cases {
		if s := cases[i].Score; s != nil {
			if total == nil {
				total = new(float64)
			}
			*total += *s
		}
	}
	return total
}

// aestheticsAnswer is one answer of this form.
type aestheticsAnswer struct {
	order
	PreviousWhy *string `json:"previous_why"`
	Previous    *int    `json:"previous"`
	Interaction int     `json:"interaction"`
}

func aestheticsForm(n int, b brief) form {
	actions := []string{"click", "type", "wait"}
	if !b.published || b.game() {
		actions = append(actions, "up", "down", "left", "right")
	}
	shape := answer.Object(append([]answer.Field{
		thoughtField(),
		{Name: "previous_why", Shape: answer.Text(maxReason).OrNull().About("why previous is what it is, else null")},
		{Name: "previous", Shape: answer.Integer(0, 1).OrNull().About("your judgement on your last action")},
		{Name: "interaction", Shape: answer.Integer(1, n).About("what the next action belongs to")},
	}, orderFields(append(actions, "finish")...)...)...)
	return form{prompt: "aesthetics", marked: true, ends: "finish", schema: shape.Schema(), read: func(text string, t *turn) (move, error) {
		var said aestheticsAnswer
		if err := read(text, shape, &said); err != nil {
			return move{}, err
		}
		if b.published && said.Action == "type" {
			said.Submit = new(true)
		}
		return said.move(t)
	}}
}

func (s aestheticsAnswer) move(t *turn) (move, error) {
	m := move{thought: s.Thought, item: s.Interaction, done: s.Action == "finish"}
	if s.Previous != nil {
		if t.first {
			return m, errors.New("previous: there is no action before the first turn to judge; want null")
		}
		v := float64(*s.Previous)
		m.previous = &v
	}
	if s.PreviousWhy != nil {
		m.previousWhy = *s.PreviousWhy
	}
	if m.done {
		return m, nil
	}
	var err error
	m.actions, err = s.actions(t.seen.scene.Controls, vitrine.Viewport{})
	return m, err
}

// cases are the planned interactions with what was done for each and its judgement.
func (r *run) cases(p *plan, e ending) []vitrine.Case {
	if p == nil {
		return []vitrine.Case{}
	}
	cases := make([]vitrine.Case, len(p.chosen))
	for i, c := range p.chosen {
		cases[i] = vitrine.Case{
			ID: fmt.Sprintf("interaction-%d", i+1), Route: "/", Task: c.Task, Expected: c.Expect, Rank: float64(c.Importance) / 100,
			Steps: []vitrine.Step{}, Verdict: vitrine.VerdictUnclear, Cost: vitrine.Free(),
		}
	}
	for i, t := range r.turns {
		if len(t.steps) == 0 {
			continue
		}
		c := &cases[t.move.item-1]
		if i+1 < len(r.turns) {
			judge(c, t, r.turns[i+1].move)
		}
		c.Steps = append(c.Steps, t.steps...)
	}
	if n := len(r.turns); e.reason == vitrine.EndPage && n > 0 && len(r.turns[n-1].move.actions) > 0 {
		settle(&cases[r.turns[n-1].move.item-1], 0, e.why)
	}
	for i := range cases {
		end(&cases[i], e)
	}
	return cases
}

// judge takes over what the model said of a turn in the next one.
func judge(c *vitrine.Case, t *turn, next move) {
	if next.previous == nil {
		return
	}
	t.steps[len(t.steps)-1].Judged = next.previous
	why := next.previousWhy
	if *next.previous == 1 && !t.effective() {
		why = strings.Join(filled(why, "beware: the model says that it works, but nothing changed"), "; ")
	}
	settle(c, *next.previous, why)
}

func settle(c *vitrine.Case, value float64, why string) {
	c.Score, c.Why, c.Verdict = &value, why, vitrine.VerdictDead
	if value == 1 {
		c.Verdict = vitrine.VerdictWorks
	}
}

// end says how a case ended: with its judgement, or with the session.
func end(c *vitrine.Case, e ending) {
	c.End = e.reason
	switch {
	case c.Score != nil && e.reason != vitrine.EndPage:
		c.End = vitrine.EndFinished
	case c.Score != nil:
	case len(c.Steps) == 0:
		c.Why, c.Error = strings.Join(filled("it was not tried", e.why), ": "), e.fault
	default:
		c.Why, c.Error = strings.Join(filled("there is no judgement on it", e.why), ": "), e.fault
	}
}
