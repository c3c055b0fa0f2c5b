package vitrine

import (
	"errors"
	"fmt"
	"net/http"
)

// A FaultCode is the typed cause of a sample that could not be judged, or of a
// command that could not do its work.
type FaultCode string

// Every cause, in one list. [FaultCode.Facts] maps each to an exit code, an HTTP
// status and whether trying again can help.
const (
	FaultInternal        FaultCode = "internal"         // our bug
	FaultUsage           FaultCode = "usage"            // flags, recipe or input
	FaultInvalidInput    FaultCode = "invalid_input"    // one bad line of an input file
	FaultNoBrowser       FaultCode = "no_browser"       // Chromium is missing or does not start
	FaultNoSandbox       FaultCode = "no_sandbox"       // bubblewrap is missing or refused
	FaultNoNode          FaultCode = "no_node"          // Node.js or npm is missing
	FaultBrowserCrashed  FaultCode = "browser_crashed"  // the browser died, twice
	FaultCaptureTimeout  FaultCode = "capture_timeout"  // the browser did not answer in time
	FaultStarved         FaultCode = "starved"          // the machine was too busy with other work
	FaultRegistry        FaultCode = "registry"         // the package registry could not be reached
	FaultInstallTimeout  FaultCode = "install_timeout"  // the registry did not finish in time
	FaultDiskFull        FaultCode = "disk_full"        // nowhere to write
	FaultUnwritable      FaultCode = "unwritable"       // not allowed to write
	FaultUnsupportedKind FaultCode = "unsupported_kind" // nothing here can build this kind
	FaultBuilderCannot   FaultCode = "builder_cannot"   // the builder that was insisted on is not for this project
	FaultJudge           FaultCode = "judge_error"      // the judge gave no usable answer
	FaultUnknownTask     FaultCode = "unknown_task"     // a task_id that no task file has
	FaultInterrupted     FaultCode = "interrupted"      // stopped by the user
	FaultNoKey           FaultCode = "no_key"           // the key of a model is missing or refused
	FaultRateLimited     FaultCode = "rate_limited"     // a model is asked too often, after all tries
	FaultModelError      FaultCode = "model_error"      // a model gave no answer, after all tries
	FaultModelRequest    FaultCode = "model_request"    // a model does not take the request: asking again is of no use
	FaultNoVision        FaultCode = "no_vision"        // a model that reads no pictures was shown some
	FaultNoRecording     FaultCode = "no_recording"     // a conversation to be replayed was not recorded
	FaultBudget          FaultCode = "budget"           // the budget for models is reached
	FaultBusy            FaultCode = "busy"             // the queue is full
	FaultDeadline        FaultCode = "deadline"         // nobody came to it before its deadline
	FaultPoison          FaultCode = "poison"           // it ended a process of its own, twice
	FaultNoQueue         FaultCode = "no_queue"         // the queue's server could not be reached
)

// FaultFacts says how a cause reaches the outside.
type FaultFacts struct {
	Exit  int  // exit code of a command that stops on it
	HTTP  int  // status of a request that stops on it
	Retry bool // the same work may succeed later
}

// Exit codes of every command (SPEC §12).
const (
	ExitOK          = 0
	ExitInternal    = 1
	ExitUsage       = 2
	ExitEnvironment = 3
	ExitUnjudged    = 4
	ExitBudget      = 5
	ExitThreshold   = 99
	ExitInterrupted = 130
)

var faults = map[FaultCode]FaultFacts{
	FaultInternal:        {ExitInternal, http.StatusInternalServerError, false},
	FaultUsage:           {ExitUsage, http.StatusBadRequest, false},
	FaultInvalidInput:    {ExitUsage, http.StatusBadRequest, false},
	FaultNoBrowser:       {ExitEnvironment, http.StatusServiceUnavailable, false},
	FaultNoSandbox:       {ExitEnvironment, http.StatusServiceUnavailable, false},
	FaultNoNode:          {ExitEnvironment, http.StatusServiceUnavailable, false},
	FaultBrowserCrashed:  {ExitInternal, http.StatusServiceUnavailable, true},
	FaultCaptureTimeout:  {ExitInternal, http.StatusServiceUnavailable, true},
	FaultStarved:         {ExitEnvironment, http.StatusServiceUnavailable, true},
	FaultRegistry:        {ExitEnvironment, http.StatusServiceUnavailable, true},
	FaultInstallTimeout:  {ExitEnvironment, http.StatusServiceUnavailable, true},
	FaultDiskFull:        {ExitEnvironment, http.StatusInsufficientStorage, true},
	FaultUnwritable:      {ExitEnvironment, http.StatusInsufficientStorage, false},
	FaultUnsupportedKind: {ExitUsage, http.StatusUnprocessableEntity, false},
	FaultBuilderCannot:   {ExitUsage, http.StatusUnprocessableEntity, false},
	FaultJudge:           {ExitInternal, http.StatusBadGateway, true},
	FaultUnknownTask:     {ExitUsage, http.StatusUnprocessableEntity, false},
	FaultInterrupted:     {ExitInterrupted, http.StatusServiceUnavailable, true},
	FaultNoKey:           {ExitEnvironment, http.StatusServiceUnavailable, false},
	FaultRateLimited:     {ExitEnvironment, http.StatusTooManyRequests, true},
	FaultModelError:      {ExitEnvironment, http.StatusBadGateway, true},
	FaultModelRequest:    {ExitUsage, http.StatusUnprocessableEntity, false},
	FaultNoVision:        {ExitUsage, http.StatusUnprocessableEntity, false},
	FaultNoRecording:     {ExitEnvironment, http.StatusServiceUnavailable, false},
	FaultBudget:          {ExitBudget, http.StatusPaymentRequired, true},
	FaultBusy:            {ExitEnvironment, http.StatusTooManyRequests, true},
	FaultDeadline:        {ExitUnjudged, http.StatusGatewayTimeout, true},
	FaultPoison:          {ExitUnjudged, http.StatusUnprocessableEntity, false},
	FaultNoQueue:         {ExitEnvironment, http.StatusServiceUnavailable, true},
}

// Facts returns the exit code, HTTP status and retry advice of a cause. A code
// that is not in the table is a bug and reads as internal.
func (c FaultCode) Facts() FaultFacts {
	if f, ok := faults[c]; ok {
		return f
	}
	return faults[FaultInternal]
}

// A Fault is why something could not be judged. It is never the site's doing.
type Fault struct {
	Stage   string    `json:"stage"` // input, parse, build, capture, judge, reward, store, queue
	Code    FaultCode `json:"code"`
	Message string    `json:"message"`
	// Fix tells a person what to do about it; it may be empty.
	Fix string `json:"fix,omitempty"`
	err error
}

// NewFault wraps err, which may be nil, as a fault of a stage.
func NewFault(stage string, code FaultCode, err error, message string) *Fault {
	return &Fault{Stage: stage, Code: code, Message: message, err: err}
}

// WithFix adds what a person can do about it.
func (f *Fault) WithFix(fix string) *Fault {
	f.Fix = fix
	return f
}

func (f *Fault) Error() string {
	if f.err != nil {
		return fmt.Sprintf("%s: %s: %v", f.Stage, f.Message, f.err)
	}
	return fmt.Sprintf("%s: %s", f.Stage, f.Message)
}

func (f *Fault) Unwrap() error { return f.err }

// AsFault finds the fault in an error chain. An error without one is our bug in
// the given stage.
func AsFault(stage string, err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return NewFault(stage, FaultInternal, err, "unexpected error")
}
