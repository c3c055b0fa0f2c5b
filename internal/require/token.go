package require

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The most that is read: bytes of an instruction, bytes of one side of a test case, and
// test cases. What is beyond is left out, so that reading takes bounded time.
const (
	maxInstruction = 24 << 10
	maxCaseText    = 4 << 10
	maxCases       = 300
)

// A token is a word or a mark of punctuation.
type token struct {
	text string // as written
	low  string // lower case
	base string // lower case and singular
	mark bool   // punctuation: , ; : ( ) & / –
}

// A sentence is a run of tokens with the text that they come from.
type sentence struct {
	text   string
	tokens []token
	bullet bool // an item of a list
}

var (
	fenced    = regexp.MustCompile("(?s)```.*?(```|$)")
	numbering = regexp.MustCompile(`^\s*(?:[-*•#>=]+|\d{1,2}[.)]|[a-z]\))\s*`)
	// preface are sentences to the model about its code, not about the site.
	preface = regexp.MustCompile(`(?i)\byou(?:'re| are)? (?:are )?(?:an? )?(?:\w+ )?(?:code|coding|web|skilled|senior|expert|professional)|professional knowledge|\b(?:executable|runnable)\b|\bcode files\b|\bsource code\b.{0,40}\bshare\b|\boutput rules\b|project code|comments in (?:the|your) code|complete code|simulated data|\boutputting\b|\bfinal output\b`)
)

// sentences splits a text at its marks of ends, at lines and at the numbers of lists.
func sentences(text string) (result []sentence) {
	text = fenced.ReplaceAllString(bounded(text, maxInstruction), "\n")
	for line := range strings.SplitSeq(text, "\n") {
		for _, part := range bullets(line) {
			if strings.TrimSpace(part.text) == "" || preface.MatchString(part.text) {
				continue
			}
			if toks := plainly(tokens(part.text)); len(toks) > 0 {
				result = append(result, sentence{strings.TrimSpace(part.text), toks, part.bullet})
			}
		}
	}
	return result
}

// inline are the marks of a list that stands in one line.
var inline = regexp.MustCompile(`(?:^|\s)[-•·*]\s+`)

// counted are the numbers of a list that stands in one line.
var counted = regexp.MustCompile(`(?:^|\s)\(?(\d{1,2})\)\s+`)

// numbersRise reports whether a line has the numbers 1), 2) and so on of a list.
func numbersRise(line string) bool {
	all := counted.FindAllStringSubmatch(line, -1)
	for i, m := range all {
		if m[1] != strconv.Itoa(i+1) {
			return false
		}
	}
	return len(all) > 1
}

// bullets are the sentences of a line, and of the items of a list in it.
func bullets(line string) (parts []sentence) {
	items := []string{line}
	marked := numbering.MatchString(line)
	switch {
	case len(inline.FindAllStringIndex(line, 3)) > 1:
		items = inline.Split(line, -1)
	case numbersRise(line):
		items = counted.Split(line, -1)
	}
	for i, item := range items {
		for _, text := range ends(numbering.ReplaceAllString(item, "")) {
			parts = append(parts, sentence{text: text, bullet: marked || i > 0})
		}
	}
	return parts
}

// bounded is the text in valid UTF-8, cut to n bytes at a rune.
func bounded(text string, n int) string {
	if len(text) > n {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	return strings.ToValidUTF8(text, " ")
}

// ends splits a line behind . ! ? 。 and their kin, where they end a sentence.
func ends(line string) (parts []string) {
	runes, from := []rune(line), 0
	for i, r := range runes {
		last := i+1 == len(runes)
		switch {
		case strings.ContainsRune("。！？；", r):
		case strings.ContainsRune("!?;", r) && (last || unicode.IsSpace(runes[i+1])):
		case r == '.' && (last || unicode.IsSpace(runes[i+1]) || runes[i+1] == '"') && !abbreviated(runes[from:i]):
		default:
			continue
		}
		parts = append(parts, string(runes[from:i+1]))
		from = i + 1
	}
	return append(parts, string(runes[from:]))
}

// abbreviated reports whether a point behind these runes belongs to e.g., etc. or vs.
func abbreviated(before []rune) bool {
	tail := strings.ToLower(string(before[max(0, len(before)-4):]))
	for _, a := range []string{"e.g", "i.e", " vs", " dr", " mr", " no"} {
		if strings.HasSuffix(tail, a) {
			return true
		}
	}
	return false
}

// tokens are the words and marks of a sentence. Runs of Han characters are one token.
func tokens(text string) (result []token) {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		r := runes[i]
		j := i + 1
		switch {
		case unicode.Is(unicode.Han, r):
			for j < len(runes) && unicode.Is(unicode.Han, runes[j]) {
				j++
			}
			result = append(result, word(string(runes[i:j])))
		case inWord(r):
			for j < len(runes) && (inWord(runes[j]) || joins(runes, j)) {
				j++
			}
			if j == i+1 && r == '+' { // "title + priority"
				result = append(result, token{text: "+", low: ",", base: ",", mark: true})
				break
			}
			result = append(result, word(string(runes[i:j])))
		case strings.ContainsRune(",;:()&/–—、，：（）", r):
			result = append(result, token{text: string(r), low: latin(r), base: latin(r), mark: true})
		}
		i = j
	}
	return result
}

func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r) || r == '$' || r == '%' || r == '+'
}

// joins reports whether the rune holds two parts of one word together: don't, 3-day, Next.js, 1,000.
func joins(runes []rune, i int) bool {
	if i+1 >= len(runes) || !inWord(runes[i+1]) {
		return false
	}
	switch runes[i] {
	case '\'', '’', '-', '‑', '.':
		return true
	case ',':
		return unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
	}
	return false
}

// latin is a mark as Western texts write it.
func latin(r rune) string {
	switch r {
	case '、', '，':
		return ","
	case '：':
		return ":"
	case '–', '—':
		return "–"
	case '（':
		return "("
	case '）':
		return ")"
	}
	return string(r)
}

func word(text string) token {
	low := strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	low = strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "'")
	return token{text: text, low: low, base: singular(low)}
}

// sameInPlural are words whose last s is no plural.
var sameInPlural = set("news status series species analysis basis chess address access process progress business class glass lens gas bus canvas css js less plus tennis mathematics physics sales aws ios always this its us is was has across various previous success express wellness fitness princess boss cross virus bonus focus campus menus")

// singular is the singular of an English noun, near enough for comparing words.
func singular(w string) string {
	switch {
	case w == "menus" || w == "viruses" || w == "statuses" || w == "buses" || w == "classes" || w == "bonuses":
		return strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e")
	case w == "people":
		return "person"
	case w == "children":
		return "child"
	case len(w) < 4 || sameInPlural[w] || strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "ies") && len(w) > 4 && w != "movies" && w != "cookies" && w != "selfies" && w != "calories":
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "zzes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// set is the set of the words of a line.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
