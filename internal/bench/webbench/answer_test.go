package webbench

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
)

func TestFilesOfAnAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"```html\nindex.html\n<p>a</p>\n```\ntext\n```js\nlib/a-b.test.js\nb\n```": "map[index.html:<p>a</p>\n lib/a-b.test.js:b\n]",
		"```ts src/app.ts\na\n```":                                       "map[src/app.ts:a\n]",
		"```js\n\n/lib/a.js\na\n```":                                     "map[lib/a.js:a\n]",
		"```css\np {}\nstyle.css\n```":                                   "map[style.css:p {}\n]",
		"```tsx\npages/[id].tsx\na\n```":                                 "map[pages/[id].tsx:a\n]",
		"```js\nindex.js\n```":                                           "map[index.js:]",
		"```js\nconst a = 1\n```":                                        "map[]",
		"```js\n../out.js\na\n```\n```js\n/etc/../../p.js\na\n```":       "map[]",
		"```js\nnode_modules/a/i.js\na\n```":                             "map[]",
		"```js\na.js\nopen":                                              "map[]",
		"<think>\n```js\na.js\nno\n```\n</think>\n```js\nb.js\nyes\n```": "map[b.js:yes\n]",
		"":                          "map[]",
		"I can not help with that.": "map[]",
	} {
		if got := fmt.Sprint(filesOf(answer)); got != want {
			t.Errorf("%q\nhas %q\nwant %q", answer, got, want)
		}
	}
}

func TestEmptyFilesLeaveWhatIsThere(t *testing.T) {
	t.Parallel()
	before := map[string]string{"a.js": "a", "b.js": "b"}
	got := fmt.Sprint(written(before, map[string]string{"a.js": " \n", "b.js": "c", "d.js": ""}))
	if got != "map[a.js:a b.js:c d.js:]" || before["b.js"] != "b" {
		t.Error(got, before)
	}
}

// No answer names a file outside of the project.
func FuzzFilesOf(f *testing.F) {
	f.Add("```html\nindex.html\n<p>a</p>\n```")
	f.Add("``` ../a.js\n```\n```\n/../../a.js\n\n```")
	f.Fuzz(func(t *testing.T, text string) {
		for name := range filesOf(text) {
			if !filepath.IsLocal(name) || strings.HasPrefix(name, "node_modules/") {
				t.Errorf("%q has the file %q", text, name)
			}
		}
	})
}

// Only a line that begins with the word of this run is a result.
func TestReadingOfTheDriver(t *testing.T) {
	t.Parallel()
	whole := `{"specs":{"task-1":{"passed":2,"total":2},"task-2":{"passed":1,"total":2,"message":"b: no"}}}`
	for name, test := range map[string]struct {
		log        string
		pass       bool
		cause, why string
	}{
		"one passes":        {"WORD " + whole, true, "test", ""},
		"another word":      {"OTHER " + whole, false, "test", "the tests ended without a result, exit code 1: x\nOTHER " + whole},
		"the build fails":   {`WORD {"script":"build","message":"no heading"}`, false, "build", "build no heading"},
		"the server is out": {`WORD {"message":"Error: Timed out waiting 5000ms from config.webServer."}`, false, "server", "Error: Timed out waiting 5000ms from config.webServer."},
		"no test is there":  {`WORD {"specs":{}}`, false, "test", "task-1: no test was run"},
	} {
		r := read(vitrine.BuildStep{Log: "x\n" + test.log + "\n", ExitCode: 1}, "WORD")
		specs := []string{"task-1"}
		if r.pass(specs) != test.pass || r.cause() != test.cause || r.why(specs) != test.why {
			t.Errorf("%s: %v, %s, %q", name, r.pass(specs), r.cause(), r.why(specs))
		}
	}
	if r := read(vitrine.BuildStep{Log: "WORD " + whole}, "WORD"); r.pass([]string{"task-1", "task-2"}) || r.why([]string{"task-1", "task-2"}) != "task-2: b: no" {
		t.Errorf("%+v", r)
	}
	if r := (tested{Message: "too long", Limit: vitrine.FailureTimeout}); r.cause() != "limit" {
		t.Error(r.cause())
	}
}
