package webapp1k

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/leak"
	"vitrine/internal/project"
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

// Code is looked at, and not what it says: comments, strings and what people read are not.
func TestWhatReachesForTheTests(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"const rtl = require('@testing-library/react')": true, "import fetchMock from 'fetch-mock'": true, "expect.extend({})": true, "globalThis.expect = x": true, "import('x')": true,
		"import '@testing-library/jest-dom'": true, forged: true, "process.exit(0)": true, "import fs from './fs'": false, "import axios from \"axios\"": true, "a(); // a note\nexpect(1)": true,
		"<p>What to expect: a name is required.</p>": false, "import { useState } from 'react'": false, "const important = 1": false,
		"// so expect. and fetch-mock and jest.fn() work\nexport default 1": false, "const s = 'expect(x) by @testing-library/react'": false, "/* with\nexpect(screen) */ f()": false,
		"<p>We expect (and require (soon)) it. From 'fetch-mock'</p>": false, "const api = process.env.REACT_APP_API": false, "fetch('https://a.b/c'); expect(1)": true,
		"import { Link } from 'react-router-dom'; import { createRoot } from 'react-dom/client'": false,
	} {
		if got := reached(code); (got != "") != want {
			t.Errorf("%q: %q, want %v", code, got, want)
		}
	}
}

// forged writes the result that it wants and ends the process before jest writes its own.
const forged = `import fs from 'fs';
const word = /[A-Z2-7]{26}/.exec(fs.readFileSync('/build/reporter.cjs', 'utf8') + fs.readFileSync('/build/word', 'utf8'));
fs.writeSync(1, '\n' + word[0] + ' {"passed":2,"total":2}\n');
process.exit(0);
export default () => null;`

// No answer reaches the result, by neither rule, and one that works passes by both.
func TestResultsCannotBeForged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs jest, whose packages are 101 MB")
	}
	store := os.Getenv("VITRINE_CACHE")
	if store == "" {
		home, err := os.UserCacheDir()
		if err != nil {
			t.Skip(err)
		}
		store = filepath.Join(home, "vitrine")
	}
	projects, err := exact.New(t.Context(), exact.Settings{Store: filepath.Join(store, cache.PackagesDir), Build: limits})
	if err != nil {
		t.Skip("Node.js and the sandbox are wanted: ", err)
	}
	tests, _ := own.ReadFile("jest/self/counter.test.js")
	honest, _ := own.ReadFile("jest/self/counter.js")
	task := vitrine.Task{Files: []vitrine.File{{Path: "counter.test.js", Content: string(tests)}}}
	source, failure := project.Read(&vitrine.Artifact{Kind: vitrine.KindProject, Files: files(task, "counter", "")}, build.DefaultMaxBytes)
	if failure != nil {
		t.Fatal(failure)
	}
	if _, there := projects.Resolved(source.Package); !there {
		t.Skip("the packages of jest are not in the cache: vitrine bench run webapp1k brings them in")
	}
	for name, test := range map[string]struct {
		code   string
		strict float64
		compat float64
	}{
		"works":                             {"// what to expect.\n" + string(honest), 1, 1},
		"forged":                            {forged, 0, 0},
		"forged by the module of the tests": {strings.Replace(forged, "import fs from 'fs'", "const fs = module.parent.require('fs')", 1), 0, 0},
		"forged by a package":               {strings.Replace(forged, "'fs'", "'./node_modules/graceful-fs'", 1), 0, 0},
		"forged by the realm of jest":       {strings.Replace(forged, "import fs from 'fs'", "const fs = document.constructor.constructor('return process')().mainModule.require('fs')", 1), 0, 0},
	} {
		m, err := (&tester{projects}).Test(t.Context(), task, vitrine.Output{Text: test.code})
		if err != nil || m.Error != nil {
			t.Fatal(name, err, m.Error)
		}
		if m.Strict["pass"].Sum != test.strict || m.Compat["pass"].Sum != test.compat {
			t.Errorf("%s: strict %g, compat %g (%s)", name, m.Strict["pass"].Sum, m.Compat["pass"].Sum, m.Why)
		}
	}
}
