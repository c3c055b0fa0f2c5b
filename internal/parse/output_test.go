package parse

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"vitrine"
)

func TestInvalidUTF8(t *testing.T) {
	t.Parallel()
	a := Output(vitrine.Output{Text: "\xef\xbb\xbf<p>a\xff\xfe\xfdb</p>"})
	if got, _ := a.File(indexFile); got != "<p>a\ufffdb</p>" {
		t.Errorf("got %q, want one U+FFFD for the run of bad bytes", got)
	}
	if len(a.Notes) != 1 || a.Notes[0].Code != "invalid_utf8" {
		t.Errorf("got notes %v, want invalid_utf8", a.Notes)
	}
}

// TestSentences holds that a person learns which file or path was meant.
func TestSentences(t *testing.T) {
	t.Parallel()
	text := `<webArtifact id="i" title="t">` +
		`<webAction type="file" filePath="../out.ts">x</webAction>` +
		`<webAction type="file" filePath="src/pages/Home.tsx">import './lost'; import 'axios'</webAction>` +
		`<webAction type="file" filePath="package.json">{}</webAction></webArtifact>`
	a := Output(vitrine.Output{Text: text})
	want := map[string]string{
		"default_export": "src/pages/Home.tsx", "import_unresolved": `src/pages/Home.tsx → "./lost"`,
		"import_undeclared": `"axios"`, "script_dev": "package.json", "vite_config": "vite.config.ts", "core_files": "and 7 more",
	}
	for _, f := range a.CodeStrict.Failed {
		if !strings.Contains(f.Why, want[f.Rule]) {
			t.Errorf("%s says %q, want it to name %q", f.Rule, f.Why, want[f.Rule])
		}
		delete(want, f.Rule)
	}
	if len(want) > 0 {
		t.Errorf("rules that did not fail: %v", want)
	}
	if len(a.Notes) != 1 || !strings.Contains(a.Notes[0].Text, `"../out.ts"`) {
		t.Errorf("got notes %v, want one that names ../out.ts", a.Notes)
	}
}

func TestNotesAreBounded(t *testing.T) {
	t.Parallel()
	const bad = 1000
	text := "<webArtifact>" + strings.Repeat(`<webAction type="file" filePath="../`+strings.Repeat("x", 500)+`">y</webAction>`, bad) + "</webArtifact>"
	a := Output(vitrine.Output{Text: text})
	length := 0
	for _, n := range a.Notes {
		length += len(n.Text)
	}
	if length > 10_000 {
		t.Errorf("got %d bytes of notes, want few", length)
	}
	if last := a.Notes[len(a.Notes)-1].Text; last != fmt.Sprintf("and %d more", bad-maxNotes) {
		t.Errorf("got last note %q, want it to say how many more", last)
	}
}

func TestThousandsOfFiles(t *testing.T) {
	t.Parallel()
	const files = 20_000
	var b strings.Builder
	b.WriteString("<webArtifact>")
	for i := range files {
		fmt.Fprintf(&b, `<webAction type="file" filePath="src/%d/a.ts">export const n = %d</webAction>`, i, i)
	}
	b.WriteString("</webArtifact>")
	a := Output(vitrine.Output{Text: b.String()})
	if len(a.Files) != files {
		t.Fatalf("got %d files, want %d", len(a.Files), files)
	}
	if got, _ := a.File("src/777/a.ts"); got != "export const n = 777" {
		t.Errorf("got %q in file 777", got)
	}
}

func TestLargeFile(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("export const row = [1, 2, 3]\n", 20*megabyte/29)
	a := Output(vitrine.Output{Text: `<webArtifact><webAction type="file" filePath="a.ts">` + content + `</webAction></webArtifact>`})
	if got, _ := a.File("a.ts"); got != strings.TrimSuffix(content, "\n") {
		t.Errorf("got %d bytes, want the %d of the file less its last newline", len(got), len(content))
	}
}

// TestEveryCut cuts a project off at every byte: the files before the cut are
// whole, and the one at the cut is what had come of it.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	text := bigProject(2 << 10)
	full := Output(vitrine.Output{Text: text})
	for end := range len(text) {
		o := vitrine.Output{Text: text[:end]}
		a := Output(o)
		checkArtifact(t, o, a)
		partial := 0
		for _, f := range a.Files {
			whole, _ := full.File(f.Path)
			if !strings.HasPrefix(whole+"\n", f.Content) {
				t.Errorf("cut at %d: %s holds what the whole output does not:\n%s", end, f.Path, f.Content)
			}
			if f.Content != whole {
				partial++
			}
		}
		if partial > 1 {
			t.Errorf("cut at %d: got %d files that are not whole, want at most the last", end, partial)
		}
		if t.Failed() {
			return
		}
	}
}

// traps are pieces that, repeated, make careless parsers read the rest of the
// text once per piece.
var traps = []string{
	"<think>", "</think>", "<answer>", "</answer>", "<answer></think>\n",
	"<webAction ", "<webAction>", `<webAction a="`, `<webAction a='"`, `<webAction type="file" filePath="a">`,
	`<webAction type="file" filePath="a">x</boltAction>`, `<webAction type="file" filePath="`,
	"<webArtifact>", "<webArtifact ", "</webArtifact>", "<webArtifact><!--", "</webAction ",
	"```\n", "```x\n", "````````x\n```\n", "  ```html\n", "      ```svg\n<svg\n", "~~~x<answer>", "<answer>~~~", "<answer>```xml ",
	"<!--", "\n<html>", "</html>", "<!doctype html>\n", "<svg>", "<svg", `<svg a="`, "</svg>",
	`<link href="a.css">`, "<script src='a.js'>", "../", "a/", "\r", "\x00", "\xff",
	`'\`, `\'`, `"\'`, "`${", "`", "${`", "}", "{", "/*", "/", "=/[", `'/*\*/\`,
	"import ", "import{", "import a from '", "import './a.js'\n", "export {default", "\n", "  ", " `", "\t```",
}

// settings put a trap where each part of the parser meets it.
var settings = map[string]func(string) string{
	"alone":     func(s string) string { return s },
	"reasoning": func(s string) string { return "<think>" + s },
	"manifest": func(s string) string {
		return `<webArtifact id="1">` + s + `<webAction type="file" filePath="x">y</webAction>`
	},
	"file path":  func(s string) string { return `<webAction type="file" filePath="` + s + `">y</webAction>` },
	"script":     func(s string) string { return projectOf("src/a.tsx", s) },
	"package":    func(s string) string { return projectOf("package.json", s) },
	"tsconfig":   func(s string) string { return projectOf("tsconfig.json", `{"paths": {`+s) },
	"fenced":     func(s string) string { return "```html\n<html>" + s },
	"style link": func(s string) string { return "```html\n<html>" + s + "\n```\n```css\np{}\n```\n```js\nlet a\n```\n" },
}

func projectOf(path, content string) string {
	return `<webArtifact id="a" title="b"><webAction type="file" filePath="package.json">{}</webAction>` +
		`<webAction type="file" filePath="` + path + `">` + content + `</webAction></webArtifact>`
}

// TestTrapsTakeLinearMemory parses every trap in every setting: twice the text
// may take about twice the memory. That all of it ends soon is the other half of
// the test.
func TestTrapsTakeLinearMemory(t *testing.T) {
	const size = 64 << 10
	for name, setting := range settings {
		for _, trap := range traps {
			once := allocated(setting(strings.Repeat(trap, size/len(trap))))
			twice := allocated(setting(strings.Repeat(trap, 2*size/len(trap))))
			if twice > 3*once+size {
				t.Errorf("%s of %q: %d bytes take %d, and twice as many %d", name, trap, size, once, twice)
			}
		}
	}
}

// TestTrapsEnd parses the traps at a size at which a quadratic parser would be
// busy for minutes.
func TestTrapsEnd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("large inputs")
	}
	const size = megabyte / 2
	for name, setting := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, trap := range traps {
				o := vitrine.Output{Text: setting(strings.Repeat(trap, size/len(trap)))}
				if a := Output(o); len(a.Files) == 0 && len(a.Notes) == 0 {
					t.Errorf("%q: no files and no note that says why", trap)
				}
			}
		})
	}
}

// allocated returns how many bytes parsing a text takes.
func allocated(text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Output(vitrine.Output{Text: text})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
