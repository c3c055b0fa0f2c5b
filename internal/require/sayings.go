package require

import (
	_ "embed"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"vitrine"
)

// sayingsText are ways of saying what a site does; its head says how it is written.
//
//go:embed sayings.txt
var sayingsText string

// spans are the stretches of text that a line of it may skip.
var spans = strings.NewReplacer(" ~ ", `\b[^.;,]{0,16}\b`, " .. ", `\b[^.;,]{0,30}\b`, " ... ", `\b[^.;]{0,40}\b`)

// A saying is one line: what it matches at the beginning of a word, and what that asks for.
type saying struct {
	says *regexp.Regexp
	does vitrine.Behavior
}

// sayings are the lines by the letters that they can begin with, two at most, so that a
// word is compared with few of them.
var sayings = func() map[string][]saying {
	byOpening := map[string][]saying{}
	var shared []string
	var does vitrine.Behavior
	for line := range strings.Lines(sayingsText) {
		line = strings.TrimSuffix(line, "\n")
		name, isName := strings.CutPrefix(line, "# ")
		switch word, words, ok := strings.Cut(line, " = "); {
		case isName && !strings.Contains(name, " "):
			does = vitrine.Behavior(name)
		case line == "" || strings.HasPrefix(line, "#"):
		case ok && does == "":
			shared = append(shared, "{"+word+"}", "("+words+")")
		default:
			says := regexp.MustCompile(`^(?:` + spans.Replace(strings.NewReplacer(shared...).Replace(line)) + `)\b`)
			parsed, _ := syntax.Parse(says.String(), syntax.Perl)
			for o := range openings(parsed, 2) {
				byOpening[o] = append(byOpening[o], saying{says, does})
			}
		}
	}
	return byOpening
}()

// openings are the first n letters of what an expression matches, fewer where they may be
// anything.
func openings(re *syntax.Regexp, n int) map[string]bool {
	switch re.Op {
	case syntax.OpLiteral:
		return set(string(re.Rune[:min(n, len(re.Rune))]))
	case syntax.OpCapture, syntax.OpPlus:
		return openings(re.Sub[0], n)
	case syntax.OpAlternate:
		all := map[string]bool{}
		for _, sub := range re.Sub {
			for o := range openings(sub, n) {
				all[o] = true
			}
		}
		return all
	case syntax.OpConcat:
		return openingsOf(re.Sub, n)
	}
	return map[string]bool{"": true}
}

// openingsOf are the openings of expressions one behind the other.
func openingsOf(subs []*syntax.Regexp, n int) map[string]bool {
	for len(subs) > 0 && (subs[0].Op == syntax.OpBeginText || subs[0].Op == syntax.OpEmptyMatch || subs[0].Op == syntax.OpWordBoundary) {
		subs = subs[1:]
	}
	if len(subs) == 0 {
		return map[string]bool{"": true}
	}
	if subs[0].Op == syntax.OpQuest || subs[0].Op == syntax.OpStar {
		all := openingsOf(subs[1:], n)
		for o := range openings(subs[0].Sub[0], n) {
			all[o] = true
		}
		return all
	}
	all := map[string]bool{}
	for o := range openings(subs[0], n) {
		if o != "" && len(o) < n && whole(subs[0], o) {
			for more := range openingsOf(subs[1:], n-len(o)) {
				all[o+more] = true
			}
			continue
		}
		all[o] = true
	}
	return all
}

// whole reports whether an expression can be no longer than its opening.
func whole(re *syntax.Regexp, opening string) bool {
	return re.Op == syntax.OpLiteral && string(re.Rune) == opening
}

// said tells found the behaviours that sayings name in a text, in its order, each with the
// words, as long as they are wanted.
func said(text string, wanted func(vitrine.Behavior) bool, found func(does vitrine.Behavior, quote string)) {
	low := strings.ToLower(text)
	inside := false
	for i, r := range low {
		begins := !inside
		if inside = unicode.IsLetter(r) || unicode.IsDigit(r); !inside || !begins {
			continue
		}
		for n := range 3 {
			if i+n > len(low) {
				break
			}
			for _, s := range sayings[low[i:i+n]] {
				if wanted(s.does) {
					if at := s.says.FindStringIndex(low[i:min(len(low), i+maxSaying)]); at != nil {
						found(s.does, low[i:i+at[1]])
					}
				}
			}
		}
	}
}

// maxSaying bounds the text that is compared with a saying.
const maxSaying = 240
