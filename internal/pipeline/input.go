package pipeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"vitrine"
)

// maxLine bounds one line of an input file.
const maxLine = 256 << 20

// An Input reads outputs from JSON lines (SPEC §12). A line that is not an output
// is an error of that line alone.
type Input struct {
	r    *bufio.Reader
	max  int // bytes of a line
	line int
	seen map[string]int // id → line
}

// NewInput reads from r.
func NewInput(r io.Reader) *Input {
	return &Input{r: bufio.NewReaderSize(r, 1<<20), max: maxLine, seen: map[string]int{}}
}

// A LineError is a line that is not an output.
type LineError struct {
	Line    int
	Message string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Next returns the next output. It returns a *LineError for a bad line, after
// which it can go on, and io.EOF at the end.
func (in *Input) Next() (vitrine.Output, error) {
	for {
		line, err := in.readLine()
		if errors.Is(err, errTooLong) {
			return vitrine.Output{}, &LineError{in.line, fmt.Sprintf("longer than %d MB", in.max>>20)}
		}
		if err != nil {
			return vitrine.Output{}, err
		}
		line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		o, err := decode(line)
		if err != nil {
			return o, &LineError{in.line, err.Error()}
		}
		if first, twice := in.seen[o.ID]; twice {
			return o, &LineError{in.line, fmt.Sprintf("the id %q was used on line %d already; ids name a sample and must differ (group_id is for rollouts of one prompt)", short(o.ID), first)}
		}
		in.seen[o.ID] = in.line
		return o, nil
	}
}

var errTooLong = errors.New("line too long")

// readLine returns a line of any length up to max; a longer one is passed over.
func (in *Input) readLine() ([]byte, error) {
	in.line++
	var line []byte
	size := 0
	for {
		part, err := in.r.ReadSlice('\n')
		if size += len(part); size <= in.max {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case size > in.max && (err == nil || err == io.EOF):
			return nil, errTooLong
		case err == io.EOF && len(line) > 0:
			return line, nil
		}
		return line, err
	}
}

// known are the fields of an input line. Any other goes to meta.
var known = []string{"id", "output", "instruction", "task_id", "model", "kind", "group_id", "meta"}

func decode(line []byte) (vitrine.Output, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return vitrine.Output{}, explain(err)
	}
	var o vitrine.Output
	into := []any{&o.ID, &o.Text, &o.Instruction, &o.TaskID, &o.Model, &o.Kind, &o.GroupID, &o.Meta}
	for i, name := range known {
		raw, ok := fields[name]
		if !ok || string(raw) == "null" && name != "id" && name != "output" {
			continue
		}
		if err := decodeField(name, raw, into[i]); err != nil {
			return o, err
		}
	}
	if _, ok := fields["output"]; !ok || o.ID == "" {
		return o, errors.New(`needs "id" and "output", such as {"id":"a1","output":"<!doctype html>…"}`)
	}
	if o.Kind != vitrine.KindUnknown && !slices.Contains(vitrine.Kinds, o.Kind) {
		return o, fmt.Errorf("kind %q is not one of page, project, component, svg, plot", short(string(o.Kind)))
	}
	for name, raw := range fields {
		if !slices.Contains(known, name) {
			if o.Meta == nil {
				o.Meta = map[string]json.RawMessage{}
			}
			if _, there := o.Meta[name]; !there {
				o.Meta[name] = raw
			}
		}
	}
	return o, nil
}

// decodeField decodes a string field; ids may be numbers, since many data sets
// number their rows.
func decodeField(name string, raw json.RawMessage, to any) error {
	if string(raw) != "null" && json.Unmarshal(raw, to) == nil {
		return nil
	}
	if id, ok := to.(*string); ok && strings.HasSuffix(name, "id") {
		var n json.Number
		if json.Unmarshal(raw, &n) == nil && n != "" {
			*id = n.String()
			return nil
		}
	}
	want := "a string"
	if name == "meta" {
		want = "an object"
	}
	return fmt.Errorf("%q must be %s, got %s", name, want, short(string(raw)))
}

// explain says where a line stops being JSON.
func explain(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %s", syntax.Offset, syntax.Error())
	}
	var shape *json.UnmarshalTypeError
	if errors.As(err, &shape) && shape.Field != "" {
		return fmt.Errorf("%q has the wrong type: %s", shape.Field, shape.Value)
	}
	if errors.As(err, &shape) {
		return fmt.Errorf("not a JSON object but %s: each line needs an object of its own", shape.Value)
	}
	return fmt.Errorf("not a JSON object: %w", err)
}

func short(s string) string {
	if len(s) <= 60 {
		return s
	}
	return strings.ToValidUTF8(s[:60], "") + "…"
}
