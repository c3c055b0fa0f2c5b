package vitrine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A FaultCode is the typed cause of a sample that could not be judged, or of a
// command that could not do its work.
type FaultCode string

// Every cause, in one list. The commands map each to an exit code, the server to an
// HTTP status.
const (
	FaultInternal        FaultCode = "internal"         // our bug
	FaultUsage           FaultCode = "usage"            // flags, recipe or input
	FaultInvalidInput    FaultCode = "invalid_input"    // one bad line of an input file
	FaultNoBrowser       FaultCode = "no_browser"       // Chromium is missing or does not start
	FaultNoSandbox       FaultCode = "no_sandbox"       // bubblewrap is missing or refused
	FaultNoNode          FaultCode = "no_node"          // Node.js or npm is missing
	FaultNoPython        FaultCode = "no_python"        // Python or a library that plots need is missing
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
	FaultDeadline        FaultCode = "deadline"         // no worker took it before its deadline
	FaultPoison          FaultCode = "poison"           // it ended a process of its own, twice
	FaultNoQueue         FaultCode = "no_queue"         // the queue's server could not be reached
	FaultNoWorker        FaultCode = "no_worker"        // no worker was there that may take it
)

// retryable holds every cause: whether the same work may succeed later.
var retryable = map[FaultCode]bool{
	FaultInternal:        false,
	FaultUsage:           false,
	FaultInvalidInput:    false,
	FaultNoBrowser:       false,
	FaultNoSandbox:       false,
	FaultNoNode:          false,
	FaultNoPython:        false,
	FaultBrowserCrashed:  true,
	FaultCaptureTimeout:  true,
	FaultStarved:         true,
	FaultRegistry:        true,
	FaultInstallTimeout:  true,
	FaultDiskFull:        true,
	FaultUnwritable:      false,
	FaultUnsupportedKind: false,
	FaultBuilderCannot:   false,
	FaultJudge:           true,
	FaultUnknownTask:     false,
	FaultInterrupted:     true,
	FaultNoKey:           false,
	FaultRateLimited:     true,
	FaultModelError:      true,
	FaultModelRequest:    false,
	FaultNoVision:        false,
	FaultNoRecording:     false,
	FaultBudget:          true,
	FaultBusy:            true,
	FaultDeadline:        true,
	FaultPoison:          false,
	FaultNoQueue:         true,
	FaultNoWorker:        true,
}

// FaultCodes are all causes, in alphabetical order.
func FaultCodes() []FaultCode { return slices.Sorted(maps.Keys(retryable)) }

// Retryable reports whether the same work may succeed later.
func (c FaultCode) Retryable() bool { return retryable[c] }

// Stops reports whether everything else of a run would fail alike.
func (c FaultCode) Stops() bool {
	return c == FaultDiskFull || c == FaultUnwritable || c == FaultNoKey || c == FaultBudget
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
