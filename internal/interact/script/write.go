package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vitrine"
)

// Write is scripts as a file, a line a step. Parsing it gives the same scripts.
func Write(scripts ...Script) []byte {
	var b bytes.Buffer
	for _, s := range scripts {
		lead := "- "
		for _, f := range []struct{ key, value string }{
			{"id", s.ID}, {"task", s.Task}, {"expected", s.Expected}, {"category", s.Category}, {"route", s.Route},
		} {
			if f.value != "" && (f.key != "route" || f.value != "/") {
				fmt.Fprintf(&b, "%s%s: %s\n", lead, f.key, scalar(f.value))
				lead = "  "
			}
		}
		fmt.Fprintf(&b, "%ssteps:\n", lead)
		for _, step := range s.Steps {
			fmt.Fprintf(&b, "    - %s\n", step)
		}
	}
	return b.Bytes()
}

// String is the step as it is written, without the dash.
func (s Step) String() string {
	if s.Do != nil {
		return string(s.Do.Kind) + ": " + actionText(s.Do)
	}
	if len(s.Expect) > 1 {
		all := make([]string, len(s.Expect))
		for i, c := range s.Expect {
			all[i] = "{" + c.String() + "}"
		}
		return "expect_any: [" + strings.Join(all, ", ") + "]"
	}
	text := s.Expect[0].String()
	if s.Weight != 1 {
		text += ", weight: " + number(s.Weight)
	}
	if s.Optional {
		text += ", optional: true"
	}
	return "expect: {" + text + "}"
}

// actionText is what stands behind the word of an action.
func actionText(a *vitrine.Action) string {
	switch a.Kind {
	case vitrine.ActType:
		return flow("into", targetText(a.Target), "text", scalar(a.Text))
	case vitrine.ActPress:
		if a.Target == nil && a.Times == 0 {
			return scalar(a.Text)
		}
		return flow("key", scalar(a.Text), "times", whole(a.Times), "in", targetText(a.Target))
	case vitrine.ActSelect:
		return flow("in", targetText(a.Target), "option", scalar(a.Text))
	case vitrine.ActDrag:
		by := ""
		if a.To == nil {
			by = fmt.Sprintf("[%s, %s]", number(a.DX), number(a.DY))
		}
		return flow("from", targetText(a.Target), "to", targetText(a.To), "by", by)
	case vitrine.ActScroll:
		if a.DY == 0 {
			return flow("to", targetText(a.Target))
		}
		return flow("by", number(a.DY), "in", targetText(a.Target))
	case vitrine.ActUpload:
		return flow("into", targetText(a.Target), "file", scalar(a.Text))
	case vitrine.ActBack, vitrine.ActReload:
		return "true"
	case vitrine.ActWait:
		return strconv.Itoa(a.MS)
	}
	return targetText(a.Target)
}

// String is the condition as it is written, without braces.
func (c Condition) String() string {
	wanted := scalar(c.Text)
	switch c.Kind {
	case KindCount:
		return "count: " + flow("of", targetText(c.Of), string(c.Compare), strconv.Itoa(c.N))
	case KindValue:
		return "value: " + flow("of", targetText(c.Of), string(c.Compare), wanted)
	case KindStorage:
		return "storage: " + flow("key", scalar(c.Key), string(c.Compare), wanted)
	case KindAttribute:
		return "attribute: " + flow("of", targetText(c.Of), "name", scalar(c.Key), string(c.Compare), wanted)
	case KindStyle:
		return "style: " + flow("of", targetText(c.Of), "property", scalar(c.Key), string(c.Compare), wanted)
	}
	return string(c.Kind) + ": " + cmp.Or(targetText(c.Of), wanted)
}

func targetText(t *vitrine.Target) string {
	switch {
	case t == nil:
		return ""
	case t.Point != nil:
		return fmt.Sprintf("{point: [%s, %s]}", number(t.Point[0]), number(t.Point[1]))
	}
	optional := func(s string) string {
		if s == "" {
			return ""
		}
		return scalar(s)
	}
	return flow("role", optional(t.Role), "name", optional(t.Name), "text", optional(t.Text), "label", optional(t.Label),
		"placeholder", optional(t.Placeholder), "css", optional(t.CSS), "nth", whole(t.Nth))
}

// flow is a mapping on one line; what has no value is left out.
func flow(pairs ...string) string {
	var parts []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			parts = append(parts, pair[0]+": "+pair[1])
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func whole(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

var (
	plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9]+)*$`)
	words = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"} // that are no texts in YAML
)

// scalar is a text as YAML: plain where nothing can be misread, else as JSON writes
// it, which YAML reads, too.
func scalar(s string) string {
	if plain.MatchString(s) && !slices.Contains(words, strings.ToLower(s)) {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return strconv.Quote(s) // a string can always be written
	}
	return strings.TrimSpace(b.String())
}
