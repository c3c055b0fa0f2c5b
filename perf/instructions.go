package main

import (
	"errors"
	"math/rand/v2"
	"strings"

	"vitrine/internal/inputs"
)

// instructions are those of files, and, up to rows, what is made of them: each sentence of
// one, by the toss of a coin, is exchanged for the sentence at its place in another.
func instructions(from []string, rows int, seed int64) (texts []string, err error) {
	records, err := inputs.OpenRecords(from, inputs.Settings{})
	if err != nil {
		return nil, err
	}
	defer records.Close()
	for r, err := range records.All() {
		if err != nil {
			return nil, err
		}
		if r.Instruction != "" {
			texts = append(texts, r.Instruction)
		}
	}
	if len(texts) < 2 {
		return nil, errors.New("there are no instructions: name files with --from")
	}
	real, random := len(texts), rand.New(rand.NewPCG(uint64(seed), 0))
	for len(texts) < rows {
		parts := strings.SplitAfter(texts[random.IntN(real)], ". ")
		for i := range parts {
			if other := strings.SplitAfter(texts[random.IntN(real)], ". "); random.IntN(2) == 0 && i < len(other) {
				parts[i] = other[i]
			}
		}
		texts = append(texts, strings.Join(parts, ""))
	}
	if rows > 0 {
		texts = texts[:rows]
	}
	return texts, nil
}
