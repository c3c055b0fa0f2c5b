package main

import (
	"fmt"
	"os"

	"vitrine"
	"vitrine/examples"
	"vitrine/internal/inputs"
	"vitrine/internal/parse"
)

// demoInput is the name of the examples that ship with Vitrine.
const demoInput = "demo"

// readOutputs reads the outputs of several files, at most limit of each, spread
// evenly over the file; 0 takes all.
func readOutputs(files []string, limit int) ([]vitrine.Output, error) {
	var all []vitrine.Output
	for _, name := range files {
		b := examples.Demo
		if name != demoInput {
			var err error
			if b, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		outputs, err := decode(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, spread(outputs, limit)...)
	}
	return all, nil
}

func decode(b []byte) ([]vitrine.Output, error) {
	var all []vitrine.Output
	in, err := inputs.Bytes("outputs.jsonl", b, inputs.Settings{})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	for item, err := range in.Items() {
		if err != nil {
			return nil, err
		}
		all = append(all, item.Output)
	}
	return all, nil
}

// spread takes n of all, evenly from the first on.
func spread[T any](all []T, n int) []T {
	if n <= 0 || n >= len(all) {
		return all
	}
	taken := make([]T, n)
	for i := range taken {
		taken[i] = all[i*len(all)/n]
	}
	return taken
}

// singlePages are the outputs that are one HTML file, each with just that file for
// its text, so that all tools get the same bytes.
func singlePages(outputs []vitrine.Output) []vitrine.Output {
	var pages []vitrine.Output
	for _, o := range outputs {
		a := parse.Output(o)
		html, ok := a.File("index.html")
		if a.Kind == vitrine.KindPage && ok && len(a.Files) == 1 {
			pages = append(pages, vitrine.Output{ID: o.ID, Text: html, Instruction: o.Instruction, Kind: vitrine.KindPage})
		}
	}
	return pages
}
