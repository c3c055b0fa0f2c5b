package measured

import (
	"fmt"
	"unicode/utf8"
)

// Characters in a line: typographers set 45 to 75, WCAG asks for at most 80, and
// above 100 the eye loses its way back.
const (
	longLine    = 95.0
	endlessLine = 160.0
)

// lineLength asks whether paragraphs are set in lines that can be read.
var lineLength = eachView("There is no text of more than a line.", (*viewFacts).lineLength)

func (f *viewFacts) lineLength() (reading, bool) {
	var r reading
	var chars, lost, longest float64
	n := 0
	for _, i := range f.texts {
		e := &f.Elements[i]
		total := float64(utf8.RuneCountInString(e.Text))
		if total < 90 || f.inText(i) || f.inCode(i) || foreign(e.Text) {
			continue
		}
		n++
		perLine := min(total, charsPerLine(e))
		chars += total
		longest = max(longest, perLine)
		if perLine > longLine {
			lost += total * ramp(perLine, longLine-15, endlessLine)
			r.where = append(r.where, f.place(e.TextBox, fmt.Sprintf("about %.0f characters a line", perLine)))
		}
	}
	if n == 0 {
		return r, false
	}
	r.score = 1 - lost/chars
	r.why = fmt.Sprintf("The longest lines of %s have about %.0f characters; up to %.0f read well.", count(n, "paragraph"), longest, longLine)
	return r, true
}
