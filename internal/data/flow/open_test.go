package flow_test

import (
	"errors"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/flow"
)

// TestSummariesOfStrangersAreNotTrusted: none leads out of its folder or breaks a reader.
func TestSummariesOfStrangersAreNotTrusted(t *testing.T) {
	const good = `{"pipeline":{"name":"x"},"steps":[{"name":"in","kind":"source","key":"k","files":[{"name":"kept.jsonl"}]}],"results":[{"name":"kept.jsonl"}]}`
	dir := t.TempDir()
	write(t, dir, flow.SummaryFile, good)
	sum, err := flow.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	_ = sum.Card()
	for old, bad := range map[string]string{
		`"results":[{"name":"kept.jsonl"}]`: `"results":[{"name":"../kept.jsonl"}]`,
		`"name":"in"`:                       `"name":"in/../.."`,
		`"key":"k"`:                         `"key":"/../../k"`,
		`{"name":"x"}`:                      `null`,
		`"files":[{"name":"kept.jsonl"}]`:   `"files":[]`,
		`"steps":[`:                         `"steps":[{"name":"a","files":[{"name":"/etc/passwd"}]},`,
	} {
		write(t, dir, flow.SummaryFile, strings.Replace(good, old, bad, 1))
		var fault *vitrine.Fault
		if _, err := flow.Open(dir); !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
			t.Errorf("%s is taken: %v", bad, err)
		}
	}
}
