package meta

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"vitrine"
)

// verdicts are the labels of a pair.
var verdicts = []vitrine.Verdict{vitrine.VerdictA, vitrine.VerdictB, vitrine.VerdictTie}

// A Pair is two sites to be compared, with the label that people gave them, empty
// without one.
type Pair struct {
	ID       string          `json:"id,omitempty"`
	A        string          `json:"a"` // evidence folder, or what can be rendered; in the file relative to it
	B        string          `json:"b"`
	Rubric   string          `json:"rubric,omitempty"` // file of the rubric tree of both
	Category string          `json:"category,omitempty"`
	Label    vitrine.Verdict `json:"label,omitempty"`
}

// ReadPairs reads a file of pairs, a JSON object each. Paths are made relative to the
// working folder.
func ReadPairs(flag, file string) ([]Pair, error) {
	return readSet(flag, file, `each line is {"a":"evidence/1a","b":"evidence/1b","label":"A"}, see docs/judges.md`, func(p *Pair) error {
		if p.A == "" || p.B == "" {
			return errors.New("a or b is missing; want a folder each")
		}
		if p.Label != "" && !slices.Contains(verdicts, p.Label) {
			return fmt.Errorf("the label is %q; want A, B or tie", p.Label)
		}
		for _, path := range []*string{&p.A, &p.B, &p.Rubric} {
			if *path != "" && !filepath.IsAbs(*path) {
				*path = filepath.Join(filepath.Dir(file), *path)
			}
		}
		return nil
	})
}

// ReadPreferences reads a file of pairs with their labels and comparisons, a JSON object
// each, such as vitrine compare --pairs writes. Faults are those of commands.
func ReadPreferences(flag, file string) ([]Preference, error) {
	return readSet(flag, file, `each line is {"label":"A","category":"…","comparison":…}, see docs/judges.md`, func(p *Preference) error {
		switch {
		case !slices.Contains(verdicts, p.Label):
			return fmt.Errorf("the label is %q; want A, B or tie", p.Label)
		case p.Comparison.Verdict != "" && !slices.Contains(verdicts, p.Comparison.Verdict):
			return fmt.Errorf("the verdict is %q; want A, B or tie, or an empty one", p.Comparison.Verdict)
		}
		return nil
	})
}

// ReadFeasibilities reads a file of tasks with labels and answers, a JSON object each.
func ReadFeasibilities(flag, file string) ([]Feasibility, error) {
	type row struct {
		Feasibility
		Label *bool `json:"label"`
	}
	rows, err := readSet(flag, file, `each line is {"label":true,"feasible":false}, see docs/judges.md`, func(r *row) error {
		if r.Label == nil {
			return errors.New("the label is missing; want true or false")
		}
		return nil
	})
	var tasks []Feasibility
	for _, r := range rows {
		r.Feasibility.Label = *r.Label
		tasks = append(tasks, r.Feasibility)
	}
	return tasks, err
}

// readSet reads a file of JSON objects, on a line each or not.
func readSet[T any](flag, file, fix string, check func(*T) error) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, usage(err, flag+": cannot read "+file, fix)
	}
	defer f.Close()
	rows, err := parseSet(f, check)
	if err != nil {
		return nil, usage(err, fmt.Sprintf("%s: %s cannot be used", flag, file), fix)
	}
	return rows, nil
}

func parseSet[T any](r io.Reader, check func(*T) error) (rows []T, err error) {
	for in := json.NewDecoder(r); ; {
		var row T
		err := in.Decode(&row)
		if errors.Is(err, io.EOF) && len(rows) > 0 {
			return rows, nil
		}
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		if err == nil {
			err = check(&row)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
}
