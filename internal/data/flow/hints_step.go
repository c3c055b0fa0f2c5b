package flow

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"vitrine/internal/inputs"
)

// Hints audits instructions for what gives the answer away, and takes it out (ReLook,
// section 3.1, which does not say what a hint is): code in fences, and sentences that begin
// as hints do, speak of tests, scores or judges, name a solution to be followed, or address
// the one who answers as a program. An instruction of which nothing would be left stays whole,
// for a person to look at: more likely it is about such things.
type Hints struct {
	// Also are further regular expressions: sentences that match go.
	Also []string `yaml:"also" json:"also,omitempty"`
	also []*regexp.Regexp
}

// A Sanitised row is a line of unsure.jsonl: what was taken out, for a person to look at.
type Sanitised struct {
	ID     string   `json:"id"`
	Reason string   `json:"reason"`
	Taken  []string `json:"taken"`
}

var (
	fencedCode = regexp.MustCompile("(?s)```.*?(?:```|$)")
	hinting    = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^\W*(hint|tip|note to (the )?(model|solver)|solution|reference (answer|implementation)|expected (answer|output|solution))s?\s*(\d+)?\s*[:\-–]`),
		regexp.MustCompile(`(?i)\b(unit|hidden|automated|end-to-end|e2e) tests?\b`),
		regexp.MustCompile(`(?i)\b(you|your \w+|the (answer|page|output|site|result|solution)) (will|is going to) be (scored|graded|judged|evaluated|tested|rewarded)\b`),
		regexp.MustCompile(`(?i)\b(grader|evaluator|critic|reward model) (will|checks?|looks?|sees?|wants?|expects?)\b`),
		regexp.MustCompile(`(?i)\bjudges? (will )?(checks?|looks? at|sees?|scores?|grades?|rates?|evaluates?|tests?) (your|the (answer|page|output|site|result|solution))\b`),
		regexp.MustCompile(`(?i)\b(follow|copy|use|see) (the|this) (solution|reference (code|implementation)|sample answer) (below|above|here)\b`),
		regexp.MustCompile(`(?i)\bas an? (ai|language model|llm)\b`),
	}
	sentenceEnd = regexp.MustCompile(`[.!?]["')\]]*(\s+|$)|\n+`)
)

func (s *Hints) check(*Pipeline) error {
	s.also = nil
	for _, text := range s.Also {
		one, err := regexp.Compile(text)
		if err != nil {
			return err
		}
		s.also = append(s.also, one)
	}
	return nil
}

func (s *Hints) run(w *work) error {
	return w.reviewing(func(r inputs.Record) (row json.RawMessage, review any, reason string, err error) {
		text, taken := s.sanitise(r.Instruction)
		switch {
		case strings.TrimSpace(r.Instruction) == "":
			return nil, nil, noText, nil
		case len(taken) == 0:
			return r.Row, nil, "", nil
		case text == "":
			return r.Row, Sanitised{r.ID, "nothing but hints, left as it is", taken}, "", nil
		}
		w.count("sanitised", 1)
		row, err = setAll(r.Row, map[string]any{"instruction": text})
		return row, Sanitised{r.ID, "hints were taken out", taken}, "", err
	})
}

// sanitise is a text without its hints, and what they were.
func (s *Hints) sanitise(text string) (rest string, taken []string) {
	text = fencedCode.ReplaceAllStringFunc(text, func(code string) string {
		taken = append(taken, code)
		return ""
	})
	var kept strings.Builder
	for len(text) > 0 {
		end := len(text)
		if at := sentenceEnd.FindStringIndex(text); at != nil {
			end = at[1]
		}
		sentence := text[:end]
		text = text[end:]
		matches := func(r *regexp.Regexp) bool { return r.MatchString(strings.TrimSpace(sentence)) }
		if slices.ContainsFunc(hinting, matches) || slices.ContainsFunc(s.also, matches) {
			taken = append(taken, strings.TrimSpace(sentence))
			continue
		}
		kept.WriteString(sentence)
	}
	return strings.TrimSpace(kept.String()), taken
}

// reviewing is change where some of the rows that stay are for a person to look at.
func (w *work) reviewing(decide func(inputs.Record) (row json.RawMessage, review any, reason string, err error)) error {
	var failed error
	files, err := newUnsure(w.dir)
	if err != nil {
		return err
	}
	defer files.Discard()
	err = w.change(func(r inputs.Record) (json.RawMessage, string) {
		row, review, reason, err := decide(r)
		if review != nil {
			w.Review++
			err = errors.Join(err, files.add(review))
		}
		failed = errors.Join(failed, err)
		return row, reason
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return files.commit()
}
