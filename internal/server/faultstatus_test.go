package server

import (
	"testing"

	"vitrine"
)

func TestEveryCauseHasAnHTTPStatus(t *testing.T) {
	for _, cause := range vitrine.FaultCodes() {
		if _, ok := faultStatuses[cause]; !ok {
			t.Errorf("%s has no HTTP status", cause)
		}
	}
	for cause, want := range map[vitrine.FaultCode]int{vitrine.FaultBusy: 429, vitrine.FaultNoVision: 422, "no such cause": 500} {
		if got := faultStatus(cause); got != want {
			t.Errorf("%s is answered with %d, want %d", cause, got, want)
		}
	}
}
