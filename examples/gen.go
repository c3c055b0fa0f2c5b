//go:build ignore

// Gen assembles the folders of demo into one JSONL file.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// A line is one line of the file; its fields are written in this order.
type line struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Output      string `json:"output"`
	Model       string `json:"model"`
	Meta        struct {
		Shows  string `json:"shows"`
		Expect struct {
			Outcome string   `json:"outcome"`
			Lowest  []string `json:"lowest,omitempty"`
		} `json:"expect"`
	} `json:"meta"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run gen.go FILE")
	}
	folders, err := os.ReadDir("demo") // sorted by name
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, f := range folders {
		l, err := read(f.Name())
		if err != nil {
			log.Fatalf("%s: %v", f.Name(), err)
		}
		if err := enc.Encode(l); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(os.Args[1], out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func read(id string) (*line, error) {
	output, err := os.ReadFile(filepath.Join("demo", id, "output.md"))
	if err != nil {
		return nil, err
	}
	sample, err := os.ReadFile(filepath.Join("demo", id, "sample.json"))
	if err != nil {
		return nil, err
	}
	l := &line{ID: id, Model: "demo", Output: string(output)}
	dec := json.NewDecoder(bytes.NewReader(sample))
	dec.DisallowUnknownFields()
	if err := dec.Decode(l); err != nil {
		return nil, fmt.Errorf("sample.json: %w", err)
	}
	return l, nil
}
