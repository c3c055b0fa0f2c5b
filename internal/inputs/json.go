package inputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of one value, so that a row of a few megabytes cannot take gigabytes: each
// field and element costs many times its length.
const (
	maxFields   = 10_000
	maxElements = 10_000
)

// An object is one level of a JSON object. Fields below are not parsed until they are
// asked for.
type object struct {
	names  []string // in the order of the text
	values map[string]json.RawMessage
}

var (
	errNoObject = errors.New("not a JSON object")
	errNoList   = errors.New("not a JSON list")
)

// parseObject reads one level. Of fields with one name the last counts.
func parseObject(raw []byte) (*object, error) {
	o := &object{values: map[string]json.RawMessage{}}
	err := eachElement(raw, '{', errNoObject, func(dec *json.Decoder) error {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if _, twice := o.values[name]; !twice {
			o.names = append(o.names, name)
		}
		o.values[name] = value
		if len(o.names) > maxFields {
			return fmt.Errorf("more than %d fields", maxFields)
		}
		return nil
	})
	return o, err
}

// parseList reads one level.
func parseList(raw []byte) ([]json.RawMessage, error) {
	var list []json.RawMessage
	err := eachElement(raw, '[', errNoList, func(dec *json.Decoder) error {
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		if list = append(list, value); len(list) > maxElements {
			return fmt.Errorf("more than %d elements", maxElements)
		}
		return nil
	})
	return list, err
}

// eachElement steps over what is between a pair of brackets.
func eachElement(raw []byte, bracket json.Delim, other error, element func(*json.Decoder) error) error {
	if b := bytes.TrimLeft(raw, " \t\r\n"); len(b) == 0 || b[0] != byte(bracket) {
		return other
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		if err := element(dec); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// opened is the JSON inside a string that holds some, as tables keep it; else the
// value itself.
func opened(v json.RawMessage) json.RawMessage {
	s, ok := stringOf(v)
	if !ok {
		return v
	}
	inner := bytes.TrimSpace([]byte(s))
	if len(inner) > 1 && (inner[0] == '[' || inner[0] == '{') && json.Valid(inner) {
		return inner
	}
	return v
}

func stringOf(v json.RawMessage) (string, bool) {
	if len(v) == 0 || v[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(v, &s)
	return s, err == nil
}

// scalar is a string, or a number or a truth value as it is written.
func scalar(v json.RawMessage) (string, bool) {
	if s, ok := stringOf(v); ok {
		return s, true
	}
	switch {
	case len(v) == 0 || v[0] == '{' || v[0] == '[' || isNull(v):
		return "", false
	}
	return string(v), true
}

func isNull(v json.RawMessage) bool { return string(bytes.TrimSpace(v)) == "null" }

// notJSON says at which byte a value stops being JSON; from 1, 0 if that is not known.
func notJSON(err error, size int) (offset int, why string) {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return int(syntax.Offset), syntax.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return size, "it ends before it is complete"
	}
	return 0, err.Error()
}
