package agent

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A call is one action as GUI models write it: click(point='<point>510 150</point>').
type call struct {
	name string
	args map[string]string
}

// parsePixel reads an answer of the form "Thought: …" and "Action: call(…)" in the
// action space of UI-TARS (WebDevJudge B.3). The thought may be missing; there is
// one action and nothing after it. Anything else is an error in words for the model.
func parsePixel(text string) (thought string, c call, err error) {
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")), "\n")
	at := -1
	for i, line := range lines {
		if !strings.HasPrefix(line, "Action:") {
			continue
		}
		if at >= 0 {
			return "", call{}, errors.New("more than one line begins with Action: where exactly one is wanted")
		}
		at = i
	}
	if at < 0 {
		return "", call{}, errors.New("no line begins with Action: as one has to")
	}
	before := strings.TrimSpace(strings.Join(lines[:at], "\n"))
	thought, labelled := strings.CutPrefix(before, "Thought:")
	if before != "" && !labelled {
		return "", call{}, errors.New("before the action stands something that does not begin with Thought: as it has to")
	}
	c, err = parseCall(strings.TrimSpace(strings.TrimPrefix(strings.Join(lines[at:], "\n"), "Action:")))
	return strings.TrimSpace(thought), c, err
}

// parseCall reads name(key='value', …) and wants nothing after it.
func parseCall(text string) (call, error) {
	name, rest, found := strings.Cut(text, "(")
	if !found || !isName(name) {
		return call{}, fmt.Errorf("%s is no action; want name(key='value')", quoted(text))
	}
	c := call{name: name, args: map[string]string{}}
	rest = strings.TrimSpace(rest)
	for !strings.HasPrefix(rest, ")") {
		var err error
		if rest, err = c.argument(rest); err != nil {
			return call{}, fmt.Errorf("in %s(…): %w", name, err)
		}
	}
	if after := strings.TrimSpace(rest[1:]); after != "" {
		return call{}, fmt.Errorf("after %s(…) stands %s; want exactly one action and nothing after it", name, quoted(after))
	}
	return c, nil
}

// argument reads one key='value' and the comma after it, if there is one.
func (c call) argument(text string) (rest string, err error) {
	key, rest, found := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	if !found || !isName(key) {
		return "", fmt.Errorf("%s is no key='value'", quoted(text))
	}
	if _, twice := c.args[key]; twice {
		return "", fmt.Errorf("%s is there twice", key)
	}
	value, rest, err := parseString(strings.TrimSpace(rest))
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	c.args[key] = value
	rest = strings.TrimSpace(rest)
	after, comma := strings.CutPrefix(rest, ",")
	after = strings.TrimSpace(after)
	if comma && !strings.HasPrefix(after, ")") {
		return after, nil
	}
	if comma || !strings.HasPrefix(rest, ")") {
		return "", fmt.Errorf("after %s stands %s; want a comma and another key, or the closing bracket", key, quoted(rest))
	}
	return rest, nil
}

// escapes are the letters after a backslash in a string.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\'', '"': '"'}

// parseString reads a string in single or double quotes.
func parseString(text string) (value, rest string, err error) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return "", "", fmt.Errorf("%s is no string in quotes", quoted(text))
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return b.String(), text[i+1:], nil
		case text[i] != '\\':
			b.WriteByte(text[i])
		case i+1 == len(text) || escapes[text[i+1]] == 0:
			return "", "", errors.New(`a backslash must be followed by n, t, r, a quote or a backslash`)
		default:
			i++
			b.WriteByte(escapes[text[i]])
		}
	}
	return "", "", errors.New("the string is not closed")
}

// isName reports whether a text is a name of lower-case letters and underscores.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// parsePlace reads a point as GUI models write it: <point>x y</point>, (x,y), either
// between box marks, or a box (x1,y1,x2,y2), of which it is the middle.
func parsePlace(text string) (x, y float64, err error) {
	inner := strings.TrimSpace(text)
	for _, marks := range [][2]string{{"<|box_start|>", "<|box_end|>"}, {"<point>", "</point>"}, {"(", ")"}} {
		if strings.HasPrefix(inner, marks[0]) && strings.HasSuffix(inner, marks[1]) && len(inner) >= len(marks[0])+len(marks[1]) {
			inner = strings.TrimSpace(inner[len(marks[0]) : len(inner)-len(marks[1])])
		}
	}
	var n []float64
	for _, word := range strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || strings.Trim(word, "0123456789.-") != "" {
			return 0, 0, fmt.Errorf("%s is no point; want <point>x y</point>", quoted(text))
		}
		n = append(n, v)
	}
	switch len(n) {
	case 2:
		return n[0], n[1], nil
	case 4:
		return (n[0] + n[2]) / 2, (n[1] + n[3]) / 2, nil
	}
	return 0, 0, fmt.Errorf("%s is no point; want <point>x y</point>", quoted(text))
}

// quoted is the beginning of a text, for a message.
func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		return strconv.Quote(string(r[:60])) + "…"
	}
	return strconv.Quote(s)
}
