package measured

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// leaks are what a page shows when code or filler got through to the reader.
var leaks = regexp.MustCompile(`\[object Object\]|\bNaN\b|\bundefined\b|\$\{[\w.]+\}|\{\{[^}]*\}\}|(?i:\blorem ipsum\b)|\bTODO:|\bInvalid Date\b|<%=|&nbsp;|\bYour (?:text|content|image) here\b`)

// leakMarks stand in every text that leaks can match; looking for them first is a
// hundred times faster than the expression.
var leakMarks = []string{"[object", "NaN", "undefined", "${", "{{", "orem ipsum", "OREM IPSUM", "TODO:", "Invalid Date", "<%=", "&nbsp;", " here"}

// leakedText finds program values and filler text that no visitor was meant to read.
var leakedText = eachView("There is no text to read.", (*viewFacts).leakedText)

func (f *viewFacts) leakedText() (reading, bool) {
	if len(f.texts) == 0 {
		return reading{}, false
	}
	r := reading{score: 1, why: "No filler text and no raw program value is shown."}
	for _, i := range f.texts {
		e := &f.Elements[i]
		if !slices.ContainsFunc(leakMarks, func(m string) bool { return strings.Contains(e.Text, m) }) || f.inCode(i) {
			continue
		}
		if found := leaks.FindString(e.Text); found != "" {
			r.where = append(r.where, f.place(e.TextBox, found))
		}
	}
	if n := len(r.where); n > 0 {
		r.score = 0.6 * decay(float64(n-1), 0.25)
		r.why = fmt.Sprintf("%s filler or raw program values, such as %s.", outOf(n, len(f.texts), "text", "shows", "show"), quote(r.where[0].Label))
	}
	return r, true
}

// inCode: a page about programming may quote such values.
func (f *viewFacts) inCode(i int) bool {
	for ; i >= 0; i = f.parent(i) {
		switch f.Elements[i].Tag {
		case "code", "pre", "textarea", "kbd":
			return true
		}
	}
	return false
}
