package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Extract finds the one JSON object of an answer. The whole answer may be that
// object, or it may stand in a fence or between words. Two equal objects are one;
// two that differ are an error, since nobody can say which is meant. A leading
// <think> block is not part of the answer. Braces that do not begin a JSON object
// ({name}, {{x}}) are words; an object that breaks off is an error.
func Extract(text string) ([]byte, error) {
	text, err := withoutThoughts(text)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errors.New("the answer is empty; want one JSON object")
	}
	if text[0] != '{' && json.Valid([]byte(text)) {
		return nil, errors.New("the answer is a JSON value, but not an object; want one JSON object")
	}
	found, err := objects(text)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errors.New("the answer holds no JSON object; want exactly one")
	}
	for i := 1; i < len(found); i++ {
		if !bytes.Equal(found[0], found[i]) {
			return nil, errors.New("the answer holds JSON objects that differ; want exactly one")
		}
	}
	return found[0], nil
}

// withoutThoughts drops a leading block of reasoning, which some servers leave in.
func withoutThoughts(text string) (string, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if !strings.HasPrefix(text, "<think>") {
		return text, nil
	}
	_, after, ok := strings.Cut(text, "</think>")
	if !ok {
		return "", errors.New("the answer ends within <think>; want one JSON object after it")
	}
	return strings.TrimSpace(after), nil
}

// objects returns the outermost JSON objects of a text, compacted. It is linear in
// the text: what was read once is not read again.
func objects(text string) ([][]byte, error) {
	var found [][]byte
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '{')
		if i < 0 {
			return found, nil
		}
		at += i
		if !begins(text[at+1:]) {
			at++
			continue
		}
		object, err := next(text[at:])
		if err != nil {
			return nil, fmt.Errorf("the JSON object at byte %d is malformed: %w", at, err)
		}
		at += len(object)
		var compact bytes.Buffer
		if err := json.Compact(&compact, object); err != nil {
			return nil, err
		}
		found = append(found, compact.Bytes())
	}
}

// begins reports whether what follows a brace can be a JSON object.
func begins(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || rest[0] == '"' || rest[0] == '}'
}

// next is the JSON object that a text begins with.
func next(text string) (json.RawMessage, error) {
	var object json.RawMessage
	err := json.NewDecoder(strings.NewReader(text)).Decode(&object)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return nil, errors.New("it is cut off")
	}
	return object, err
}
