package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

// maxAdaptations bounds how often one conversation is put another way: every change
// is learned once.
const maxAdaptations = 6

// longestBackoff bounds the wait between tries where the endpoint names none.
const longestBackoff = 30 * time.Second

// An endpoint is one model at one address under one key: what it can take is
// found out for all conversations together.
type endpoint struct {
	model Model
	name  string
	s     *Settings
	slots *slots
	capabilities

	pause struct {
		sync.Mutex
		until time.Time // the endpoint asked to be left alone
	}
}

// answer is a response with how it came about.
type answer struct {
	Response
	latency  time.Duration
	attempts int
}

// ask asks until there is an answer, the tries are used up, or nothing can help.
// It holds one slot all the while, so that a conversation that waits for its next
// try leaves the endpoint in peace. The error is an [*Error] or that of ctx.
func (e *endpoint) ask(ctx context.Context, r Request) (answer, error) {
	began, err := e.slots.take(ctx)
	if err != nil {
		return answer{}, err
	}
	defer e.slots.free()
	inTime, cancel := context.WithTimeout(ctx, e.s.Deadline)
	defer cancel()
	for tries, adapted := 1, 0; ; {
		if err := e.wait(inTime, 0); err != nil {
			return answer{attempts: tries}, e.late(ctx, nil)
		}
		sent := e.apply(r)
		response, latency, failed := e.try(inTime, sent)
		switch {
		case failed == nil:
			e.slots.good()
			return answer{response, latency, tries}, nil
		case ctx.Err() != nil:
			return answer{attempts: tries}, ctx.Err()
		case adapted < maxAdaptations && e.learn(sent, failed):
			adapted++
			continue
		case !failed.Passing() || tries > e.s.Retries || inTime.Err() != nil:
			return answer{attempts: tries}, failed
		}
		if failed.Cause == CauseRate || failed.Cause == CauseOverloaded {
			e.slots.tooMuch(began)
		}
		pause := e.backoff(tries, failed)
		e.s.retrying(Retry{Name: e.name, Attempt: tries, Cause: failed.Cause, Status: failed.Status, Wait: pause})
		if err := e.wait(inTime, pause); err != nil {
			return answer{attempts: tries}, e.late(ctx, failed)
		}
		tries++
		began = time.Now()
	}
}

// try makes one attempt within its own deadline.
func (e *endpoint) try(ctx context.Context, r Request) (Response, time.Duration, *Error) {
	ctx, cancel := context.WithTimeout(ctx, e.s.AttemptDeadline)
	defer cancel()
	start := time.Now()
	response, err := e.model.Answer(ctx, r)
	latency := time.Since(start)
	if err == nil {
		return response, latency, nil
	}
	var failed *Error
	switch {
	case errors.As(err, &failed):
		if failed.Cause == CauseNoVision && !r.pictured() { // no picture was shown: it speaks of something else
			failed.Cause = CauseRequest
		}
	case ctx.Err() != nil:
		failed = NewError(CauseTimeout, 0, "no answer within "+e.s.AttemptDeadline.String(), err)
	default:
		failed = NewError(CauseMalformed, 0, err.Error(), err)
	}
	return Response{}, latency, failed
}

// late is why a wait ended early: the caller gave up, or the time is over.
func (e *endpoint) late(ctx context.Context, last *Error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case last != nil:
		return last
	}
	return NewError(CauseTimeout, 0, "no answer within "+e.s.Deadline.String(), nil)
}

// backoff is the wait before the next try: what the endpoint asks for, else a
// random time up to a bound that doubles (full jitter). What the endpoint asks for
// holds for every conversation with it.
func (e *endpoint) backoff(tries int, failed *Error) time.Duration {
	if failed.RetryAfter > 0 {
		e.pause.Lock()
		defer e.pause.Unlock()
		if until := time.Now().Add(failed.RetryAfter); until.After(e.pause.until) {
			e.pause.until = until
		}
		return failed.RetryAfter
	}
	most := min(e.s.Backoff<<min(tries-1, 16), longestBackoff)
	return rand.N(most) + 1
}

// wait waits for a time and until the endpoint may be asked again.
func (e *endpoint) wait(ctx context.Context, d time.Duration) error {
	e.pause.Lock()
	d = max(d, time.Until(e.pause.until))
	e.pause.Unlock()
	if d <= 0 {
		return ctx.Err()
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d {
		return context.DeadlineExceeded // known now: no need to wait for it
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
