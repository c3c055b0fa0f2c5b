package bench

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// Published is a row of a table that somebody else published.
type Published struct {
	Model  string             `json:"model"`
	Source string             `json:"source"` // paper and table
	Values map[string]float64 `json:"values"` // by key of our columns, in the units of the paper
}

// A Sheet is a CSV file of values by model: comment lines "# name: value" at its head,
// then a line of titles of which the first is model, then a line a model. An empty cell
// and "–" are no value.
type Sheet struct {
	About  map[string]string // of the comment lines
	Titles []string          // of the columns after model
	Models []string
	Values []map[string]float64 // of each model, by title
}

// ParseSheet reads a sheet. Faults name the line.
func ParseSheet(name string, content []byte) (Sheet, error) {
	s := Sheet{About: map[string]string{}}
	content = bytes.TrimPrefix(content, []byte("\ufeff")) // as spreadsheets write it
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		text, comment := strings.CutPrefix(lines.Text(), "#")
		if key, value, ok := strings.Cut(text, ":"); comment && ok {
			s.About[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	r := csv.NewReader(bytes.NewReader(content))
	r.Comment, r.TrimLeadingSpace = '#', true
	rows, err := r.ReadAll()
	switch {
	case err != nil:
		return s, vitrine.NewFault("input", vitrine.FaultUsage, err, name+" is no CSV").WithFix("write a line of titles, then a line a model, each with as many cells")
	case len(rows) == 0 || len(rows[0]) < 2 || strings.TrimSpace(rows[0][0]) != "model":
		return s, usage(name+" has no columns model and another", "begin it with a line of titles such as model,score")
	}
	s.Titles = rows[0][1:]
	seen := map[string]bool{}
	for i, row := range rows[1:] {
		if seen[row[0]] {
			return s, usage(fmt.Sprintf("%s has the model %q twice", name, row[0]), "leave one out")
		}
		seen[row[0]] = true
		values := map[string]float64{}
		for j, cell := range row[1:] {
			cell = strings.TrimSpace(cell)
			if cell == "" || cell == "–" || cell == "-" {
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return s, usage(fmt.Sprintf("%s: row %d, column %s: %q is no number", name, i+1, s.Titles[j], cell), "leave the cell empty where there is no value")
			}
			values[s.Titles[j]] = v
		}
		s.Models, s.Values = append(s.Models, row[0]), append(s.Values, values)
	}
	return s, nil
}

// WithPublished adds the rows of the sheets that are of the table's benchmark.
func (t Table) WithPublished(sheets fs.FS) (Table, error) {
	names, err := fs.Glob(sheets, "*.csv")
	if err != nil {
		return t, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(sheets, name)
		if err != nil {
			return t, err
		}
		s, err := ParseSheet(name, content)
		if err != nil {
			return t, err
		}
		if slices.Contains(strings.Split(s.About["benchmark"], ", "), t.Benchmark) {
			t.Published = append(t.Published, t.published(s)...)
		}
	}
	return t, nil
}

// published are the rows of a sheet that say something in a column of the table.
func (t Table) published(s Sheet) (rows []Published) {
	for i, m := range s.Models {
		p := Published{Model: m, Source: s.About["source"], Values: map[string]float64{}}
		for _, c := range t.Columns {
			if v, ok := s.Values[i][c.Published]; ok && c.Published != "" {
				p.Values[c.Key] = v
			}
		}
		if len(p.Values) > 0 {
			rows = append(rows, p)
		}
	}
	return rows
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
