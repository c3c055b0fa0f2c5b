// Package webapp1k is WebApp1K: 1,000 React components, each asked for by the two tests
// that it must pass. The tests run under jest in the sandbox, with packages of one day:
// with the newest ones every suite fails on its imports.
package webapp1k

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/generate"
	"vitrine/internal/sandbox"
)

const folder = "react"

// Benchmark is WebApp1K.
type Benchmark struct{}

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "webapp1k", Title: "WebApp1K", Tasks: 1000,
		What:   "one React component from its two tests, run under jest; no browser and no judge",
		Source: "https://github.com/onekq/WebApp1k", Commit: "00895306c81d5329904827b65f4a933ce3cb8746", Licence: "MIT",
		Needs:  "Node.js, the sandbox, and once the npm registry (101 MB)",
		Data:   []bench.Data{{Path: "tests/react", Name: folder, Files: 1001, SHA256: "0777dbacbcec8fd7b52be7e8baf11649fd141b9f3dde991140b8009fb6dea43d"}},
		System: "none: the request holds the tests",
	}
}

// Tasks implements [bench.Benchmark]: a task a file of tests, by folder and name.
func (Benchmark) Tasks(data fs.FS) (tasks []vitrine.Task, err error) {
	err = fs.WalkDir(data, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, suffix) {
			return err
		}
		content, err := fs.ReadFile(data, name)
		if err != nil {
			return err
		}
		if !imported.Match(content) {
			return vitrine.NewFault("command", vitrine.FaultUsage, nil, name+" imports no component beside it").WithFix("use the files as they were published")
		}
		id := strings.TrimSuffix(strings.TrimPrefix(name, folder+"/"), suffix)
		tasks = append(tasks, vitrine.Task{
			ID: id, Category: path.Dir(id), Instruction: instruction(path.Base(id), string(content)),
			Files: []vitrine.File{{Path: path.Base(name), Content: string(content)}},
		})
		return nil
	})
	return tasks, err
}

const suffix = ".test.js"

// imported is where a test names the file of its component.
var imported = regexp.MustCompile(`from\s+['"]\./([\w-]+)(?:\.js)?['"]`)

func instruction(name, tests string) string {
	return fmt.Sprintf("Write the React component %s.js, the default export of one file, so that all of these tests pass. Answer with the code alone.\n\n```js\n%s\n```", name, strings.TrimSpace(tests))
}

// Prompt implements [bench.Benchmark].
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt { return generate.Prompt{Text: t.Instruction} }

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"application": {t.Category}}
}

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() []bench.Column {
	return []bench.Column{
		{Key: "pass", Title: "pass@1 %", About: "share of answers that pass both of their tests", Times: 100, Digits: 1, Published: "pass@1"},
		{Key: "tests", Title: "tests %", About: "share of tests that pass", Times: 100, Digits: 1},
	}
}

// Absent implements [bench.Absent].
func (Benchmark) Absent(vitrine.Task) bench.Parts { return bench.Parts{"pass": bench.One(0)} }

// limits are those of the tests of one answer.
var limits = sandbox.Limits{Wall: time.Minute, CPU: time.Minute, MemoryBytes: 2 << 30, FileBytes: 10 << 20}

// Tester implements [bench.Tested]. It has tested a component of ours that passes: where
// that does not, no answer could.
func (Benchmark) Tester(ctx context.Context, m bench.Machine) (bench.Tester, error) {
	projects, err := exact.New(ctx, exact.Settings{
		Store: filepath.Join(m.CacheDir, cache.PackagesDir), Sandbox: m.Sandbox,
		Build: limits,
	})
	if err != nil {
		return nil, err
	}
	t := &tester{projects: projects}
	return t, t.selfTest(ctx)
}
