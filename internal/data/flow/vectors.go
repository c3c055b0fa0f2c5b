package flow

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/data/embed"
	"vitrine/internal/model"
)

// batch is how many texts one question asks the vectors of: no common server takes fewer.
const batch = 32

// embedding turns texts into vectors by a model.
type embedding struct {
	asking *Asking
	by     Model
	texts  []string
	dim    int       // 0: nothing was answered yet
	x      []float32 // vector by vector, of length 1

	mu      sync.Mutex
	refused map[int]string // texts that the endpoint does not take, by their places, with the cause
}

// run asks until one question is answered, which tells how long vectors are, then several
// at once.
func (e *embedding) run(ctx context.Context) error {
	at := 0
	for ; at < len(e.texts) && e.dim == 0; at += batch {
		if err := e.ask(ctx, at, min(at+batch, len(e.texts))); err != nil {
			return err
		}
	}
	several, ctx := errgroup.WithContext(ctx)
	several.SetLimit(e.asking.AtOnce)
	for from := at; from < len(e.texts); from += batch {
		several.Go(func() error { return e.ask(ctx, from, min(from+batch, len(e.texts))) })
	}
	return several.Wait()
}

// ask asks for the vectors of the texts from one place to another. Of a question that the
// endpoint does not take, each half is asked alone, down to the text that is at fault.
func (e *embedding) ask(ctx context.Context, from, to int) error {
	reply, err := e.asking.Asker.Ask(ctx, e.by.Ask, model.Request{Embed: e.texts[from:to]})
	var told *model.Error
	if errors.As(err, &told) && (told.Cause == model.CauseRequest || told.Cause == model.CauseTooLarge) {
		if half := (from + to) / 2; half > from {
			if err := e.ask(ctx, from, half); err != nil {
				return err
			}
			return e.ask(ctx, half, to)
		}
		if e.refuse(from, told.Cause) >= hopeless && e.dim == 0 {
			return e.fault(err)
		}
		return nil
	}
	if err != nil {
		return e.fault(err)
	}
	x, dim, err := reply.Vectors(to - from)
	switch {
	case err != nil:
		return vitrine.NewFault("data", vitrine.FaultModelError, err, "the answer "+reply.Hash+" of "+e.by.Name+" cannot be read").
			WithFix("remove it from the folder of answers, then run the same command again")
	case e.dim == 0:
		e.dim, e.x = dim, make([]float32, dim*len(e.texts))
	case dim != e.dim:
		return vitrine.NewFault("data", vitrine.FaultModelError, nil, fmt.Sprintf("%s gives vectors of %d numbers, and then of %d (answer %s)", e.by.Name, e.dim, dim, reply.Hash)).
			WithFix("have one model behind the address; remove the answers of the other from the folder of answers, then run the same command again")
	}
	copy(e.x[from*dim:], x)
	for i := from; i < to; i++ {
		embed.Unit(e.x[i*dim : (i+1)*dim])
	}
	return nil
}

// refuse counts a text that the endpoint does not take; n is how many there are.
func (e *embedding) refuse(at int, cause model.Cause) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refused == nil {
		e.refused = map[int]string{}
	}
	e.refused[at] = notTaken + string(cause)
	return len(e.refused)
}

// fault says of an endpoint without an answer what helps.
func (e *embedding) fault(err error) error {
	switch code := vitrine.AsFault("data", err).Code; code {
	case vitrine.FaultModelError, vitrine.FaultModelRequest, vitrine.FaultRateLimited:
		return vitrine.NewFault("data", code, err, e.by.Name+" gives no vectors").
			WithFix("check that its address has /embeddings, and the name of the model; then run the same command again: answers that are there are not asked for again")
	}
	return err
}
