package bench

import (
	"bytes"
	"encoding/json"

	"vitrine"
)

// Texts are what a benchmark asks, as JSON lines of id and instruction: of one whose tasks are
// done in steps each step.
func Texts(b Benchmark, tasks []vitrine.Task) ([]byte, error) {
	var all bytes.Buffer
	lines := json.NewEncoder(&all)
	stepped, inSteps := b.(Stepped)
	for _, t := range tasks {
		ids, texts := []string{t.ID}, []string{t.Instruction}
		if inSteps {
			ids, texts = stepped.StepIDs(t), nil
			for _, c := range t.TestCases {
				texts = append(texts, c.Task)
			}
		}
		for i, id := range ids {
			if err := lines.Encode(map[string]string{"id": id, "instruction": texts[i]}); err != nil {
				return nil, err
			}
		}
	}
	return all.Bytes(), nil
}
