package webapp1k

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

const tests = "import App from './AddTag';\ntest('adds', () => {});\n"

func TestTasksAreFilesOfTests(t *testing.T) {
	t.Parallel()
	data := fstest.MapFS{
		"react/blogging/addTag.test.js": {Data: []byte(tests)}, "react/blogging/scenario.json": {Data: []byte("{}")},
		"react/weather/show.test.js": {Data: []byte("import Show from \"./show.js\"\n")},
	}
	all, err := Benchmark{}.Tasks(data)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d tasks, %v", len(all), err)
	}
	if a := all[0]; a.ID != "blogging/addTag" || a.Category != "blogging" || !strings.Contains(a.Instruction, tests[:20]) {
		t.Errorf("%+v", a)
	}
	for i, want := range []struct {
		name   string
		mended bool
	}{{"AddTag", true}, {"show", false}} {
		if name, mended := fileOf(all[i]); name != want.name || mended != want.mended {
			t.Errorf("saved as %s, mended %v; want %v", name, mended, want)
		}
	}
	data["react/weather/bad.test.js"] = &fstest.MapFile{Data: []byte("test('x')")}
	if _, err := (Benchmark{}).Tasks(data); vitrine.AsFault("", err).Code != vitrine.FaultUsage {
		t.Errorf("a test that imports nothing: %v", err)
	}
}

func TestCodeOfAnAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"export default 1": "export default 1", "Here:\n```jsx\na\n```\nand\n```js\nb\n```": "a\n", "```\nopen": "```\nopen",
		"<think>\n```js\nno\n```\n</think>\n```js\nyes\n```": "yes\n",
	} {
		if got := code(answer); got != want {
			t.Errorf("%q is %q, want %q", answer, got, want)
		}
	}
}

// What jest's reporter says decides, with the exit code; what an answer prints does not.
func TestReadingOfJest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		log    string
		exit   int
		mended bool
		pass   bench.Parts
		compat float64
	}{
		"both pass":               {"\nWORD {\"passed\":2,\"total\":2}\n", 0, false, bench.Parts{"pass": bench.One(1), "tests": {Sum: 2, Of: 2}}, 1},
		"one passes":              {"x\nWORD {\"passed\":1,\"total\":2}\n", 1, false, bench.Parts{"pass": bench.One(0), "tests": {Sum: 1, Of: 2}}, 0},
		"passed, and ended badly": {"WORD {\"passed\":2,\"total\":2}\n", 1, false, bench.Parts{"pass": bench.One(0), "tests": {Sum: 2, Of: 2}}, 0},
		"another word":            {"OTHER {\"passed\":2,\"total\":2}\n", 0, false, bench.Parts{"pass": bench.One(0), "tests": {Of: 2}}, 0},
		"ended by the answer":     {"", 0, false, bench.Parts{"pass": bench.One(0), "tests": {Of: 2}}, 0},
		"no test was found":       {"WORD {\"passed\":0,\"total\":0,\"message\":\"syntax\"}\n", 1, false, bench.Parts{"pass": bench.One(0), "tests": {Of: 2}}, 0},
		"saved under the import":  {"WORD {\"passed\":2,\"total\":2}\n", 0, true, bench.Parts{"pass": bench.One(1), "tests": {Sum: 2, Of: 2}}, 0},
	} {
		m := read(vitrine.BuildStep{Log: test.log, ExitCode: test.exit}, "WORD", test.mended)
		for key, want := range test.pass {
			if *m.Strict[key] != *want {
				t.Errorf("%s: %s is %+v, want %+v", name, key, *m.Strict[key], *want)
			}
		}
		if m.Compat["pass"].Sum != test.compat || (m.Outcome == passed) != (test.pass["pass"].Sum == 1) {
			t.Errorf("%s: compat %+v, outcome %s", name, m.Compat["pass"], m.Outcome)
		}
	}
}

func TestWhatReachesForTheTests(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"const rtl = require('@testing-library/react')": true, "import fetchMock from 'fetch-mock'": true, "expect.extend({})": true, "globalThis.expect = x": true, "import('x')": true,
		"<p>What to expect: a name is required.</p>": false, "import { useState } from 'react'": false, "const important = 1": false,
	} {
		if got := reached.MatchString(code); got != want {
			t.Errorf("%q: %v, want %v", code, got, want)
		}
	}
}
