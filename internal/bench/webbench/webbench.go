// Package webbench is Web-Bench: 50 projects of 20 tasks each, done in sequence, in which
// a task adds to what the ones before left. The project's own Playwright tests decide.
package webbench

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/generate"
)

// Benchmark is Web-Bench.
type Benchmark struct{}

// The folders and the file of its data.
const (
	projectsDir  = "projects"
	librariesDir = "libraries"
	lockFile     = "pnpm-lock.yaml"
)

// Info implements [bench.Benchmark].
func (Benchmark) Info() bench.Info {
	return bench.Info{
		Name: "web-bench", Title: "Web-Bench", Tasks: 50,
		What:   "50 projects of 20 tasks in sequence, each judged by the project's own Playwright tests; pass@1 and pass@2",
		Source: "https://github.com/bytedance/web-bench", Commit: "32075f1582fb9eed483f47f2afdb01311148b2bd", Licence: "Apache-2.0",
		Needs: "Node.js 20, the sandbox, chromium-headless-shell, and once the npm registry",
		Data: []bench.Data{
			{Path: projectsDir, Name: projectsDir, Files: 2897, SHA256: "a5bd2012eb38a2b08e04846ec513023662956f4686642c7535e776ec7ac9ff6c"},
			{Path: librariesDir, Name: librariesDir, Files: 10, SHA256: "1e901be61796f0b1b56dd02eb0099397627886ead9b84bd6b6aa9fb35d7eed54"},
			{Path: "common/config/rush/" + lockFile, Name: lockFile, SHA256: "116d90253dd56ba9bb790db96c419c662c760fbeeadcba413fd588e244fcee1b"},
		},
		System: "files in fenced blocks that begin with their path",
	}
}

// Tasks implements [bench.Benchmark]: a task a project, with its steps as test cases.
func (Benchmark) Tasks(data fs.FS) ([]vitrine.Task, error) {
	folders, err := fs.ReadDir(data, projectsDir)
	if err != nil {
		return nil, faulty(err, "there is no folder of projects")
	}
	var tasks []vitrine.Task
	for _, f := range folders {
		p, err := readSuite(data, f.Name())
		if err != nil {
			return nil, err
		}
		if p.Eval.Stable {
			tasks = append(tasks, p.task())
		}
	}
	return tasks, nil
}

// manifest is what is read of a project's package.json.
type manifest struct {
	Scripts map[string]string `json:"scripts"`
	Eval    struct {
		Stable bool `json:"stable"` // of the benchmark
	} `json:"eval"`
}

// A step is one task of a project, as published. Its spec has its name.
type step struct {
	ID          string `json:"id" yaml:"id"`
	Level       string `json:"level" yaml:"level"`
	Description string `json:"description" yaml:"description"`
}

// first is the name of the step that makes a project's first files, where there is one.
// It is not among the 20.
const first = "init"

// level is the difficulty in the benchmark's three words; four steps have one misspelled.
func (s step) level() string { return strings.Replace(s.Level, "chanllenging", "challenging", 1) }

// A suite is a project of the benchmark.
type suite struct {
	manifest
	name  string
	steps []step
}

func readSuite(data fs.FS, name string) (p suite, err error) {
	p.name = name
	dir := path.Join(projectsDir, name)
	b, err := fs.ReadFile(data, path.Join(dir, "package.json"))
	if err != nil {
		return p, nil // such as readme.md
	}
	if err := json.Unmarshal(b, &p.manifest); err != nil {
		return p, faulty(err, dir+"/package.json is no JSON")
	}
	if !p.Eval.Stable {
		return p, nil
	}
	if b, err = fs.ReadFile(data, path.Join(dir, "tasks.yml")); err == nil {
		err = yaml.Unmarshal(b, &p.steps)
	} else if b, err = fs.ReadFile(data, path.Join(dir, "tasks.jsonl")); err == nil {
		for line := range strings.Lines(string(b)) {
			var s step
			if strings.TrimSpace(line) != "" && err == nil {
				err = json.Unmarshal([]byte(line), &s)
				p.steps = append(p.steps, s)
			}
		}
	}
	if err == nil && !slices.ContainsFunc(p.steps, func(s step) bool { return s.ID != first }) {
		err = fs.ErrInvalid
	}
	return p, faulty(err, dir+" has no list of tasks that can be read")
}

// task is the project as a task, whose test cases are its steps.
func (p suite) task() vitrine.Task {
	t := vitrine.Task{ID: p.name, Category: categoryOf(p.name), Instruction: "The project " + p.name + " of Web-Bench"}
	for _, s := range p.steps {
		t.TestCases = append(t.TestCases, vitrine.TestCase{Task: s.Description, ExpectedResult: s.ID, Category: s.level()})
	}
	return t
}

// stepsOf are the steps of a task.
func stepsOf(t vitrine.Task) (steps []step) {
	for _, c := range t.TestCases {
		steps = append(steps, step{c.ExpectedResult, c.Category, c.Task})
	}
	return steps
}

// frameworks are the projects that are not written on web standards alone.
var frameworks = strings.Fields("angular expressjs fastify fastify-react jotai less lowdb mobx nextjs nosql nuxt parcel prisma react react-no-ts redux sass sequelize " +
	"styled-components stylus svelte tailwind threejs typescript unocss vite vue webpack zustand")

func categoryOf(name string) string {
	if slices.Contains(frameworks, name) {
		return "framework"
	}
	return "standard"
}

// Groups implements [bench.Benchmark].
func (Benchmark) Groups(t vitrine.Task) map[string][]string {
	return map[string][]string{"category": {t.Category}, "project": {t.ID}}
}

// Prompt implements [bench.Benchmark]; what is asked of a model are steps.
func (Benchmark) Prompt(t vitrine.Task) generate.Prompt { return generate.Prompt{Text: t.Instruction} }

// Columns implements [bench.Benchmark].
func (Benchmark) Columns() []bench.Column {
	columns := []bench.Column{
		{Key: "pass1", Title: "pass@1 %", About: "share of tasks before the first whose first answer fails", Times: 100, Digits: 2},
		{Key: "pass2", Title: "pass@2 %", About: "share of tasks before the first whose second answer, after the errors of the first, fails, too", Times: 100, Digits: 2, Published: "Web-Bench"},
	}
	for _, level := range levels {
		columns = append(columns, bench.Column{Key: level, Title: level + " %", About: "pass@2 of the tasks that the benchmark calls " + level, Times: 100, Digits: 1})
	}
	return append(columns,
		bench.Column{Key: "kept", Title: "kept %", About: "share of the tasks passed when they were new whose tests pass at the end, too", Times: 100, Digits: 1},
		bench.Column{Key: "tests", Title: "tests %", About: "share of the tests that pass at the end, of the tasks passed", Times: 100, Digits: 1},
	)
}

// levels are the difficulties.
var levels = []string{"easy", "moderate", "challenging"}

// Walker implements [bench.Stepped].
func (Benchmark) Walker(ctx context.Context, m bench.Machine) (bench.Walker, error) {
	return newWalker(ctx, m)
}

// StepIDs implements [bench.Stepped].
func (Benchmark) StepIDs(t vitrine.Task) (ids []string) {
	for _, s := range stepsOf(t) {
		ids = append(ids, stepID(t, s))
	}
	return ids
}

func stepID(t vitrine.Task, s step) string { return t.ID + "/" + s.ID }

// faulty types an error in the data; nil stays nil.
func faulty(err error, message string) error {
	if err == nil {
		return nil
	}
	return vitrine.NewFault("command", vitrine.FaultUsage, err, cmp.Or(message, err.Error())).WithFix("use the files as they were published: vitrine bench pull web-bench")
}
