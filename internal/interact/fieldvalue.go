package interact

import (
	"regexp"
	"strconv"
	"strings"

	"vitrine"
)

// means finds what a field is for by the words around it. The first that fits counts.
var means = []struct {
	words *regexp.Regexp
	value string
}{
	{regexp.MustCompile(`(?i)e-?mail`), "anna.berg@example.com"},
	{regexp.MustCompile(`(?i)pass ?word|passwort|mot de passe|passphrase`), "Str0ng!Pass99"},
	{regexp.MustCompile(`(?i)phone|mobile|\btel\b|telefon`), "+1 555 010 2030"},
	{regexp.MustCompile(`(?i)card.?(no|num)|credit`), "4111 1111 1111 1111"},
	{regexp.MustCompile(`(?i)cvc|cvv`), "123"},
	{regexp.MustCompile(`(?i)expir`), "12/29"},
	{regexp.MustCompile(`(?i)zip|postal|postcode|plz`), "90210"},
	{regexp.MustCompile(`(?i)user.?name|nick|handle|login`), "annaberg"},
	{regexp.MustCompile(`(?i)first.?name|given|vorname`), "Anna"},
	{regexp.MustCompile(`(?i)last.?name|surname|family|nachname`), "Berg"},
	{regexp.MustCompile(`(?i)url|website|link|homepage`), "https://example.com/"},
	{regexp.MustCompile(`(?i)city|town|stadt`), "Lyon"},
	{regexp.MustCompile(`(?i)country`), "France"},
	{regexp.MustCompile(`(?i)street|address`), "12 Garden Street"},
	{regexp.MustCompile(`(?i)company|organi[sz]ation`), "Acme"},
	{regexp.MustCompile(`(?i)\bname\b`), "Anna Berg"},
	{regexp.MustCompile(`(?i)date|birthday`), "2026-03-14"},
	{regexp.MustCompile(`(?i)colou?r|hex`), "#3366cc"},
	{regexp.MustCompile(`(?i)\bage\b`), "34"},
	{regexp.MustCompile(`(?i)amount|price|budget|cost|salary|income|weight|height|quantity|number|how many|count|minutes|seconds|hours|guests|percent|rate`), "25"},
	{regexp.MustCompile(`(?i)message|comment|description|notes?|review|feedback|bio|about`), "A few words of text."},
	{regexp.MustCompile(`(?i)title|subject|topic`), "A new title"},
}

// byType are values for types of fields.
var byType = map[string]string{
	"email": "anna.berg@example.com", "tel": "+15550102030", "url": "https://example.com/", "date": "2026-03-14", "time": "14:30", "month": "2026-03", "week": "2026-W11",
	"datetime-local": "2026-03-14T14:30", "color": "#3366cc", "password": "Str0ng!Pass99",
}

// A text that is too short for its field is made longer, up to maxFilled letters: a page
// can ask for any number of them.
const (
	more      = " and more"
	maxFilled = 2000
)

// FieldValue is something sensible for a field: by its type, its limits, its pattern, and
// the words around it.
func FieldValue(c vitrine.Control, f Facts) string {
	around := strings.Join([]string{c.Name, f.FieldName, f.Placeholder, f.Autofill}, " ")
	text := byType[c.Type]
	switch {
	case c.Type == "number" || c.Role == "spinbutton" || f.InputMode == "numeric" && f.Pattern == "":
		return numeric(f, around)
	case c.Type == "date" || c.Type == "month" || c.Type == "time" || c.Type == "week" || c.Type == "datetime-local":
		return between(text, f.Min, f.Max)
	case text == "":
		text = "Sunny day"
		for _, m := range means {
			if m.words.MatchString(around) {
				text = m.value
				break
			}
		}
	}
	if c.Type == "color" && strings.EqualFold(text, c.Value) {
		text = "#cc6633"
	}
	text = patterned(text, f)
	if f.MinLength <= maxFilled {
		text += strings.Repeat(more, (max(f.MinLength-len(text), 0)+len(more)-1)/len(more))
	}
	if f.MaxLength > 0 && len(text) > f.MaxLength {
		text = text[:f.MaxLength]
	}
	if text == c.Value {
		text += "s"
	}
	return text
}

// numeric is a number within the limits, off the value that is there.
func numeric(f Facts, around string) string {
	low, errLow := strconv.ParseFloat(f.Min, 64)
	high, errHigh := strconv.ParseFloat(f.Max, 64)
	n := 25.0
	if strings.Contains(strings.ToLower(around), "year") {
		n = 2026
	}
	if errLow == nil && n < low {
		n = low + 1
	}
	if errHigh == nil && n > high {
		n = high
		if errLow == nil {
			n = low + float64(int((high-low)/2))
		}
	}
	if step, err := strconv.ParseFloat(f.Step, 64); err == nil && step > 1 {
		base := 0.0
		if errLow == nil {
			base = low
		}
		n = base + step*float64(int((n-base)/step))
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// between keeps a date within its limits; dates are compared as they are written.
func between(text, low, high string) string {
	if low != "" && text < low {
		return low
	}
	if high != "" && text > high {
		return high
	}
	return text
}

// patterned fits a text to the pattern of its field, where a common one does.
func patterned(text string, f Facts) string {
	if f.Pattern == "" {
		return text
	}
	re, err := regexp.Compile("^(?:" + f.Pattern + ")$")
	if err != nil || re.MatchString(text) {
		return text
	}
	for _, try := range []string{
		strings.ToLower(strings.ReplaceAll(text, " ", "")), "annaberg", "Anna", "anna_berg", "AnnaBerg1", "ANNA", "AB", "ABC", "ABC-123", "AB-1234", "ABC123", "AB1234", "1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "1234567890", "0123456789",
		"555-010-2030", "(555) 010-2030", "+15550102030", "90210", "90210-1234", "12/29", "4111111111111111", "4111 1111 1111 1111", "2026-03-14", "14:30", "12.50", "a", "A1", "#3366cc", "anna-berg",
	} {
		if re.MatchString(try) {
			return try
		}
	}
	return text
}

// FileFor names a stand-in file that a field accepts.
func FileFor(f Facts) string {
	accept := strings.ToLower(f.Accept)
	for _, kind := range []struct{ word, file string }{{"pdf", "report.pdf"}, {"csv", "table.csv"}, {"json", "data.json"}, {"audio", "song.mp3"}, {"video", "clip.mp4"}, {".htm", "page.html"}, {".md", "notes.md"}, {"text", "notes.txt"}, {".txt", "notes.txt"}} {
		if strings.Contains(accept, kind.word) && !strings.Contains(accept, "image") {
			return kind.file
		}
	}
	return "photo.png"
}
