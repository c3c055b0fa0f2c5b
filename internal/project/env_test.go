package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The answers are those of dotenv 16.6.1.
func TestEnvironmentsAreReadAsViteDoes(t *testing.T) {
	t.Parallel()
	type values = map[string]string
	for file, want := range map[string]values{
		"":                             {},
		"A=1\nexport B = 2 \n  C=3":    {"A": "1", "B": "2", "C": "3"},
		"A: 1\nB:2":                    {"A": "1"},
		"A=1\r\nB=2\rC=3":              {"A": "1", "B": "2", "C": "3"},
		"\ufeffA=1":                    {"A": "1"},
		"A=\nB=2\nC":                   {"A": "", "B": "2"},
		"A=x # c\nB=x#c\nC='x # c' #":  {"A": "x", "B": "x", "C": "x # c"},
		"A=`x`\nB=\" x \"\nC=\"'x'\"":  {"A": "x", "B": " x ", "C": "'x'"},
		"A='it's'\nB=it's\nC=\"a\"b":   {"A": "it's", "B": "it's", "C": "\"a\"b"},
		`A="a\nb"` + "\n" + `B='a\nb'`: {"A": "a\nb", "B": `a\nb`},
		`A="a\"b"` + "\nB=2":           {"A": `a\"b`, "B": "2"},
		"A=\"1\n2\"\nB=3":              {"A": "1\n2", "B": "3"},
		"A=\"1\nB=2":                   {"A": "\"1", "B": "2"},
		"text\n=1\nA B=1\n#C=1\nD==1":  {"text": "1", "D": "=1"},
		`A={"k":"v"}`:                  {"A": `{"k":"v"}`},
	} {
		env := readEnv(values{".env": file})
		if diff := cmp.Diff(want, env.Values); diff != "" || env.Refusal != "" {
			t.Errorf("%q: refused %q, (-want +got):\n%s", file, env.Refusal, diff)
		}
	}
	for _, refers := range []string{"A=$B", `A=\$B`, "A='${B}'"} {
		if env := readEnv(values{".env": refers}); env.Refusal != ".env: A refers to something" {
			t.Errorf("%q: got %+v", refers, env)
		}
	}
}

func TestLaterEnvironmentsAreStronger(t *testing.T) {
	t.Parallel()
	env := readEnv(map[string]string{".env": "A=1\nB=1", ".env.local": "B=2\nC=2", ".env.production": "C=3", ".env.development": "A=4"})
	if diff := cmp.Diff(map[string]string{"A": "1", "B": "2", "C": "3"}, env.Values); diff != "" {
		t.Error(diff)
	}
}
