package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"vitrine/internal/cache"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
	"vitrine/internal/leak"
	"vitrine/internal/model"
	"vitrine/internal/model/modeltest"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"vitrine": main})
}

type suite struct{ *testing.M }

// Run runs the tests with a cache that they share, as the runs of one machine do.
func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "cache-")
	if err == nil {
		err = os.Setenv("VITRINE_CACHE", dir)
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	return leak.Run(s.M)
}

// needsBrowser skips a test with -short.
func needsBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
}

// TestScripts runs the commands as a person does: testdata/script has one file
// for each thing that the command line promises.
func TestScripts(t *testing.T) {
	models := modeltest.New(t, tinyModel)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		WorkdirRoot:         t.TempDir(),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			exe, err := exec.LookPath("vitrine")
			env.Setenv("VITRINE_CACHE", os.Getenv("VITRINE_CACHE"))
			env.Setenv("VITRINE_EXE", exe)
			env.Setenv("MODEL_SERVER", models.URL)
			studies, errStudies := filepath.Abs("../../studies")
			env.Setenv("STUDIES", studies)
			env.Setenv("MODEL_KEY", modeltest.Key)
			env.Setenv("TERM", "xterm-256color")
			return errors.Join(err, errStudies, os.WriteFile(filepath.Join(env.WorkDir, "page.html"), []byte(page), 0o644))
		},
		Condition: func(name string) (bool, error) {
			if name != "namespaces" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return exec.Command("unshare", "-Urm", "true").Run() == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit": exitWith, "json": jsonAt, "plain": plainText, "lines": lineCount, "embedder": tinyEmbedder,
		},
	})
}

// tinyEmbedder writes a small table of vectors, into the cache by default:
//
//	embedder [DIR]
func tinyEmbedder(ts *testscript.TestScript, _ bool, args []string) {
	dir := embed.Default(filepath.Join(ts.Getenv("VITRINE_CACHE"), cache.EmbedderDir))
	if len(args) > 0 {
		dir = ts.MkAbs(args[0])
	}
	ts.Check(embedtest.Write(dir))
}

// tinyModel answers what models test asks. The model called plain takes no schema,
// the one called missing is not there, critic judges, planner writes a script,
// author a page, reader what an instruction asks for, scribe rows of data pipelines, staff those of the pipelines that ship, verbose one of more than 14,000 tokens, stubborn the same page again
// and again, oracle goes by the quality that a page says it has, and babbler nothing of use.
func tinyModel(q modeltest.Question) modeltest.Answer {
	switch {
	case q.Model == "oracle":
		return modeltest.Answer{Text: oracle(q.Schema, q.Text)}
	case q.Model == "author" && strings.Contains(q.Text, "Tea, first try"):
		return modeltest.Answer{Text: "Better now.\n```html\n" + page + "\n```"}
	case q.Model == "author" || q.Model == "stubborn":
		return modeltest.Answer{Text: "```html\n<!DOCTYPE html><html><body><p style=\"font-size:6px;color:#eee\">Tea, first try</p></body></html>\n```\n<get_feedback>"}
	case q.Model == "scribe" && bytes.Contains(q.Schema, []byte(`"keywords"`)):
		return modeltest.Answer{Text: `{"keywords": ["a tea shop", "a tea museum", "A tea shop"]}`}
	case q.Model == "scribe" && bytes.Contains(q.Schema, []byte(`"instructions"`)):
		return modeltest.Answer{Text: `{"instructions": ["A page about tea."]}`}
	case q.Model == "reader":
		return modeltest.Answer{Text: `{"behaviors": [{"behavior": "cart", "quote": "put into a BASKET", "entity": "tea", "fields": ["price"], "labels": ["Into the basket"], "central": true}, {"behavior": "chat", "quote": "nobody said so", "entity": null, "fields": [], "labels": [], "central": false}]}`}
	case q.Model == "scribe":
		return modeltest.Answer{Text: "```html\n" + page + "```"}
	case q.Model == "staff":
		return modeltest.Answer{Text: staff(q)}
	case q.Model == "verbose":
		return modeltest.Answer{Text: "```html\n" + page + "<!--" + strings.Repeat(" tea", 15_000) + " -->\n```", Usage: model.Usage{Out: 15_100}}
	case q.Model == "planner":
		return modeltest.Answer{Text: `{"reason": "Add one and look.", "route": "/", "steps": [{"click": {"role": "button", "name": "Add green tea"}}, {"expect": {"text": "1 tea in your cart"}}]}`}
	case q.Model == "babbler":
		return modeltest.Answer{Text: "8/10, lovely!"}
	case q.Model == "critic" && bytes.Contains(q.Schema, []byte("verdict")):
		return modeltest.Answer{Text: `{"feedback": "Alike.", "a": {"alignment": 30, "aesthetics": 20, "structure": 25, "total": 75}, "b": {"alignment": 30, "aesthetics": 20, "structure": 25, "total": 75}, "verdict": "A=B"}`}
	case q.Model == "critic" && bytes.Contains(q.Schema, []byte(`"score"`)):
		return modeltest.Answer{Text: `{"reason": "Clear and calm.", "score": 7}`}
	case q.Model == "critic":
		return modeltest.Answer{Text: `{"feedback": "Clear and calm.", "alignment": 30, "aesthetics": 20, "structure": 25, "total": 75}`}
	case q.Model == "missing":
		return modeltest.Answer{Failure: &modeltest.Failure{Status: 404, Message: "the model missing does not exist"}}
	case q.Model == "plain" && (q.Schema != nil || q.JSON):
		return modeltest.Answer{Failure: &modeltest.Failure{Status: 400, Message: "response_format is not supported"}}
	case len(q.Images) > 0:
		return modeltest.Answer{Text: `{"colour": "red"}`}
	}
	return modeltest.Answer{Text: "Pong"}
}

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head>
<body><main><h1>Tea shop</h1><p>Green and black tea from the hills.</p></main></body></html>
`

// exitWith runs a command and wants an exit code:
//
//	exit CODE PROGRAM ARGS...
func exitWith(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// jsonAt wants a file to be one JSON document and nothing else, and a value in
// it, in the compact form of JSON:
//
//	json FILE [PATH [VALUE]]
//
// A path is made of keys and indexes, such as checks.0.name; len counts a list.
// Without a value the path only has to be there, or not, after "!".
func jsonAt(ts *testscript.TestScript, neg bool, args []string) {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var v any
	ts.Check(dec.Decode(&v))
	if _, err := dec.Token(); err != io.EOF {
		ts.Fatalf("there is more than one JSON document in %s", args[0])
	}
	if len(args) == 1 {
		return
	}
	v, there := at(v, args[1])
	if there == neg {
		ts.Fatalf("%s is there: %v", args[1], there)
	}
	if len(args) > 3 {
		ts.Fatalf("usage: json FILE [PATH [VALUE]]")
	}
	if len(args) == 3 {
		var got bytes.Buffer
		enc := json.NewEncoder(&got)
		enc.SetEscapeHTML(false)
		ts.Check(enc.Encode(v))
		if strings.TrimSpace(got.String()) != args[2] {
			ts.Fatalf("%s is %s, want %s", args[1], got.String(), args[2])
		}
	}
}

func at(v any, path string) (any, bool) {
	for key := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			inner, ok := x[key]
			if !ok {
				return nil, false
			}
			v = inner
		case []any:
			i, err := strconv.Atoi(key)
			if key == "len" {
				return len(x), true
			}
			if err != nil || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// plainText wants files without escape codes and other control characters:
//
//	plain FILE...
func plainText(ts *testscript.TestScript, _ bool, args []string) {
	for _, file := range args {
		if i := strings.IndexFunc(ts.ReadFile(file), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
			ts.Fatalf("%s has a control character at byte %d", file, i)
		}
	}
}

// lineCount wants a file to have a number of whole lines:
//
//	lines FILE N
func lineCount(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := strings.Count(text, "\n"); got != want || text != "" && !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s has %d lines, want %d:\n%s", args[0], got, want, text)
	}
}
