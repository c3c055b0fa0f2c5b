package imports

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"vitrine/internal/meta/answers"
)

// interaction2Code reads the labels of human_evaluation: of each interaction that a model
// made under a prompt its failure and whether it is usable, and whether it beats the one of
// Gemini under the direct prompt. There is one label of each; who gave it is not told.
func interaction2Code(dir string) (lines []answers.Line, err error) {
	failures, err := glob(dir, "human_evaluation", "failure", "*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range failures {
		model := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "failure_"), ".json")
		said := map[string]string{}
		if err := readJSON(file, &said); err != nil {
			return nil, err
		}
		for _, page := range slices.Sorted(maps.Keys(said)) {
			failure, unusable, ok := strings.Cut(said[page], "/")
			if !ok || unusable != "0" && unusable != "1" {
				return nil, fmt.Errorf("%s: %s is %q; want failures/0 or failures/1", filepath.Base(file), page, said[page])
			}
			task, _, _ := strings.Cut(page, "/")
			lines = append(lines, labelled(page, answers.Unit, "usable", task, model, answers.Bool(unusable == "0"))...)
			lines = append(lines, labelled(page, answers.Class, "failure", task, model, answers.Text(failure))...)
		}
	}
	comparisons, err := glob(dir, "human_evaluation", "compare", "*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range comparisons {
		model := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "compare_"), ".json")
		said := map[string]int{}
		if err := readJSON(file, &said); err != nil {
			return nil, err
		}
		for _, page := range slices.Sorted(maps.Keys(said)) {
			task, _, _ := strings.Cut(page, "/")
			verdict, ok := map[int]string{0: "A", 1: "tie", 2: "B"}[said[page]]
			if !ok {
				return nil, fmt.Errorf("%s: %s is %d; want 0, 1 or 2", filepath.Base(file), page, said[page])
			}
			lines = append(lines, labelled(page, answers.Pair, "beats Gemini, direct prompt", task, model, answers.Text(verdict))...)
		}
	}
	return lines, nil
}

// labelled is an item with the one label that it has.
func labelled(thing string, kind answers.Kind, question, task, model string, value *answers.Value) []answers.Line {
	id := thing + "#" + question
	return []answers.Line{
		itemLine(answers.Item{ID: id, Kind: kind, Question: question, Task: task, Model: model, Category: model}),
		labelLine(answers.Label{Item: id, Rater: "people", Value: value}),
	}
}

// rateMyWebDesign reads the grades of people, and those of GPT-4o and of NIMA, whose grade
// is of looks alone; and of all three questions together what the authors have as people's
// mean and the grades of three judges. A grade that is missing is null.
func rateMyWebDesign(dir string) (lines []answers.Line, err error) {
	grades := []struct{ question, people, judge string }{
		{"aesthetics", "Aesth", "GPT4-Aesthetic"},
		{"level of detail", "LoD", "GPT4-Level of Detail"},
		{"usefulness", "Useful", "GPT4-Usefulness for Designers"},
	}
	models, err := readCSV(filepath.Join(dir, "ratings", "Ratings_Models_and_PreLLM.csv"))
	if err != nil {
		return nil, err
	}
	for _, row := range models {
		for _, g := range grades {
			id := row["filename"] + "#" + g.question
			lines = append(lines, itemLine(answers.Item{ID: id, Kind: answers.Rating, Question: g.question, Task: row["filename"]}),
				answerLine(answers.Answer{Item: id, Judge: "gpt-4o", Value: grade(row[g.judge])}))
			if g.question == "aesthetics" {
				lines = append(lines, answerLine(answers.Answer{Item: id, Judge: "nima", Value: grade(row["NIMA mean score"])}))
			}
		}
		id := row["filename"] + "#overall"
		lines = append(lines, itemLine(answers.Item{ID: id, Kind: answers.Rating, Question: "overall", Task: row["filename"], Truth: grade(row["humans_o"])}))
		for _, j := range []struct{ judge, column string }{{"gpt-4o", "GPT4-Overall AVG"}, {"nima", "NIMA mean score"}, {"rate-my-image", "rate my img"}} {
			lines = append(lines, answerLine(answers.Answer{Item: id, Judge: j.judge, Value: grade(row[j.column])}))
		}
	}
	people, err := readCSV(filepath.Join(dir, "ratings", "Ratings_Human.csv"))
	if err != nil {
		return nil, err
	}
	for n, row := range people {
		for _, g := range grades {
			value := grade(row[g.people])
			if value == nil {
				return nil, fmt.Errorf("Ratings_Human.csv, row %d: %s is %q; want a number", n+1, g.people, row[g.people])
			}
			lines = append(lines, labelLine(answers.Label{Item: row["filename"] + "#" + g.question, Rater: row["user_id"], Value: value}))
		}
	}
	return lines, nil
}

// grade is nil for what is no finite number.
func grade(cell string) *answers.Value {
	v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil || v != v || math.IsInf(v, 0) {
		return nil
	}
	return answers.Number(v)
}

// readCSV reads rows by the names of their columns.
func readCSV(path string) (rows []map[string]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty", filepath.Base(path))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	for i := range header {
		header[i] = strings.TrimSpace(strings.TrimPrefix(header[i], "\ufeff"))
		if slices.Contains(header[:i], header[i]) {
			return nil, fmt.Errorf("%s: there are two columns %q", filepath.Base(path), header[i])
		}
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		row := map[string]string{}
		for i, cell := range cells {
			row[header[i]] = cell
		}
		rows = append(rows, row)
	}
}
