package main

import (
	"fmt"

	"vitrine"
)

// Exit codes of every command.
const (
	exitOK          = 0
	exitInternal    = 1
	exitUsage       = 2
	exitEnvironment = 3
	exitUnjudged    = 4
	exitBudget      = 5
	exitThreshold   = 99
	exitInterrupted = 130
)

// exitCodes are those of commands that stop on a cause.
var exitCodes = map[vitrine.FaultCode]int{
	vitrine.FaultInternal:        exitInternal,
	vitrine.FaultUsage:           exitUsage,
	vitrine.FaultInvalidInput:    exitUsage,
	vitrine.FaultNoBrowser:       exitEnvironment,
	vitrine.FaultNoSandbox:       exitEnvironment,
	vitrine.FaultNoNode:          exitEnvironment,
	vitrine.FaultNoPython:        exitEnvironment,
	vitrine.FaultBrowserCrashed:  exitInternal,
	vitrine.FaultCaptureTimeout:  exitInternal,
	vitrine.FaultStarved:         exitEnvironment,
	vitrine.FaultRegistry:        exitEnvironment,
	vitrine.FaultInstallTimeout:  exitEnvironment,
	vitrine.FaultDiskFull:        exitEnvironment,
	vitrine.FaultUnwritable:      exitEnvironment,
	vitrine.FaultUnsupportedKind: exitUsage,
	vitrine.FaultBuilderCannot:   exitUsage,
	vitrine.FaultJudge:           exitUnjudged,
	vitrine.FaultUnknownTask:     exitUsage,
	vitrine.FaultInterrupted:     exitInterrupted,
	vitrine.FaultNoKey:           exitEnvironment,
	vitrine.FaultRateLimited:     exitEnvironment,
	vitrine.FaultModelError:      exitEnvironment,
	vitrine.FaultModelRequest:    exitUsage,
	vitrine.FaultNoVision:        exitUsage,
	vitrine.FaultNoRecording:     exitEnvironment,
	vitrine.FaultBudget:          exitBudget,
	vitrine.FaultBusy:            exitEnvironment,
	vitrine.FaultDeadline:        exitUnjudged,
	vitrine.FaultPoison:          exitUnjudged,
	vitrine.FaultNoQueue:         exitEnvironment,
	vitrine.FaultNoWorker:        exitEnvironment,
}

// exitCode is the exit code of a cause. One that is not in the table is a bug of
// ours.
func exitCode(cause vitrine.FaultCode) int {
	if code, ok := exitCodes[cause]; ok {
		return code
	}
	return exitInternal
}

// exit is an error that only carries an exit code: all was said already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }
