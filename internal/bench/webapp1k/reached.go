package webapp1k

import (
	"regexp"
	"strings"
)

// reached is what a component has no business with, and empty where it has none of it: an
// answer that puts other words in the place of the tests' own passes without working. By
// compat it passes, as far as jest lets it. Code that hides its words is not found.
func reached(code string) string {
	for _, m := range words.FindAllStringSubmatch(code, -1) {
		if name := m[1] + m[2]; name != "" && !loadable.MatchString(name) {
			return "it loads " + name
		}
	}
	return strings.TrimSpace(tools.FindString(words.ReplaceAllStringFunc(code, blank)))
}

var (
	// words are what is no code: names of modules, then comments, strings and what stands
	// between tags; process.env, which React's build tools insert, is allowed.
	words = regexp.MustCompile(`(?:\bfrom|\bimport)\s*(?:"([^"\n]*)"|'([^'\n]*)')|(?s:/\*.*?\*/)|(?m:(?:^|[\s;,{}()])//.*$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|>[^<>{};=]*<|\bprocess\.env\b`)
	// loadable are the modules that a component is written with.
	loadable = regexp.MustCompile(`^(?:(?:react|react-dom|react-router-dom)(?:/.*)?|\./.*)$`)
	// tools are uses of what tests it, or of the process that does.
	tools = regexp.MustCompile(`\bexpect\s*(?:\(|\.\s*\w+\s*[(=])|\.\s*expect\b|\bfetchMock\b|\bjest\s*\.|\brequire\s*[(.]|\bimport\s*\(|\bprocess\s*[.\[]|\bgetOwnPropertySymbols\b|\bownKeys\b`)
)

// blank stands for what is no code.
func blank(string) string { return " " }
