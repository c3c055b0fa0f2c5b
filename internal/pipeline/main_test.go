package pipeline

import (
	"os"
	"testing"

	"vitrine"
	"vitrine/internal/leak"
	"vitrine/internal/reward"
)

// cacheDir is what the tests of this package share: captures and packages.
var cacheDir string

func TestMain(m *testing.M) { os.Exit(leak.Run(suite{m})) }

type suite struct{ *testing.M }

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cacheDir = dir
	return s.M.Run()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func recipe(t testing.TB, name string) *reward.Recipe {
	t.Helper()
	r, err := reward.Load(name, os.ReadFile)
	must(t, err)
	return r
}

// pipe makes a pipeline with the recipe quality and the shared cache, unless
// change says otherwise. With -short there is no browser, so none is made.
func pipe(t testing.TB, change func(*Settings)) *Pipeline {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the browser")
	}
	s := Settings{Recipe: recipe(t, "looks"), CacheDir: cacheDir, Concurrency: 2}
	s.Capture.TimesMS = []int{0}
	if change != nil {
		change(&s)
	}
	p := New(s)
	t.Cleanup(p.Close)
	return p
}

const (
	goodPage  = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head><body><main><h1>Tea shop</h1><p>Green and black tea from the hills.</p><a href="#tea" id="tea">See all teas</a></main></body></html>`
	blankPage = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head><body></body></html>`
	builtPage = `<!DOCTYPE html><html lang="en"><head><title>Tea</title></head><body><h1>Tea, built</h1></body></html>`
	// badPage does not pass HTMLHint.
	badPage = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><meta name="viewport" content="width=device-width"><title>Tea</title></head><body><div id="a"></div><p id="a">Twice the same id</p></body></html>`
	drawing = "```svg\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 90 90\"><circle cx=\"40\" cy=\"40\" r=\"30\" fill=\"teal\"/></svg>\n```"
	tsxPage = "```tsx\nexport default function Page() { return <main className=\"p-8\"><h1 className=\"text-4xl\">Tea shop</h1></main> }\n```"
	// plotOutput draws the file of a task.
	plotOutput = "```python\nimport matplotlib.pyplot as plt\nimport pandas as pd\npd.read_csv('data.csv').plot()\nplt.show()\n```"
	// whole is built with no packages; broken stops its build.
	whole = `<webArtifact id="tea" title="Tea"><webAction type="file" filePath="package.json">{"scripts":{"build":"node build.js"}}</webAction>` +
		`<webAction type="file" filePath="build.js">const fs = require('fs'); fs.mkdirSync('dist'); fs.copyFileSync('page.html', 'dist/index.html')</webAction>` +
		`<webAction type="file" filePath="page.html">` + builtPage + `</webAction><webAction type="shell">npm install</webAction></webArtifact>`
	broken = `<webArtifact id="tea" title="Tea"><webAction type="file" filePath="package.json">{"scripts":{"build":"node no-such-script.js"}}</webAction></webArtifact>`
)

// outputs is one output for each kind of outcome, by what is expected of it.
func outputs() map[vitrine.Outcome][]vitrine.Output {
	return map[vitrine.Outcome][]vitrine.Output{
		vitrine.OutcomeRendered: {
			{ID: "page", Text: goodPage, Instruction: "A page for a tea shop"}, {ID: "drawing", Text: drawing},
			{ID: "component", Text: tsxPage}, {ID: "project", Text: whole},
		},
		vitrine.OutcomeInvalidRender: {{ID: "blank", Text: blankPage}},
		vitrine.OutcomeBuildFailed:   {{ID: "broken", Text: broken}},
		vitrine.OutcomeNoArtifact:    {{ID: "talk", Text: "1 + 1 = 2"}, {ID: "empty", Text: ""}},
		"":                           {{ID: "task", TaskID: "no-such-task", Text: goodPage}},
	}
}
