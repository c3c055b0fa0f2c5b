package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"vitrine"
)

// fault types an error on its way out of the package. A fault stays what it is.
func (i Info) fault(err error) error {
	var already *vitrine.Fault
	var e *Error
	switch {
	case errors.As(err, &already):
		return err
	case errors.As(err, &e):
		return i.told(e)
	case errors.Is(err, context.Canceled):
		return vitrine.NewFault("judge", vitrine.FaultInterrupted, err, "stopped while asking "+i.Name)
	case errors.Is(err, context.DeadlineExceeded):
		return vitrine.NewFault("judge", vitrine.FaultModelError, NewError(CauseTimeout, 0, "the time given is over", err), i.Name+" gave no answer")
	}
	return vitrine.NewFault("judge", vitrine.FaultInternal, err, "ask "+i.Name)
}

// told is the fault of what an endpoint said.
func (i Info) told(e *Error) error {
	cause := strings.ReplaceAll(string(e.Cause), "_", " ")
	if e.Status > 0 {
		cause += fmt.Sprintf(", HTTP %d", e.Status)
	}
	switch e.Cause {
	case CauseKey:
		return vitrine.NewFault("judge", vitrine.FaultNoKey, e, fmt.Sprintf("%s refuses the key in %s", i.Provider, i.KeyVariable)).
			WithFix("check " + i.KeyVariable + ", and that its account may use " + i.Model)
	case CauseRate:
		return vitrine.NewFault("judge", vitrine.FaultRateLimited, e, i.Name+" is asked too often").
			WithFix("try again later, or lower --max-connections")
	case CauseCredit:
		return vitrine.NewFault("judge", vitrine.FaultModelError, e, "the credit with "+i.Provider+" is used up").
			WithFix("add credit to the account of " + i.KeyVariable + ", then try the unjudged again")
	case CauseTooLarge:
		return vitrine.NewFault("judge", vitrine.FaultModelRequest, e, "the conversation is too long for "+i.Name).
			WithFix("show fewer or smaller pictures, or use a model with a longer context")
	case CauseNoVision:
		return vitrine.NewFault("judge", vitrine.FaultNoVision, e, i.Name+" reads no pictures").
			WithFix("use a vision model (vitrine models ls), or show a judge code alone: `--judge code`, or `--observe code` with others")
	case CauseMalformed:
		return vitrine.NewFault("judge", vitrine.FaultModelError, e, i.Name+" gave no answer that can be read").
			WithFix("check that " + i.BaseURL + " is the address of the API itself (often it ends in /v1): vitrine models test " + i.Name)
	case CauseRequest:
		return vitrine.NewFault("judge", vitrine.FaultModelRequest, e, fmt.Sprintf("%s refuses the request (%s)", i.Name, cause)).
			WithFix("check the name of the model and the address " + i.BaseURL + ": vitrine models test " + i.Name)
	}
	return vitrine.NewFault("judge", vitrine.FaultModelError, e, fmt.Sprintf("%s gave no answer (%s)", i.Name, cause)).
		WithFix("check that " + i.BaseURL + " answers: vitrine models test " + i.Name)
}
