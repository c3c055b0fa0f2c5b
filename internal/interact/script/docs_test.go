package script

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var example = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The documentation shows every word of the language, in examples that are read.
func TestDocsShowEveryForm(t *testing.T) {
	text, err := os.ReadFile("../../../docs/scripts.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, m := range example.FindAllStringSubmatch(string(text), -1) {
		scripts, err := Parse("docs/scripts.md", []byte(m[1]))
		if err != nil {
			t.Fatalf("%v\n%s", err, m[1])
		}
		for _, step := range scripts[0].Steps {
			word, _, _ := strings.Cut(step.String(), ":")
			shown[word] = true
			for _, c := range step.Expect {
				shown[string(c.Kind)], shown[string(c.Compare)] = true, true
			}
		}
	}
	for _, word := range slices.Concat(actions, expectations, kindNames(), []string{"is", "contains", "at_least", "at_most"}) {
		if !shown[word] {
			t.Errorf("docs/scripts.md has no example of %s", word)
		}
	}
}
