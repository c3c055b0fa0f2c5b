package refine

import (
	"regexp"
	"strings"
	"unicode"
)

// What a critique must not hold. Blocks go with what is in them.
var (
	fences = regexp.MustCompile("(?s)`{3,}.*?(?:`{3,}|\\z)|~{3,}.*?(?:~{3,}|\\z)")
	blocks = regexp.MustCompile(`(?is)<pre\b.*?</pre\s*>|<code\b.*?</code\s*>|<script\b.*?</script\s*>|<style\b.*?</style\s*>|<svg\b.*?</svg\s*>|<textarea\b.*?</textarea\s*>`)
	tags   = regexp.MustCompile(`</?[A-Za-z!?][^<>]*>`)
	lines  = regexp.MustCompile(`[ \t]*\n\s*`)
	spaces = regexp.MustCompile(`[ \t]+`)
)

// codeMark stands where code was taken out.
const codeMark = " [code] "

// What goes around a critique (ReLook §2.3).
const (
	openFeedback  = "<mlm_feedback>\n"
	closeFeedback = "\n</mlm_feedback>"
)

// Critique makes what a critic says fit to stand in a prompt: at most limit
// characters, no code block, no tag, no mark of a chat template, no control or
// invisible character. A < or > that is left becomes ‹ or ›, so nothing in it can
// close the tag around it. It takes linear time, and doing it twice changes nothing.
func Critique(said string, limit int) string {
	said = strings.Map(visible, strings.ToValidUTF8(said, ""))
	said = fences.ReplaceAllString(said, codeMark)
	said = blocks.ReplaceAllString(said, codeMark)
	said = tags.ReplaceAllString(said, " ")
	said = strings.NewReplacer("<", "‹", ">", "›").Replace(said)
	said = spaces.ReplaceAllString(lines.ReplaceAllString(said, "\n"), " ")
	return cut(strings.TrimSpace(said), limit)
}

// visible drops characters that a reader does not see, and makes every kind of line
// end one.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '\r' || r == '\u2028' || r == '\u2029':
		return '\n'
	case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// cut shortens a text to so many characters, the last an ellipsis.
func cut(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return strings.TrimRightFunc(string(runes[:limit-1]), unicode.IsSpace) + "…"
}

func wrap(critique string) string { return openFeedback + critique + closeFeedback }
