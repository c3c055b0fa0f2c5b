package main

import (
	"testing"

	"vitrine"
)

func TestEveryCauseHasAnExitCode(t *testing.T) {
	for _, cause := range vitrine.FaultCodes() {
		if _, ok := exitCodes[cause]; !ok {
			t.Errorf("%s has no exit code", cause)
		}
	}
	for cause, want := range map[vitrine.FaultCode]int{
		vitrine.FaultNoBrowser: 3, vitrine.FaultNoNode: 3, vitrine.FaultNoKey: 3, vitrine.FaultRegistry: 3, vitrine.FaultDiskFull: 3, vitrine.FaultUnwritable: 3,
		vitrine.FaultNoVision: 2, vitrine.FaultJudge: 4, vitrine.FaultBudget: 5, "no such cause": 1,
	} {
		if got := exitCode(cause); got != want {
			t.Errorf("%s exits with %d, want %d", cause, got, want)
		}
	}
}
