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

var envLine = regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*?)\s*$`)

func readEnv(files map[string]string) Env {
	env := Env{Values: map[string]string{}}
	for _, name := range []string{".env", ".env.local", ".env.production", ".env.production.local"} {
		for line := range strings.Lines(files[name]) {
			m := envLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
			if m == nil {
				continue
			}
			value := m[2]
			if len(value) > 1 && strings.ContainsRune("\"'`", rune(value[0])) {
				end := strings.IndexByte(value[1:], value[0])
				if end < 0 {
					return Env{Refusal: name + ": a value of several lines"}
				}
				value = value[1 : 1+end]
			} else if i := strings.Index(value, "#"); i >= 0 {
				value = strings.TrimSpace(value[:i])
			}
			if strings.ContainsAny(value, "$\\") {
				return Env{Refusal: fmt.Sprintf("%s: %s refers to something", name, m[1])}
			}
			env.Values[m[1]] = value
		}
	}
	return env
}
