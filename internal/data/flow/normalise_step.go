package flow

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitrine/internal/inputs"
)

// Normalise writes descriptions alike (ReLook, section 3.1, which does not say how):
// composed characters, plain quotes and hyphens, no characters that cannot be seen, one
// space between words, at most one empty line between paragraphs, no quotes around the
// whole. No word is changed.
type Normalise struct{}

func (s *Normalise) check(*Pipeline) error { return nil }

func (s *Normalise) run(w *work) error {
	var failed error
	err := w.change(func(r inputs.Record) (json.RawMessage, string) {
		text := normal(r.Instruction)
		switch text {
		case "":
			return nil, noText
		case r.Instruction:
			return r.Row, ""
		}
		w.count("changed", 1)
		row, err := setAll(r.Row, map[string]any{"instruction": text})
		failed = errors.Join(failed, err)
		return row, ""
	})
	return errors.Join(err, failed)
}

var plainSigns = strings.NewReplacer("\u2018", "'", "\u2019", "'", "\u201c", `"`, "\u201d", `"`, "\u2010", "-", "\u2011", "-", "\u00a0", " ", "\r\n", "\n", "\r", "\n")

// normal is a text written plainly.
func normal(text string) string {
	text = plainSigns.Replace(norm.NFC.String(text))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && r != '\u200d' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) { // U+200D holds emoji together
			return -1
		}
		return r
	}, text)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	text = strings.TrimSpace(strings.Join(lines, "\n"))
	if n := len(text); n > 1 && text[0] == '"' && text[n-1] == '"' && !strings.Contains(text[1:n-1], `"`) {
		text = strings.TrimSpace(text[1 : n-1])
	}
	return text
}
