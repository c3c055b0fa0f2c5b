package imports

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/meta/answers"
)

// heuristics are the ten of Nielsen, by which the sites were judged, in lower case.
var heuristics = []string{
	"visibility of system status", "match between system and the real world", "user control and freedom", "consistency and standards",
	"error prevention", "recognition rather than recall", "flexibility and efficiency of use", "aesthetic and minimalist design",
	"help users recognize, diagnose, and recover from errors", "help and documentation",
}

var numbered = regexp.MustCompile(`^\d+\.\s*`)

// usability reads what GPT-4o says in each of three runs of a site by ten heuristics: how
// severe the issue is, 0 to 4, and whether there is one. As its authors do, a heuristic of
// which a run says nothing has severity 0 and no issue, names are taken without their number,
// those of no heuristic are left out, and of one that comes twice the first counts.
func usability(dir string) (lines []answers.Line, err error) {
	files, err := glob(dir, "results", "*", "eval*.json")
	if err != nil {
		return nil, err
	}
	type finding struct {
		Heuristic      string
		SeverityRating float64
		IssueFound     bool
	}
	said := map[string]map[int]map[string]finding{} // by site, run and heuristic
	var sites []string
	for _, file := range files {
		var findings []finding
		if err := readJSON(file, &findings); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(filepath.Dir(file)), err)
		}
		site := filepath.Base(filepath.Dir(file))
		if said[site] == nil {
			sites = append(sites, site)
			said[site] = map[int]map[string]finding{1: {}, 2: {}, 3: {}}
		}
		number := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "eval"), ".json")) // one is "eval 3"
		n, err := strconv.Atoi(number)
		run := said[site][n]
		if err != nil || run == nil {
			return nil, fmt.Errorf("%s: %s is no run; want eval1, eval2 or eval3", site, filepath.Base(file))
		}
		for _, f := range findings {
			name := strings.ToLower(numbered.ReplaceAllString(strings.TrimSpace(f.Heuristic), ""))
			if _, twice := run[name]; !twice && slices.Contains(heuristics, name) {
				run[name] = f
			}
		}
	}
	for _, site := range sites {
		for _, h := range heuristics {
			severity, issue := site+"#"+h+"#severity", site+"#"+h+"#issue"
			lines = append(lines,
				itemLine(answers.Item{ID: severity, Kind: answers.Rating, Question: "severity", Task: site, Category: h}),
				itemLine(answers.Item{ID: issue, Kind: answers.Unit, Question: "issue", Task: site, Category: h}))
			for run := 1; run <= 3; run++ {
				f := said[site][run][h]
				lines = append(lines,
					answerLine(answers.Answer{Item: severity, Judge: "gpt-4o", Repeat: run, Value: answers.Number(f.SeverityRating)}),
					answerLine(answers.Answer{Item: issue, Judge: "gpt-4o", Repeat: run, Value: answers.Bool(f.IssueFound)}))
			}
		}
	}
	return lines, nil
}

// mercilessCat reads the grades of 1,000 pages. Where the judge failed its grade is 0 and its
// reason begins with ERROR: that is no grade. The overall grade, a mean with caps of the three,
// is one only where all three are.
func mercilessCat(dir string) (lines []answers.Line, err error) {
	files, err := glob(dir, "results", "*_*.json")
	if err != nil {
		return nil, err
	}
	type graded struct {
		Score  float64 `json:"score"`
		Reason string  `json:"reason"`
	}
	for _, file := range files {
		var row struct {
			ID         string  `json:"row_id"`
			Category   string  `json:"category"`
			Functional graded  `json:"functional"`
			Usability  graded  `json:"usability"`
			Aesthetic  graded  `json:"aesthetic"`
			Overall    float64 `json:"overall_score"`
		}
		if err := readJSON(file, &row); err != nil {
			return nil, err
		}
		overall := graded{Score: row.Overall}
		grades := []graded{row.Functional, row.Usability, row.Aesthetic}
		for _, g := range grades {
			if reason, failed := strings.CutPrefix(g.Reason, "ERROR"); failed && overall.Reason == "" {
				overall.Reason = "ERROR: a part has no grade" + reason
			}
		}
		for n, g := range append(grades, overall) {
			question := []string{"functional", "usability", "aesthetic", "overall"}[n]
			a := answers.Answer{Item: row.ID + "#" + question, Judge: "opendesign-html-evaluator", Value: answers.Number(g.Score)}
			if reason, failed := strings.CutPrefix(g.Reason, "ERROR"); failed {
				a.Value, a.Error = nil, strings.TrimPrefix(reason, ": ")
			}
			lines = append(lines, itemLine(answers.Item{ID: a.Item, Kind: answers.Rating, Question: question, Task: row.ID, Category: row.Category}), answerLine(a))
		}
	}
	return lines, nil
}

// table reads a CSV file of one's own: item and value, with rater or judge, and if there are
// such columns kind, question, task, category, model, split, variant_of, variant, broken,
// template, repeat, swapped, seconds, usd, instruction, asks, and evidence, page or picture. What is asked by two templates is two items.
// The kind is pair if all values are A, B or tie, unit if they are true or false, rating if
// one is a number, which all must be then, else class. A cell that cannot be read is an error.
func table(path string) (lines []answers.Line, err error) {
	rows, err := readCSV(path)
	if err != nil {
		return nil, err
	}
	if err := hasColumns(rows); err != nil {
		return nil, err
	}
	kinds := map[string]answers.Kind{}
	byQuestion := map[string][]string{}
	for _, row := range rows {
		if row["value"] != "" {
			row["value"] = lowerBool(row["value"])
			byQuestion[row["question"]] = append(byQuestion[row["question"]], row["value"])
		}
	}
	for question, values := range byQuestion {
		kinds[question] = kindOf(values)
	}
	known := map[string]bool{}
	for n, row := range rows {
		if row["item"] == "" || (row["rater"] == "") == (row["judge"] == "") {
			return nil, fmt.Errorf("row %d: want an item, and either a rater or a judge", n+1)
		}
		item := itemOf(row, filepath.Dir(path))
		if item.Kind == "" {
			item.Kind = kinds[row["question"]]
		}
		if item.Kind.Words() == "" {
			return nil, fmt.Errorf("row %d: the kind is %q, in the column kind or by the values of the question; want pair, unit, rating or class", n+1, item.Kind)
		}
		id, kind := item.ID, item.Kind
		if again := fmt.Sprint(item); !known[again] {
			known[again] = true // what a later row adds is joined on reading
			lines = append(lines, itemLine(item))
		}
		line, err := saidIn(row, n, id, kind)
		if err != nil {
			return nil, err
		}
		if line != nil {
			lines = append(lines, *line)
		}
	}
	return lines, nil
}

// hasColumns says which column is missing of those that no table can do without.
func hasColumns(rows []map[string]string) error {
	if len(rows) == 0 {
		return errors.New("it has no rows")
	}
	has := func(column string) bool { _, there := rows[0][column]; return there }
	for _, column := range []string{"item", "value"} {
		if !has(column) {
			return fmt.Errorf("there is no column %q, only %s", column, strings.Join(slices.Sorted(maps.Keys(rows[0])), ", "))
		}
	}
	if !has("rater") && !has("judge") {
		return errors.New("there is no column rater, and none judge: who gave the values is not told")
	}
	return nil
}

// saidIn is what a rater or a judge says in row n, from 0, of an item; nil where a rater says
// nothing of it.
func saidIn(row map[string]string, n int, id string, kind answers.Kind) (*answers.Line, error) {
	value := answers.Text(row["value"])
	if v := grade(row["value"]); v != nil && kind == answers.Rating {
		value = v
	}
	if row["value"] == "" {
		value = nil
	} else if kind == answers.Rating && math.IsNaN(value.Number) {
		return nil, fmt.Errorf("row %d, column value: %q is no finite number, as other values of the question are; leave it empty where there is none, or say class in the column kind", n+1, row["value"])
	} else if err := value.Fits(kind); err != nil {
		return nil, fmt.Errorf("row %d, column value: %w", n+1, err)
	}
	if row["rater"] != "" && value == nil {
		return nil, nil
	}
	seconds, err := amount(row, n, "seconds")
	if err != nil {
		return nil, err
	}
	usd, err := amount(row, n, "usd")
	if err != nil {
		return nil, err
	}
	if row["rater"] != "" {
		line := labelLine(answers.Label{Item: id, Rater: row["rater"], Value: value, Seconds: seconds})
		return &line, nil
	}
	repeat, err := strconv.Atoi(cmp.Or(row["repeat"], "1"))
	if err != nil || repeat < 1 {
		return nil, fmt.Errorf("row %d, column repeat: %q is no number from 1", n+1, row["repeat"])
	}
	swapped := lowerBool(row["swapped"])
	if swapped != "" && swapped != "true" && swapped != "false" {
		return nil, fmt.Errorf("row %d, column swapped: %q; want true or false", n+1, row["swapped"])
	}
	line := answerLine(answers.Answer{Item: id, Judge: row["judge"], Value: value, Repeat: repeat, Swapped: swapped == "true", Seconds: seconds, USD: usd})
	return &line, nil
}

// itemOf is the item of a row.
func itemOf(row map[string]string, dir string) answers.Item {
	named := func(item string) string {
		for _, part := range []string{row["question"], row["template"]} {
			if item != "" && part != "" {
				item += "#" + part
			}
		}
		return item
	}
	return answers.Item{
		ID: named(row["item"]), Kind: answers.Kind(row["kind"]), Question: row["question"], Task: row["task"], Category: row["category"],
		Model: row["model"], Split: row["split"], VariantOf: named(row["variant_of"]), Variant: row["variant"], Broken: lowerBool(row["broken"]) == "true",
		Template: row["template"], Instruction: row["instruction"], Asks: row["asks"], Shown: shownIn(row, dir),
	}
}

// shownIn is what a row shows: evidence, a page or a picture, or the two of a pair in the
// columns that begin with a_ and b_. Paths are relative to the folder of the table.
func shownIn(row map[string]string, dir string) (shown []answers.Thing) {
	path := func(column string) string {
		if row[column] == "" || filepath.IsAbs(row[column]) {
			return row[column]
		}
		return absolute(filepath.Join(dir, row[column]))
	}
	for _, side := range []string{"", "a_", "b_"} {
		t := answers.Thing{Evidence: path(side + "evidence"), Page: path(side + "page"), Picture: path(side + "picture")}
		if t != (answers.Thing{}) {
			shown = append(shown, t)
		}
	}
	return shown
}

func kindOf(values []string) answers.Kind {
	all := func(ok func(v string) bool) bool {
		return !slices.ContainsFunc(values, func(v string) bool { return !ok(v) })
	}
	switch {
	case all(func(v string) bool { return v == "A" || v == "B" || v == "tie" }):
		return answers.Pair
	case all(func(v string) bool { return v == "true" || v == "false" }):
		return answers.Unit
	case slices.ContainsFunc(values, func(v string) bool { return grade(v) != nil }):
		return answers.Rating
	}
	return answers.Class
}

// amount is a number from 0 in a cell, nil where that is empty.
func amount(row map[string]string, n int, column string) (*float64, error) {
	if row[column] == "" {
		return nil, nil
	}
	v := grade(row[column])
	if v == nil || v.Number < 0 {
		return nil, fmt.Errorf("row %d, column %s: %q is no finite number from 0", n+1, column, row[column])
	}
	return &v.Number, nil
}

// lowerBool is true or false in any case in lower case, and anything else as it is.
func lowerBool(cell string) string {
	if lower := strings.ToLower(cell); lower == "true" || lower == "false" {
		return lower
	}
	return cell
}
