package examples

import (
	"encoding/json"
	"fmt"
	"strings"

	"vitrine"
)

// expectation is what a demo output says of itself.
type expectation struct {
	Outcome vitrine.Outcome `json:"outcome"`
	Lowest  []string        `json:"lowest"` // checks that find fault with it
}

// A Result is one output of [Demo] with what became of it.
type Result struct {
	ID       string          `json:"id"`
	Shows    string          `json:"shows"`
	Expected vitrine.Outcome `json:"expected"`
	Outcome  vitrine.Outcome `json:"outcome"`
	Reward   *float64        `json:"reward"`
	AsMeant  bool            `json:"as_meant"`
	Why      string          `json:"why,omitempty"`
}

// Compare holds a sample of [Demo] against what it was written to show.
func Compare(sample vitrine.Sample) Result {
	row := Result{ID: sample.ID, Outcome: sample.Outcome, Reward: sample.Reward}
	var want expectation
	_ = json.Unmarshal(sample.Meta["shows"], &row.Shows)
	_ = json.Unmarshal(sample.Meta["expect"], &want)
	row.Expected = want.Outcome
	var wrong []string
	if sample.Outcome != want.Outcome {
		wrong = append(wrong, fmt.Sprintf("expected %s, got %s: %s", want.Outcome, sample.Outcome, sample.Why))
	}
	if sample.Error != nil {
		wrong = append(wrong, sample.Error.Error())
	}
	for _, check := range want.Lowest {
		if score, ok := scoreOf(sample, check); !ok || score > 0.7 {
			wrong = append(wrong, fmt.Sprintf("%s should find fault, but gives %.2f", check, score))
		}
	}
	row.AsMeant, row.Why = len(wrong) == 0, strings.Join(wrong, "; ")
	return row
}

func scoreOf(sample vitrine.Sample, check string) (float64, bool) {
	for _, f := range sample.Findings {
		if f.Check == check && f.Score != nil {
			return *f.Score, true
		}
	}
	return 0, false
}
