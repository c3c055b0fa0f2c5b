package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/interact"
	"vitrine/internal/model/dialog"
	"vitrine/internal/model/fence"
)

// A form is how one of the published agents asks and answers.
type form struct {
	prompt string
	marked bool // controls are numbered and the answer is JSON; else it points
	schema []byte
	ends   string // the action that concludes
	// again says what an answer is to be when it is asked for again; empty for JSON.
	again string
	// read makes a move of an answer. Its error is in words for the model.
	read func(text string, t *turn) (move, error)
}

// A turn is one look at the page and what was done then.
type turn struct {
	seen    *view
	first   bool
	last    bool   // no action is left: the model can only conclude
	warning string // what we say to the model with the data
	answer  string // as it was, once it could be used
	move    move
	steps   []vitrine.Step
}

// A run is one conversation about one open page.
type run struct {
	agent   *Agent
	session *interact.Session
	window  vitrine.Viewport
	name    string // of its frames
	form    form
	prompt  *prompt
	brief   brief
	fence   fence.Fence
	turns   []*turn
	calls   []vitrine.Call
	asked   time.Duration // spent on waiting for the model
	guard   guard
}

// An ending is how a run came to its end.
type ending struct {
	reason     vitrine.EndReason
	why        string
	fault      *vitrine.Fault // where that is a model's doing or ours
	conclusion conclusion
	validity   vitrine.Validity
}

// errLate is the cause of the end of a run that took too long.
var errLate = errors.New("the run took too long")

// perform opens the site and does a run on it. What the page or the model does
// wrong is in the ending; errors are ours.
func (a *Agent) perform(ctx context.Context, d *interact.Driver, r *run, converse func(context.Context) (ending, error)) (e ending, err error) {
	r.agent, r.window = a, d.Viewport
	if r.prompt, err = load(r.form.prompt); err != nil {
		return ending{}, err
	}
	validity, err := d.Run(ctx, "/", func(inner context.Context, s *interact.Session) error {
		inner, cancel := context.WithTimeoutCause(inner, a.Settings.Deadline, errLate)
		defer cancel()
		r.session, r.turns, r.fence, r.asked = s, nil, "", 0 // a browser that dies is no turn of the conversation
		r.guard = guard{off: r.webDevJudge(), again: a.Settings.Again, idle: a.Settings.Idle}
		e, err = converse(inner)
		if err != nil && errors.Is(context.Cause(inner), errLate) {
			e, err = r.late(), nil
		}
		return err
	})
	if ctx.Err() != nil && e.reason == "" { // the caller gave up, which is not the page's doing
		return ending{}, errors.Join(err, ctx.Err())
	}
	if err == nil && !validity.Valid {
		e = ending{reason: vitrine.EndPage, why: validity.Why}
	}
	e.validity = validity
	return e, err
}

// late is the ending of a run that took too long: the model's doing where most of the time
// was spent on waiting for it, else the page's.
func (r *run) late() ending {
	limit := r.agent.Settings.Deadline
	e := ending{reason: vitrine.EndTime, why: "it took longer than " + limit.String()}
	if r.asked > limit/2 {
		e.why += fmt.Sprintf(", %s of which the model took", r.asked.Round(time.Second))
		e.fault = vitrine.NewFault("interact", vitrine.FaultModelError, nil, e.why).WithFix("ask a model that answers sooner, or fewer conversations at once (--max-connections)")
	}
	return e
}

// converse takes turns until the model concludes or the run has to end.
func (r *run) converse(ctx context.Context) (ending, error) {
	warning := ""
	for range r.brief.most {
		t, e, err := r.ask(ctx, &turn{warning: warning})
		if err != nil || e.reason != "" {
			return e, err
		}
		if t.move.done {
			return ending{reason: vitrine.EndFinished, conclusion: t.move.conclusion}, nil
		}
		if err := r.act(ctx, t); err != nil {
			return ending{}, err
		}
		end, words := r.guard.after(t)
		if end != "" {
			return r.conclude(ctx, end)
		}
		warning = words
	}
	return r.conclude(ctx, vitrine.EndStepLimit)
}

// reasons are the ends after which a model may still say what it came to.
var reasons = map[vitrine.EndReason]string{
	vitrine.EndStepLimit: "all its actions were used up",
	vitrine.EndLoop:      "it did the same in the same state again and again",
	vitrine.EndNoAction:  "its actions changed nothing, one after the other",
}

// conclude asks what a run that was ended came to (WebDevJudge B.3: upon the last
// step). A model that does not conclude has said nothing.
func (r *run) conclude(ctx context.Context, end vitrine.EndReason) (ending, error) {
	words := "No action is left. Conclude now from what you saw, with " + r.form.ends + "."
	t, e, err := r.ask(ctx, &turn{last: true, warning: words})
	if err != nil || e.fault != nil && e.reason != vitrine.EndBadAnswer {
		return e, err
	}
	e.reason, e.why = end, reasons[end]
	e.conclusion = t.move.conclusion
	return e, nil
}

// act carries a move out. What cannot be carried out ends it there.
func (r *run) act(ctx context.Context, t *turn) error {
	for _, action := range t.move.actions {
		step, err := r.session.Do(ctx, action)
		if err != nil {
			step.Failed = "the page broke under it"
		}
		step.Why = t.move.thought
		if r.form.marked {
			step.Marked = t.seen.file
		}
		t.steps = append(t.steps, step)
		if err != nil || step.Failed != "" {
			return err
		}
	}
	return nil
}

// ask looks at the page and asks for the next move. Where there is none, the ending
// says why.
func (r *run) ask(ctx context.Context, t *turn) (*turn, ending, error) {
	if t.seen == nil {
		var err error
		if t.seen, err = r.look(ctx); err != nil {
			return t, ending{}, err
		}
	}
	t.first = len(r.turns) == 0
	r.turns = append(r.turns, t)
	request, err := r.request()
	if err != nil {
		return t, ending{}, err
	}
	e, err := r.put(ctx, dialog.Question{
		Request: request, Prompt: r.prompt.hash, Again: r.form.again,
		Read: func(text string) (err error) {
			if t.move, err = r.form.read(text, t); err == nil && t.last && !t.move.done {
				err = fmt.Errorf("no action is left; want %s", r.form.ends)
			}
			t.answer = text
			return err
		},
	})
	if e.reason != "" {
		t.move = move{}
	}
	return t, e, err
}

// put asks the model. An answer of no use and a model that does not answer are
// endings; the errors are ours and the caller's.
func (r *run) put(ctx context.Context, q dialog.Question) (ending, error) {
	q.Model, q.Stage = r.agent.Settings.Model, "interact"
	began := time.Now()
	calls, err := dialog.Ask(ctx, r.agent.Asker, q)
	r.asked += time.Since(began)
	r.calls = append(r.calls, calls...)
	if err == nil || ctx.Err() != nil {
		return ending{}, errors.Join(err, ctx.Err())
	}
	fault := vitrine.AsFault("interact", err)
	if fault.Code == vitrine.FaultInternal || fault.Code == vitrine.FaultUsage {
		return ending{}, err
	}
	e := ending{reason: vitrine.EndModel, why: "there is no answer from the model: " + fault.Message, fault: fault}
	var unusable *dialog.Unusable
	if errors.As(err, &unusable) {
		e.why = fmt.Sprintf("the model's answer is of no use (%s): %s", unusable.Cause, unusable.Why)
		if unusable.Cause == dialog.CauseInvalid {
			e.reason = vitrine.EndBadAnswer
		}
	}
	return e, nil
}

// steps are those of all turns.
func (r *run) steps() []vitrine.Step {
	steps := []vitrine.Step{}
	for _, t := range r.turns {
		steps = append(steps, t.steps...)
	}
	return steps
}

// id makes a name of a text that can be part of a file's.
func id(text string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' {
			return c
		}
		return '-'
	}, text), "-.")
}
