package imports

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"vitrine/internal/meta/answers"
)

// praisonAIBench reads the grades, 0 to 100, of generated pages: by what a browser says of
// them, by a model that reads the code, and of both. Where the model says that it cannot
// tell, or fails, its grade is written as 0; that is null here, and so is the grade of both.
func praisonAIBench(dir string) (lines []answers.Line, err error) {
	files, err := glob(dir, "output", "json", "benchmark_results_*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		var rows []struct {
			Test       string          `json:"test_name"`
			Model      json.RawMessage `json:"model"`
			Evaluation *struct {
				Functional struct {
					Score float64 `json:"score"`
				} `json:"functional"`
				Quality struct {
					Score    float64  `json:"quality_score"`
					Raw      *float64 `json:"raw_score"`
					Feedback string   `json:"feedback"`
				} `json:"quality"`
				Overall float64 `json:"overall_score"`
			} `json:"evaluation"`
		}
		if err := readJSON(file, &rows); err != nil {
			return nil, err
		}
		for _, row := range rows {
			if row.Evaluation == nil {
				continue
			}
			e, model := row.Evaluation, modelName(row.Model)
			i := answers.Item{Kind: answers.Rating, Question: "page, 0 to 100", Task: row.Test, Model: model}
			i.ID = strings.TrimSuffix(filepath.Base(file), ".json") + "/" + model + "/" + row.Test
			failure := ""
			switch {
			case e.Quality.Raw != nil && *e.Quality.Raw == -1:
				failure = "it says that it cannot tell"
			case e.Quality.Score == 0 && e.Quality.Feedback == "Evaluation failed":
				failure = "it gave no answer"
			}
			quality, overall := answers.Number(e.Quality.Score), answers.Number(e.Overall)
			if failure != "" {
				quality, overall = nil, nil
			}
			lines = append(lines, itemLine(i),
				answerLine(answers.Answer{Item: i.ID, Judge: "browser", Value: answers.Number(e.Functional.Score)}),
				answerLine(answers.Answer{Item: i.ID, Judge: "model on code", Value: quality, Error: failure}),
				answerLine(answers.Answer{Item: i.ID, Judge: "both", Value: overall, Error: failure}))
		}
	}
	return lines, nil
}

// modelName is what is written as a name, or as settings with one.
func modelName(written json.RawMessage) string {
	var settings struct {
		Model string `json:"model"`
	}
	if bytes.HasPrefix(written, []byte("{")) && json.Unmarshal(written, &settings) == nil {
		return settings.Model
	}
	var name string
	if json.Unmarshal(written, &name) != nil {
		return ""
	}
	return name
}
