package sites

import (
	"encoding/json"
	"testing"

	"vitrine/internal/inputs"
)

func TestTasksOfNumbersKeepTheirIds(t *testing.T) {
	for row, want := range map[string]string{
		`{"task_id":12345678901234567890,"kind":"page"}`: "12345678901234567890",
		`{"task_id":"t","kind":"page"}`:                  "t",
		`{"task_id":null,"kind":"page"}`:                 "own",
		`{"task_id":{"a":1},"kind":"page"}`:              "own",
		`{"kind":"page"}`:                                "own",
	} {
		if got := read(inputs.Record{ID: "own", Row: json.RawMessage(row)}); string(got.TaskID) != want || got.Kind != "page" {
			t.Errorf("%s: %+v, want task %s", row, got, want)
		}
	}
}
