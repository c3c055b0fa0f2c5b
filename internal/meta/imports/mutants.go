package imports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"vitrine/internal/meta/answers"
	"vitrine/internal/redteam"
)

// mutantOf is the name of a mutant: its page, the operator and the place.
var mutantOf = regexp.MustCompile(`^(.+)~(.+)-(\d+)$`)

// scored is what vitrine redteam writes of one page.
type scored struct {
	ID     string             `json:"id"`
	Reward *float64           `json:"reward"`
	Parts  map[string]float64 `json:"parts"`
	Why    string             `json:"why"`
}

// mutants reads what vitrine redteam --mutants --out wrote of each page: the reward, and its
// parts, such as looks and function, as answers to questions of their own. Pages that are
// written differently and do the same are versions of the honest ones, pages with a fault
// broken versions. Of a page that was scored again the last reward counts.
func mutants(dir string) (lines []answers.Line, err error) {
	pages, err := scoredPages(filepath.Join(dir, "rewards.jsonl"))
	if err != nil {
		return nil, err
	}
	broken := map[string]bool{}
	for _, o := range redteam.Operators() {
		broken[o.Name] = o.Kind != redteam.Equivalent
	}
	originals := map[string]bool{}
	for _, p := range pages {
		originals[p.ID] = true
	}
	for _, p := range pages {
		item := answers.Item{ID: p.ID, Kind: answers.Rating, Task: p.ID}
		if m := mutantOf.FindStringSubmatch(p.ID); m != nil && originals[m[1]] {
			fault, known := broken[m[2]]
			if !known {
				return nil, fmt.Errorf("%s is of an operator that is not known", p.ID)
			}
			item.VariantOf, item.Variant, item.Broken, item.Task = m[1], m[2], fault, m[1]
		}
		lines = append(lines, p.answers(item)...)
	}
	return lines, nil
}

// answers are the reward and its parts of an item.
func (p scored) answers(item answers.Item) (lines []answers.Line) {
	original := item.VariantOf
	add := func(question string, value *answers.Value) {
		item.ID, item.Question = p.ID+"#"+question, question
		if original != "" {
			item.VariantOf = original + "#" + question
		}
		a := answers.Answer{Item: item.ID, Judge: question, Value: value}
		if value == nil {
			a.Error = p.Why
		}
		lines = append(lines, itemLine(item), answerLine(a))
	}
	if p.Reward == nil {
		add("reward", nil)
		return lines
	}
	add("reward", answers.Number(*p.Reward))
	for _, part := range slices.Sorted(maps.Keys(p.Parts)) {
		add(part, answers.Number(p.Parts[part]))
	}
	return lines
}

// scoredPages reads rewards.jsonl. A line that was not written to its end is passed over.
func scoredPages(name string) (pages []scored, err error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for line := range bytes.Lines(content) {
		var p scored
		if json.Unmarshal(line, &p) != nil || p.ID == "" {
			continue
		}
		if n, again := at[p.ID]; again {
			pages[n] = p
			continue
		}
		at[p.ID], pages = len(pages), append(pages, p)
	}
	return pages, nil
}
