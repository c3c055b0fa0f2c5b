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
