package dialog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/model"
)

// An Asker answers conversations: a model client, or a script.
type Asker interface {
	// Ask sends a conversation to the model of a name (provider/model, or an alias).
	// Without an answer the error is a [vitrine.Fault], unless it is a bug.
	Ask(ctx context.Context, name string, r model.Request) (model.Reply, error)
}

// A Question is a conversation with what its answer must hold.
type Question struct {
	Model   string // provider/model, or an alias
	Request model.Request
	Prompt  string // hash of the prompt template, for the record
	Stage   string // of the fault where there is no usable answer; default judge
	// Again says what an answer is to be, where one that did not fit is asked for
	// anew; default exactly one JSON object.
	Again string
	// Read takes the whole answer. Its error says in words for the model what does
	// not fit; it is called once an answer.
	Read func(text string) error
}

// A Cause is why an answer could not be used.
type Cause string

// The causes.
const (
	CauseRefused Cause = "refused" // the model or its filter would not answer
	CauseCutOff  Cause = "cut off" // ended at the token limit, also with more room
	CauseInvalid Cause = "invalid" // did not fit, also when asked again
)

// Unusable is the error below the fault of a question without a usable answer.
type Unusable struct {
	Cause Cause
	Why   string
}

func (u *Unusable) Error() string { return string(u.Cause) + ": " + u.Why }

// longer is how many times more tokens a second attempt may use.
const longer = 4

// Ask asks until Read takes an answer: at most once more because an answer was cut
// off, and at most once more because it did not fit, so at most three calls. It
// returns every call, also beside an error: a [vitrine.Fault], judge_error with an
// [Unusable] in it, or the asker's own (no key, a budget that is used up, …).
func Ask(ctx context.Context, a Asker, q Question) ([]vitrine.Call, error) {
	d := dialog{asker: a, question: q, request: q.Request}
	for {
		again, err := d.turn(ctx)
		if err != nil || !again {
			return d.calls, err
		}
	}
}

// dialog is one question on its way to an answer.
type dialog struct {
	asker            Asker
	question         Question
	request          model.Request
	calls            []vitrine.Call
	widened, repeats int
}

// turn is one call. It reports whether another is to follow.
func (d *dialog) turn(ctx context.Context) (again bool, err error) {
	reply, err := d.asker.Ask(ctx, d.question.Model, d.request)
	if err != nil {
		return false, fmt.Errorf("ask %s: %w", d.question.Model, err)
	}
	d.calls = append(d.calls, call(d.question, reply))
	switch reply.Finish {
	case model.FinishRefused:
		return false, d.unusable(CauseRefused, "the model would not answer: "+brief(reply.Refusal+reply.Text))
	case model.FinishLength:
		return d.widen()
	}
	problem := d.question.Read(reply.Text)
	if problem == nil {
		return false, nil
	}
	if d.repeats++; d.repeats > 1 {
		return false, d.unusable(CauseInvalid, problem.Error())
	}
	d.note(problem.Error())
	d.object(reply.Text, problem)
	return true, nil
}

// widen gives a cut-off answer more room, once.
func (d *dialog) widen() (bool, error) {
	const why = "the answer ends at the token limit"
	if d.widened++; d.widened > 1 {
		return false, d.unusable(CauseCutOff, fmt.Sprintf("%s, also with %d tokens", why, d.request.MaxTokens))
	}
	d.note(why)
	d.request.MaxTokens = longer * roomOf(d.request)
	return true, nil
}

// roomOf is the token limit of a request.
func roomOf(r model.Request) int {
	const otherwise = 4096 // what 0 means to package model
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return otherwise
}

// object tells the model what is wrong. An empty answer is no turn of its own:
// providers refuse those.
func (d *dialog) object(text string, problem error) {
	want := cmp.Or(d.question.Again, "exactly one JSON object in the form that was asked for")
	words := fmt.Sprintf("That answer cannot be used: %v.\nAnswer the same question again with %s, and nothing else.", problem, want)
	d.request.Messages = slices.Clone(d.request.Messages) // what was sent stays as it was
	if strings.TrimSpace(text) == "" {
		last := &d.request.Messages[len(d.request.Messages)-1]
		last.Parts = append(slices.Clone(last.Parts), model.Text(words))
		return
	}
	d.request.Messages = append(d.request.Messages,
		model.Message{Role: model.RoleAssistant, Parts: []model.Part{model.Text(text)}},
		model.User(model.Text(words)))
}

// note writes down why the last answer could not be used.
func (d *dialog) note(problem string) {
	if n := len(d.calls); n > 0 {
		d.calls[n-1].Problem = problem
	}
}

func (d *dialog) unusable(cause Cause, why string) error {
	d.note(why)
	u := &Unusable{Cause: cause, Why: why}
	return vitrine.NewFault(cmp.Or(d.question.Stage, "judge"), vitrine.FaultJudge, u, fmt.Sprintf("%s gave no usable answer: %s", d.question.Model, cause)).
		WithFix("Read the raw answers, under calls or on the tape; ask again, or another model.")
}

// call is the record of one answer.
func call(q Question, r model.Reply) vitrine.Call {
	return vitrine.Call{
		Model: q.Model, Served: r.Model, Prompt: q.Prompt, Conversation: r.Hash,
		Cost:      vitrine.Cost{USD: r.USD, TokensIn: r.Usage.In, TokensOut: r.Usage.Out},
		LatencyMS: float64(r.Latency.Microseconds()) / 1000, Attempts: r.Attempts, Cached: r.Cached,
		Finish: string(r.Finish), Answer: r.Text, Refusal: r.Refusal,
	}
}

// Cost adds up what calls cost. One whose price is not known makes the sum unknown.
func Cost(calls []vitrine.Call) vitrine.Cost {
	sum := vitrine.Free()
	for _, c := range calls {
		sum = sum.Plus(c.Cost)
	}
	return sum
}

// brief is the beginning of a text, for a message.
func brief(text string) string {
	if r := []rune(strings.TrimSpace(text)); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return strings.TrimSpace(text)
}
