package project

import (
	"fmt"
	"regexp"
	"strings"
)

// An Env is what the .env files say that a production build reads, the strongest last.
type Env struct {
	Values  map[string]string
	Refusal string // why they are not known
}

// envLine is a variable as the dotenv package of npm, which Vite has, finds it: a value in
// quotes may go over several lines, and one that is not closed has none.
var envLine = regexp.MustCompile(`(?m)^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)` +
	`(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*\x60(?:\\\x60|[^\x60])*\x60|[^#\n]+)?\s*(?:#.*)?$`)

// What stands for something else where a file is read, and in double quotes.
var (
	lineEnds = strings.NewReplacer("\ufeff", "", "\r\n", "\n", "\r", "\n")
	escapes  = strings.NewReplacer(`\n`, "\n", `\r`, "\r")
)

func readEnv(files map[string]string) Env {
	env := Env{Values: map[string]string{}}
	for _, name := range []string{".env", ".env.local", ".env.production", ".env.production.local"} {
		for _, m := range envLine.FindAllStringSubmatch(lineEnds.Replace(files[name]), -1) {
			value := strings.TrimSpace(m[2])
			if n := len(value); n > 1 && strings.ContainsRune("\"'`", rune(value[0])) && value[n-1] == value[0] {
				quote := value[0]
				value = value[1 : n-1]
				if quote == '"' {
					value = escapes.Replace(value)
				}
			}
			if strings.Contains(value, "$") {
				return Env{Refusal: fmt.Sprintf("%s: %s refers to something", name, m[1])}
			}
			env.Values[m[1]] = value
		}
	}
	return env
}
