package agent

import (
	"strings"
	"testing"

	"vitrine/internal/model/fence"
)

func TestEveryPromptIsWhole(t *testing.T) {
	t.Parallel()
	for name, marked := range map[string]bool{"plan": true, "aesthetics": true, "test": true, "execute-static": false, "execute-dynamic": false, "execute-intention": false} {
		p, err := load(name)
		if err != nil {
			t.Fatal(err)
		}
		b := brief{instruction: "a shop for tea", items: "the leaves", kind: "the requirement", most: 7}
		if !marked {
			b.grid = grid{coordinates: Pixels, width: 640, height: 480}.words()
		}
		f := fence.New([]string{"x"})
		system, body, err := p.render(b, f)
		if err != nil || strings.Contains(system+body, "<no value>") || strings.Contains(system+body, "{{") {
			t.Errorf("%s: %v\n%s\n%s", name, err, system, body)
		}
		if !strings.Contains(body, f.Around("instruction", "a shop for tea")) || name != "plan" && !strings.Contains(body, f.Around("the requirement", "the leaves")) {
			t.Errorf("%s does not show the instruction and the items as data:\n%s", name, body)
		}
		if strings.Contains(system, "finished(") == marked || strings.Contains(system, "640") == marked || strings.Contains(system, "JSON") != marked {
			t.Errorf("%s speaks of the wrong kind of answer:\n%s", name, system)
		}
	}
}
