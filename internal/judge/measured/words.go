package measured

import (
	"strings"
	"unicode"
)

// prose is text made ready for matching: lower-case words with a space on both
// sides of each, and " . " where a clause ends. Words of pages are stemmed;
// those of instructions only lose their plural, so that "books" does not ask for
// booking.
type prose string

// stop marks the end of a clause or of one of several joined texts.
const stop = "."

func toProse(s string) prose { return foldWords(s, stem) }

func foldWords(s string, fold func(string) string) prose {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	for _, w := range words(s) {
		b.WriteString(fold(w))
		b.WriteByte(' ')
	}
	return prose(b.String())
}

// has says whether the words of a phrase stand in p in this order.
func (p prose) has(phrase prose) bool { return strings.Contains(string(p), string(phrase)) }

func (p prose) hasAny(phrases []prose) bool {
	for _, q := range phrases {
		if p.has(q) {
			return true
		}
	}
	return false
}

// phrases makes ready a list written with commas.
func phrases(list string, fold func(string) string) []prose {
	if list == "" {
		return nil
	}
	var out []prose
	for _, s := range strings.Split(list, ",") {
		out = append(out, foldWords(s, fold))
	}
	return out
}

// words cuts a text into lower-case words and clause ends. Apostrophes are
// dropped ("don't" is dont) and hyphens separate.
func words(s string) []string {
	var out []string
	var w strings.Builder
	flush := func() {
		if w.Len() > 0 {
			out = append(out, w.String())
			w.Reset()
		}
	}
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '#':
			w.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’':
		case unicode.Is(unicode.So, r): // a pictograph is a word: it labels buttons
			flush()
			out = append(out, string(r))
		case strings.ContainsRune(".,;:!?()\n|", r):
			flush()
			out = append(out, stop)
		default:
			flush()
		}
	}
	flush()
	return out
}

// stem takes the commonest English endings off, so that "searches" and
// "searching" meet in "search". It need not be right, only the same on both
// sides of a comparison.
func stem(w string) string {
	w = singular(w)
	if len(w) <= 3 {
		return w
	}
	for _, end := range []string{"ing", "ed"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) >= 3 {
			w = undouble(base)
			break
		}
	}
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

// singular takes a plural ending off.
func singular(w string) string {
	if len(w) <= 3 || w == "news" {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		w = w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "hes"), strings.HasSuffix(w, "sses"):
		w = w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	return w
}

// undouble turns "shopp" (of "shopping") into "shop" but leaves "sell".
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeioulsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// A request is an instruction made ready for matching.
type request struct {
	text  string
	prose prose
}

func parseRequest(instruction string) request {
	return request{text: strings.TrimSpace(instruction), prose: foldWords(instruction, singular)}
}

// wants says whether one of the phrases stands in the instruction without a "no",
// "without" or the like before it in the same clause, and without one of the
// exceptions around it ("form of" is no form).
func (r request) wants(ask, except []prose) bool {
	text := string(r.prose)
	for _, q := range except {
		text = strings.ReplaceAll(text, string(q), " . ")
	}
	for _, q := range ask {
		for at := strings.Index(text, string(q)); at >= 0; {
			if !negated(text[:at]) {
				return true
			}
			next := strings.Index(text[at+1:], string(q))
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return false
}

// negated looks back over the last few words of the clause. A negation reaches
// over "no login or sign up", but not over a full stop.
func negated(before string) bool {
	ws := strings.Fields(before)
	for i := len(ws) - 1; i >= max(0, len(ws)-5) && ws[i] != stop; i-- {
		switch ws[i] {
		case "no", "not", "without", "dont", "never", "avoid", "exclude", "excluding", "omit", "skip", "except", "neither", "nor":
			return i+1 >= len(ws) || ws[i+1] != "only" && ws[i+1] != "forget"
		case "with", "but", "include", "including", "add", "have":
			return false
		}
	}
	return false
}
