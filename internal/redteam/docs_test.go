package redteam

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDocsNameEveryOperatorAndGenerator(t *testing.T) {
	doc, err := os.ReadFile("../../docs/gaming.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{}
	for _, o := range Operators() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", o.Name, o.Kind, o.Says))
	}
	for _, g := range Generators() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", g.Name, g.Says))
	}
	for _, row := range rows {
		if !strings.Contains(string(doc), row+"\n") {
			t.Errorf("docs/gaming.md lacks the row\n%s", row)
		}
	}
}
