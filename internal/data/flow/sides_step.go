package flow

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/data/table"
	"vitrine/internal/inputs"
)

// Sides makes two rows of each pair of an arena, one for each output, as the step generate
// makes them. The step both makes pairs of them again.
type Sides struct {
	// Paths of what a row of the dump holds; the first that is there counts. Empty: those
	// of the dumps that are known.
	Instruction []string     `yaml:"instruction" json:"instruction,omitempty"`
	A           []string     `yaml:"a" json:"a,omitempty"`
	B           []string     `yaml:"b" json:"b,omitempty"`
	Kind        vitrine.Kind `yaml:"kind" json:"kind,omitempty"` // of the outputs; empty: as it looks
}

// A Side is a row of one output of a pair.
type Side struct {
	ID          string       `json:"id"`
	Pair        string       `json:"pair"` // id of the pair
	Side        string       `json:"side"` // a or b
	Instruction string       `json:"instruction"`
	Output      string       `json:"output"`
	Kind        vitrine.Kind `json:"kind,omitempty"`
	Model       string       `json:"model,omitempty"`
	Winner      string       `json:"winner,omitempty"` // of the pair, as the dump has it
}

func (s *Sides) check(*Pipeline) error {
	if len(s.Instruction) == 0 {
		s.Instruction = []string{"instruction", "query", "question", "prompt", "conversation_a.0.content", "conversation_a.0.content.0.text"}
	}
	for _, of := range []struct {
		side  string
		paths *[]string
	}{{"a", &s.A}, {"b", &s.B}} {
		if len(*of.paths) > 0 {
			continue
		}
		for _, p := range []string{"output_@", "code_@", "web_code_@", "response_@", "html_@", "conversation_@.-1.object.code", "conversation_@.-1.content", "conversation_@.-1.content.0.text"} {
			*of.paths = append(*of.paths, strings.ReplaceAll(p, "@", of.side))
		}
	}
	return nil
}

// firstOf is the first of several fields that is there.
func firstOf(row json.RawMessage, paths []string) string {
	for _, p := range paths {
		if v := Field(row, p); strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

func (s *Sides) run(w *work) error {
	w.asking.AtOnce = 1 // nothing is asked
	return w.ask(func(_ context.Context, r inputs.Record) (m made, err error) {
		instruction, a, b := firstOf(r.Row, s.Instruction), firstOf(r.Row, s.A), firstOf(r.Row, s.B)
		switch {
		case instruction == "":
			return m, unfit("no instruction")
		case a == "" || b == "":
			return m, unfit("no two outputs")
		}
		for _, one := range []struct{ side, text string }{{"a", a}, {"b", b}} {
			m.rows = append(m.rows, Side{
				ID: r.ID + "." + one.side, Pair: r.ID, Side: one.side, Instruction: instruction, Output: one.text, Kind: s.Kind,
				Model: Field(r.Row, "model_"+one.side), Winner: Field(r.Row, "winner"),
			})
		}
		return m, nil
	})
}

// Both makes pairs of sides, and keeps those of which both sides meet all conditions. The
// first condition that one of them does not meet is why a pair goes, so that the reasons
// count stages one after the other.
type Both struct {
	Where []Filter `yaml:"where" json:"where,omitempty"`
}

// A PairRow is a row of two outputs to one instruction, with what people say of them.
type PairRow struct {
	ID          string `json:"id"`
	Instruction string `json:"instruction"`
	Winner      string `json:"winner,omitempty"`
	ModelA      string `json:"model_a,omitempty"`
	ModelB      string `json:"model_b,omitempty"`
	OutputA     string `json:"output_a"`
	OutputB     string `json:"output_b"`
	ScreenshotA string `json:"screenshot_a,omitempty"`
	ScreenshotB string `json:"screenshot_b,omitempty"`
	// A and B are the evidence folders, named as vitrine data review --pairs and compare --pairs
	// read them.
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

func (s *Both) check(p *Pipeline) error {
	for i := range s.Where {
		if err := s.Where[i].check(p); err != nil {
			return err
		}
	}
	return nil
}

const oneSide = "the other side is not there"

func (s *Both) run(w *work) error {
	files, err := table.Create(filepath.Join(w.dir, keptFile), filepath.Join(w.dir, droppedFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	gone := func(id, reason string) error {
		w.drop(reason)
		return files.Writers[1].Write(Dropped{id, reason})
	}
	var last *inputs.Record // a side whose other has not come; those of a pair are neighbours
	alone := func() error {
		if last == nil {
			return nil
		}
		id := Field(last.Row, "pair")
		last = nil
		return gone(id, oneSide)
	}
	err = w.each(w.in, func(r inputs.Record) error {
		w.Read++
		if Field(r.Row, "pair") == "" {
			return gone(r.ID, "no pair")
		}
		if last == nil || Field(last.Row, "pair") != Field(r.Row, "pair") || Field(last.Row, "side") != "a" || Field(r.Row, "side") != "b" {
			err := alone()
			last = &r
			return err
		}
		a, b := last, &r
		last = nil
		if reason := s.reason(a.Row, b.Row); reason != "" {
			return gone(Field(r.Row, "pair"), reason)
		}
		w.Kept++
		return files.Writers[0].Write(join(a.Row, b.Row))
	})
	if err := errors.Join(err, alone()); err != nil {
		return err
	}
	return files.Commit()
}

func (s *Both) reason(a, b json.RawMessage) string {
	for i := range s.Where {
		if reason := cmp.Or(s.Where[i].reason(a), s.Where[i].reason(b)); reason != "" {
			return reason
		}
	}
	return ""
}

func join(a, b json.RawMessage) PairRow {
	return PairRow{
		Field(a, "pair"), Field(a, "instruction"), Field(a, "winner"), Field(a, "model"), Field(b, "model"), Field(a, "output"), Field(b, "output"),
		Field(a, "screenshot"), Field(b, "screenshot"), Field(a, "evidence"), Field(b, "evidence"),
	}
}
