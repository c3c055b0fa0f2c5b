package flow

import (
	"errors"
	"slices"

	"github.com/abadojack/whatlanggo"

	"vitrine/internal/inputs"
)

// Language keeps rows by the language of their instruction, found by trigrams of letters.
// Where that is unsure, as of a few words, the row stays and is counted.
type Language struct {
	Keep []string `yaml:"keep" json:"keep"` // ISO 639-1, such as en
}

func (s *Language) check(*Pipeline) error {
	if len(s.Keep) == 0 {
		return errors.New("keep: name languages, such as en")
	}
	for _, code := range s.Keep {
		if len(code) != 2 {
			return errors.New("keep: languages have two letters, such as en")
		}
	}
	return nil
}

func (s *Language) run(w *work) error {
	return w.sift(func(r inputs.Record) string {
		if r.Instruction == "" {
			return noText
		}
		found := whatlanggo.Detect(r.Instruction)
		switch code := found.Lang.Iso6391(); {
		case !found.IsReliable():
			w.count("language unsure", 1)
			return ""
		case !slices.Contains(s.Keep, code):
			return "language " + code
		}
		return ""
	})
}
