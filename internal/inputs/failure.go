package inputs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// failureNames are the fields in which endpoints and batches say that there is no
// answer.
var failureNames = []string{"error", "error_message", "exception", "response", "result", "body", "modelOutput", "status"}

// failure is what an endpoint said in place of an answer; empty if it said nothing.
func (o *object) failure(depth int) string {
	if code := o.text("status_code"); len(code) == 3 && code >= "400" {
		return strings.TrimSpace("HTTP " + code + " " + o.failed(depth))
	}
	switch kind := o.text("type"); kind {
	case "errored", "canceled", "expired":
		return strings.TrimSpace(kind + " " + o.failed(depth))
	}
	return o.failed(depth)
}

func (o *object) failed(depth int) string {
	for i, name := range failureNames {
		v := o.values[name]
		inner, err := parseObject(opened(v))
		s, isText := stringOf(v)
		switch {
		case v == nil || isNull(v) || depth > 3:
		case err == nil && i < 3: // an error as such
			said := []string{inner.text("type"), inner.text("code"), firstText(inner.failed(depth+1), inner, "message", "reason")}
			return strings.Join(strings.Fields(strings.Join(said, " ")), " ")
		case err == nil:
			if why := inner.failure(depth + 1); why != "" {
				return why
			}
		case isText && strings.TrimSpace(s) != "" && (i < 3 || name == "status" && strings.Contains(strings.ToLower(s), "error")):
			return s
		}
	}
	return ""
}

// in puts an error where its row is, at the field that it is about.
func (e *RowError) in(r row) *RowError {
	e.Position = r.at
	if at := bytes.Index(r.value, []byte(`"`+e.field+`"`)); e.field != "" && at >= 0 {
		e.move(r.value[:at])
	}
	return e
}

// move goes on by what stands before the place of an error.
func (e *RowError) move(before []byte) {
	lines := bytes.Count(before, []byte("\n"))
	switch {
	case e.Line == 0:
	case lines == 0:
		e.Column += len(before)
	default:
		e.Line += lines
		e.Column = len(before) - bytes.LastIndexByte(before, '\n')
	}
}

// noOutput says what a row has in place of an output, and which field could be it.
func (r *record) noOutput(a answers) *RowError {
	e := &RowError{
		Found: r.describe(), Wanted: `the output as "output", "completion", "response", "text", "messages" or as an endpoint returns it`,
	}
	if a.why != "" {
		e.Found += " (" + a.why + ")"
	}
	if path := r.longest(); path != "" {
		e.Fix = "add --map output=" + path
		e.field, _, _ = strings.Cut(path, ".")
	} else if slices.ContainsFunc(promptNames[:asks], r.has) {
		e.Fix = "these may be tasks, which --tasks takes; else add --map output=COLUMN"
	} else {
		e.Fix = "add --map output=COLUMN"
	}
	return e
}

// missing says that a mapped field is not there.
func (r *record) missing(wanted string) *RowError {
	e := &RowError{Found: r.describe(), Wanted: wanted}
	if path := r.longest(); path != "" {
		e.Fix = "perhaps --map output=" + path
	}
	return e
}

// wrong says that a mapped field is no text.
func (r *record) wrong(path string, v json.RawMessage) *RowError {
	found := fmt.Sprintf("%q is %s", path, kindOf(v))
	return unusable(Position{}, found, "a text, a conversation or a list of texts", "name another with --map output=COLUMN")
}

// describe lists the fields of a row with their types.
func (r *record) describe() string {
	const most = 8
	var all []string
	for i, name := range r.names {
		if i == most {
			all = append(all, fmt.Sprintf("and %d more", len(r.names)-most))
			break
		}
		all = append(all, fmt.Sprintf("%q: %s", short(name), kindOf(r.values[name])))
	}
	if all == nil {
		return "an empty object"
	}
	return "an object with " + strings.Join(all, ", ")
}

// kindOf says what a value is.
func kindOf(v json.RawMessage) string {
	switch {
	case len(v) == 0:
		return "nothing"
	case v[0] == '"':
		return fmt.Sprintf("a string of %d bytes", max(0, len(v)-2))
	case v[0] == '{':
		return "an object"
	case v[0] == '[':
		return "a list"
	case isNull(v):
		return "null"
	case v[0] == 't' || v[0] == 'f':
		return string(v)
	}
	return "the number " + short(string(v))
}

// longest is the path of the longest text in a row, two levels down, that may be what
// a model wrote: long, of several lines or with markup, and not what it was asked.
func (r *record) longest() string {
	best, path := 0, ""
	better := func(v json.RawMessage) bool {
		s, ok := stringOf(v)
		if ok = ok && len(s) > best && (len(s) > 100 || strings.ContainsAny(s, "<`\n")); ok {
			best = len(s)
		}
		return ok
	}
	for _, name := range r.names {
		if slices.Contains(promptNames, name) {
			continue
		}
		v := opened(r.values[name])
		if better(v) {
			path = name
		}
		inner, err := parseObject(v)
		if err != nil {
			continue
		}
		for _, below := range inner.names {
			if better(inner.values[below]) {
				path = name + "." + below
			}
		}
	}
	return path
}

// unreadable says what a row is that is no object.
func unreadable(r row, err error) *RowError {
	e := &RowError{Position: r.at, Wanted: `an object such as {"output":"<!doctype html>…"}`}
	var any json.RawMessage
	if failed := json.Unmarshal(r.value, &any); failed != nil {
		offset, why := notJSON(failed, len(r.value))
		e.Found = "no JSON: " + why
		if offset > 0 {
			e.move(r.value[:min(offset-1, len(r.value))])
		}
		return e
	}
	if e.Found = kindOf(bytes.TrimSpace(r.value)); err != nil && e.Found == "an object" {
		e.Found = "an object with " + err.Error()
	}
	return e
}

func itoa(i int) string { return strconv.Itoa(i) }
