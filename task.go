package vitrine

import "encoding/json"

// A Task is what a model was asked to build.
type Task struct {
	ID              string     `json:"id"`
	Instruction     string     `json:"instruction"`
	Category        string     `json:"category,omitempty"`
	Subcategories   []string   `json:"subcategories,omitempty"`
	ApplicationType string     `json:"application_type,omitempty"`
	Topic           string     `json:"topic,omitempty"`
	TestCases       []TestCase `json:"test_cases,omitempty"`
	// Rubric is a rubric tree and Checklist a list of weighted points, as their
	// protocols read them; nil where there is none.
	Rubric    json.RawMessage `json:"rubric,omitempty"`
	Checklist json.RawMessage `json:"checklist,omitempty"`
	// Files are what a plot may read, such as data.csv; Picture is the true plot in PNG,
	// JPEG or WebP, base64 in JSON, that the plot protocol holds it against.
	Files   []File `json:"files,omitempty"`
	Picture []byte `json:"picture,omitempty"`
}

// A TestCase is one thing a finished site must let a person do (WebGen-Bench:
// ui_instruct).
type TestCase struct {
	Task           string   `json:"task"`
	ExpectedResult string   `json:"expected_result"`
	Category       string   `json:"category,omitempty"`
	Subcategories  []string `json:"subcategories,omitempty"`
}
