package measured

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitrine"
)

// squeezedLine is how many characters a line holds when words stand one below the
// other in a strip that is too narrow for them.
const squeezedLine = 11.0

// squeezedText finds texts of several words that are set a word or two a line:
// what is left of a layout that ran out of room.
var squeezedText = eachView("There is no text that could be squeezed.", (*viewFacts).squeezedText)

func (f *viewFacts) squeezedText() (reading, bool) {
	n := len(f.texts)
	if n == 0 {
		return reading{}, false
	}
	var r reading
	for _, i := range f.texts {
		if f.squeezed(i) {
			r.where = append(r.where, f.place(f.Elements[i].TextBox, "a word or two a line"))
		}
	}
	bad := len(r.where)
	r.score = decay(float64(bad)/float64(max(n, 12)), 4)
	r.why = fmt.Sprintf("None of %s is squeezed into a strip.", count(n, "text"))
	if bad > 0 {
		r.why = fmt.Sprintf("%s squeezed into a strip of a word or two a line.", outOf(bad, n, "text", "is", "are"))
	}
	return r, true
}

func (f *viewFacts) squeezed(i int) bool {
	e := &f.Elements[i]
	perLine := charsPerLine(e)
	return perLine < squeezedLine && textLines(e) >= 3 && float64(utf8.RuneCountInString(e.Text)) > 1.2*perLine &&
		strings.ContainsFunc(e.Text, unicode.IsLetter) && !foreign(e.Text) && !f.inCode(i)
}

// charsPerLine estimates how many characters fit into a line of a text: a letter
// of a common typeface is a little less than half as wide as high.
func charsPerLine(e *vitrine.Element) float64 { return e.TextBox.W / (0.47 * e.Style.FontSize) }

// textLines is how many lines a text is set in: the first is as high as its
// letters, each further one adds a line height.
func textLines(e *vitrine.Element) int {
	const letters = 1.15 // of the font size
	line := e.Style.LineHeight
	if line <= 0 {
		line = letters * e.Style.FontSize
	}
	return 1 + max(0, int(math.Round((e.TextBox.H-letters*e.Style.FontSize)/line)))
}
