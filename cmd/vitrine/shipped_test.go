package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"vitrine/internal/data/flow"
	"vitrine/internal/model/modeltest"
)

// TestEveryShippedPipelineIsRun by a script, from its inputs to its rows.
func TestEveryShippedPipelineIsRun(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "script", "data-shipped.txtar"))
	must(t, err)
	for _, name := range flow.Shipped() {
		if !regexp.MustCompile(`(?m)^exec vitrine data run ` + name + ` .*--limit 20 `).Match(text) {
			t.Errorf("no script runs %s with --limit 20", name)
		}
	}
}

var howMany = regexp.MustCompile(`(?:Think of|Write) (\d+) `)

// staff answers what the pipelines that ship ask, each question in the form of its schema. Equal
// questions have equal answers.
func staff(q modeltest.Question) string {
	var schema form
	_ = json.Unmarshal(q.Schema, &schema) // none is a form without properties
	seed := crc32.ChecksumIEEE([]byte(q.Text))
	for _, image := range q.Images {
		seed = crc32.Update(seed, crc32.IEEETable, image.Data)
	}
	asked := func(property string) bool { _, is := schema.Properties[property]; return is }
	switch {
	case asked("keywords"):
		return list("keywords", q.Text, seed)
	case asked("instructions"):
		return list("instructions", q.Text, seed)
	case asked("instruction"):
		return `{"category": "3D design", "instruction": "` + strings.Repeat("word ", 49) + `word"}`
	case asked("tasks"):
		return `{"tasks": [{"task": "Read the heading", "expected_result": "It names what is sold"}]}`
	case asked("verdict"):
		verdict := []string{"YES", "NO"}[seed%2]
		return `{"thought": "So.", "action": "answer", "mark": null, "text": null, "submit": null, "direction": "none", "reason": "It is seen.", "verdict": "` + verdict + `"}`
	case asked("topic"):
		return `{"reason": "It is not there.", "topic": "Missing element", "sure": true}`
	case asked("safe"):
		return `{"reason": "It is.", "safe": true, "category": "none"}`
	case asked("valid"):
		return `{"reason": "It is a page.", "valid": true}`
	case asked("grade"):
		return `{"analysis": "Calm.", "grade": 4}`
	case asked("score") && strings.Contains(q.Text, "interaction"):
		return `{"reason": "Much to do.", "score": 8}`
	case asked("score"):
		return `{"reason": "Clear.", "score": 4}`
	case asked("alignment"):
		more := float64(seed%3000) / 100
		return fmt.Sprintf(`{"feedback": "Calm.", "alignment": 30, "aesthetics": %g, "structure": 20, "total": %g}`, more, 50+more)
	case strings.Contains(q.System, "```python"):
		return "```python\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()\n```"
	}
	return "```html\n" + strings.ReplaceAll(page, "Tea", things[seed%4]) + "```"
}

var things = strings.Fields("lamps teas trains stamps birds ovens boats clocks maps shoes herbs tiles coins pens plants bikes chairs")

// list is as many short texts as the question asks for.
func list(key, question string, seed uint32) string {
	n, _ := strconv.Atoi(howMany.FindStringSubmatch(question)[1])
	texts := make([]string, n)
	for i := range texts {
		at := int(seed%1_000_003) + i
		texts[i] = fmt.Sprintf("%s and %s for lovers of %s", things[at%17], things[at/17%17], things[at/289%17])
	}
	b, _ := json.Marshal(map[string]any{key: texts}) // of texts, which cannot fail
	return string(b)
}
