package server

import (
	"net/http"

	"vitrine"
)

// faultStatuses are the HTTP statuses of requests that stop on a cause.
var faultStatuses = map[vitrine.FaultCode]int{
	vitrine.FaultInternal:        http.StatusInternalServerError,
	vitrine.FaultUsage:           http.StatusBadRequest,
	vitrine.FaultInvalidInput:    http.StatusBadRequest,
	vitrine.FaultNoBrowser:       http.StatusServiceUnavailable,
	vitrine.FaultNoSandbox:       http.StatusServiceUnavailable,
	vitrine.FaultNoNode:          http.StatusServiceUnavailable,
	vitrine.FaultNoPython:        http.StatusServiceUnavailable,
	vitrine.FaultBrowserCrashed:  http.StatusServiceUnavailable,
	vitrine.FaultCaptureTimeout:  http.StatusServiceUnavailable,
	vitrine.FaultStarved:         http.StatusServiceUnavailable,
	vitrine.FaultRegistry:        http.StatusServiceUnavailable,
	vitrine.FaultInstallTimeout:  http.StatusServiceUnavailable,
	vitrine.FaultDiskFull:        http.StatusInsufficientStorage,
	vitrine.FaultUnwritable:      http.StatusInsufficientStorage,
	vitrine.FaultUnsupportedKind: http.StatusUnprocessableEntity,
	vitrine.FaultBuilderCannot:   http.StatusUnprocessableEntity,
	vitrine.FaultJudge:           http.StatusBadGateway,
	vitrine.FaultUnknownTask:     http.StatusUnprocessableEntity,
	vitrine.FaultInterrupted:     http.StatusServiceUnavailable,
	vitrine.FaultNoKey:           http.StatusServiceUnavailable,
	vitrine.FaultRateLimited:     http.StatusTooManyRequests,
	vitrine.FaultModelError:      http.StatusBadGateway,
	vitrine.FaultModelRequest:    http.StatusUnprocessableEntity,
	vitrine.FaultNoVision:        http.StatusUnprocessableEntity,
	vitrine.FaultNoRecording:     http.StatusServiceUnavailable,
	vitrine.FaultBudget:          http.StatusPaymentRequired,
	vitrine.FaultBusy:            http.StatusTooManyRequests,
	vitrine.FaultDeadline:        http.StatusGatewayTimeout,
	vitrine.FaultPoison:          http.StatusUnprocessableEntity,
	vitrine.FaultNoQueue:         http.StatusServiceUnavailable,
	vitrine.FaultNoWorker:        http.StatusServiceUnavailable,
}

// faultStatus is the HTTP status of a cause. One that is not in the table is a bug
// of ours.
func faultStatus(cause vitrine.FaultCode) int {
	if status, ok := faultStatuses[cause]; ok {
		return status
	}
	return http.StatusInternalServerError
}
