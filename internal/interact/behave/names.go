package behave

import (
	"slices"
	"strings"
)

// lastName is the last word of a name of a person, in lower case. A text of more than four words is no name and is
// returned whole.
func lastName(text string) string {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 || len(words) > 4 {
		return strings.ToLower(text)
	}
	return words[len(words)-1]
}

// surname is the last word of a name with the particle before it, as "le guin".
func surname(text string) string {
	last := lastName(text)
	if rest, ok := strings.CutSuffix(strings.ToLower(text), " "+last); ok {
		words := strings.Fields(rest)
		if len(words) > 1 && slices.Contains(particles, words[len(words)-1]) {
			return words[len(words)-1] + " " + last
		}
	}
	return last
}

var particles = []string{"le", "la", "de", "du", "des", "di", "da", "del", "van", "von", "der", "den", "ten", "el", "al", "st.", "st", "mac"}
