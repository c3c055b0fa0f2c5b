package code

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"vitrine"
)

// mbpp is the task of a row of MBPP, or of MBPP+ with its whole program of tests.
func mbpp(line []byte, plus bool) (vitrine.Task, error) {
	var r struct {
		ID      json.RawMessage `json:"task_id"`
		Text    string          `json:"text"`
		Prompt  string          `json:"prompt"`
		Setup   string          `json:"test_setup_code"`
		Imports []string        `json:"test_imports"`
		List    []string        `json:"test_list"`
		Test    string          `json:"test"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return vitrine.Task{}, err
	}
	tests := strings.Join(append(append([]string{r.Setup}, r.Imports...), r.List...), "\n")
	if plus {
		tests = r.Test
	}
	text := cmp.Or(r.Prompt, r.Text)
	if text != "" && len(r.List) > 0 {
		text += "\nIt must pass these tests:\n" + strings.Join(r.List, "\n")
	}
	return task(r.ID, text, "", suite{Tests: tests})
}

// livecode is the task of a row of LiveCodeBench's code generation.
func livecode(line []byte) (vitrine.Task, error) {
	var r struct {
		ID         json.RawMessage `json:"question_id"`
		Content    string          `json:"question_content"`
		Starter    string          `json:"starter_code"`
		Difficulty string          `json:"difficulty"`
		Public     string          `json:"public_test_cases"`
		Private    string          `json:"private_test_cases"`
		Metadata   string          `json:"metadata"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return vitrine.Task{}, err
	}
	var s suite
	for _, part := range []string{r.Public, r.Private} {
		more, err := cases(part)
		if err != nil {
			return vitrine.Task{}, err
		}
		s.Cases = append(s.Cases, more...)
	}
	var about struct {
		Call string `json:"func_name"`
	}
	if r.Metadata != "" {
		if err := json.Unmarshal([]byte(r.Metadata), &about); err != nil {
			return vitrine.Task{}, fmt.Errorf("metadata: %w", err)
		}
	}
	s.Call = about.Call
	text := r.Content
	switch {
	case r.Starter != "":
		text += "\n\nComplete this code:\n```python\n" + r.Starter + "\n```"
	case text != "":
		text += "\n\nRead from the standard input and write to the standard output."
	}
	return task(r.ID, text, r.Difficulty, s)
}

// cases are those of a field: JSON, or, for the private ones, JSON that was pickled,
// compressed and written as base64.
func cases(field string) (list []pair, err error) {
	if strings.TrimSpace(field) == "" {
		return nil, nil
	}
	text := []byte(field)
	if !strings.HasPrefix(strings.TrimSpace(field), "[") {
		if text, err = unpacked(field); err != nil {
			return nil, fmt.Errorf("test cases: %w", err)
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("test cases: %w", err)
	}
	return list, nil
}

// maxCases bounds what a field of test cases may become when it is unpacked.
const maxCases = 256 << 20

func unpacked(field string) ([]byte, error) {
	packed, err := base64.StdEncoding.DecodeString(field)
	if err != nil {
		return nil, err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	pickle, err := io.ReadAll(io.LimitReader(z, maxCases))
	if err != nil {
		return nil, err
	}
	return pickled(pickle)
}

// pickled is the one text that a pickle of Python holds. Nothing else is read from pickles,
// which can hold code.
func pickled(p []byte) ([]byte, error) {
	bad := errors.New("a pickle of something else than one text")
	if len(p) < 2 || p[0] != 0x80 {
		return nil, bad
	}
	p = p[2:]
	if len(p) > 9 && p[0] == 0x95 { // a frame and its length
		p = p[9:]
	}
	widths := map[byte]int{0x8c: 1, 'X': 4, 0x8d: 8}
	if len(p) == 0 || widths[p[0]] == 0 || len(p) < 1+widths[p[0]] {
		return nil, bad
	}
	width := widths[p[0]]
	var size [8]byte
	copy(size[:], p[1:1+width])
	n := binary.LittleEndian.Uint64(size[:])
	if p = p[1+width:]; n > uint64(len(p)) {
		return nil, bad
	}
	return p[:n], nil
}
