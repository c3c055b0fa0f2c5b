package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
)

var qualities = regexp.MustCompile(`quality (\d)`)

// oracle answers any question in the form of its schema by the qualities, 1 to 5, that pages
// say they have: that number for each, true from 3 on, and of two sites the better one.
func oracle(schema []byte, text string) string {
	var of [2]float64
	for n, found := range qualities.FindAllStringSubmatch(text, 2) {
		of[n], _ = strconv.ParseFloat(found[1], 64)
	}
	var s form
	if err := json.Unmarshal(schema, &s); err != nil {
		return err.Error()
	}
	b, err := json.Marshal(s.filled(of, of[0]))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

type form struct {
	Properties map[string]form `json:"properties"`
	Enum       []any           `json:"enum"`
	Type       string          `json:"type"`
}

// filled is a value of its schema; grade is the quality of the site that it is about.
func (s form) filled(of [2]float64, grade float64) any {
	switch {
	case s.Properties != nil:
		object := map[string]any{}
		for name, p := range s.Properties {
			about := grade
			if name == "b" {
				about = of[1]
			}
			object[name] = p.filled(of, about)
		}
		return object
	case s.Enum != nil && !slices.Contains(s.Enum, any("tie")) && !slices.Contains(s.Enum, any("A")):
		if slices.Contains(s.Enum, any(grade)) {
			return grade
		}
		return s.Enum[0]
	case s.Enum != nil:
		want := "tie"
		if of[0] > of[1] {
			want = "A"
		} else if of[1] > of[0] {
			want = "B"
		}
		return want
	case s.Type == "boolean":
		return grade >= 3
	case s.Type == "string":
		return "seen"
	}
	return grade
}
