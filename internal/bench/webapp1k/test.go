package webapp1k

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/jest"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/sandbox"
)

// packages are what the tests were written for: those of late 2024, with versions of one
// day.
const packages = `{"name":"webapp1k","version":"0.0.0","private":true,"dependencies":{
	"jest":"29.7.0","jest-environment-jsdom":"29.7.0","babel-jest":"29.7.0",
	"@babel/core":"7.26.0","@babel/preset-env":"7.26.0","@babel/preset-react":"7.26.3",
	"react":"18.3.1","react-dom":"18.3.1","react-router-dom":"6.28.0",
	"fetch-mock":"9.11.0","node-fetch":"2.7.0","whatwg-fetch":"3.6.20",
	"@testing-library/react":"16.1.0","@testing-library/dom":"10.4.0","@testing-library/jest-dom":"6.6.3"}}`

//go:embed jest
var own embed.FS

// tester runs the tests of answers. It is safe for concurrent use.
type tester struct{ projects *exact.Project }

// Test implements [bench.Tester].
func (t *tester) Test(ctx context.Context, task vitrine.Task, o vitrine.Output) (bench.Measured, error) {
	name, mended := fileOf(task)
	run, err := jest.Do(ctx, t.projects, files(task, name, code(o.Text)), nil)
	switch {
	case ctx.Err() != nil:
		return bench.Measured{}, ctx.Err()
	case run.Failure != nil:
		return failed("it cannot be tested, or not within the limits: "+run.Failure.Message, 0, 2, mended), nil
	case errors.Is(err, sandbox.ErrStarved):
		f := sandbox.StarvedFault("build")
		return bench.Measured{Outcome: "unjudged", Strict: bench.Parts{"pass": nil, "tests": nil}, Compat: bench.Parts{"pass": bench.One(0)}, Error: f}, nil
	case err != nil:
		return bench.Measured{}, err
	}
	m := read(run.Step, run.Word, mended)
	if tool := reached(code(o.Text)); tool != "" && m.Outcome == passed {
		m.Outcome, m.Why = "failed", "it reaches for what tests it: "+tool
		m.Strict = measured(0, 0, 2, mended).Strict
	}
	return m, nil
}

// selfTest says if a component that passes its tests does not pass them here.
func (t *tester) selfTest(ctx context.Context) error {
	tests, _ := own.ReadFile("jest/self/counter.test.js") // embedded: they can be read
	answer, _ := own.ReadFile("jest/self/counter.js")
	m, err := t.Test(ctx, vitrine.Task{Files: []vitrine.File{{Path: "counter.test.js", Content: string(tests)}}}, vitrine.Output{Text: string(answer)})
	if err == nil && m.Error != nil {
		return m.Error
	}
	if err == nil && m.Outcome != passed {
		err = vitrine.NewFault("build", vitrine.FaultNoNode, errors.New(m.Why), "jest does not work here: a component that passes fails").WithFix("vitrine doctor says what this machine lacks; Node.js 18 or newer is wanted")
	}
	return err
}

// passed is the outcome of an answer that passes its tests.
const passed = "passed"

// fileOf is the name under which the tests import the component, and whether it is another
// than that of the tests but for the case of its letters: on Linux, nothing that is saved
// under the name of the tests passes them.
func fileOf(task vitrine.Task) (name string, mended bool) {
	name = imported.FindStringSubmatch(task.Files[0].Content)[1] // Tasks has seen to it
	return name, name != strings.TrimSuffix(task.Files[0].Path, suffix)
}

// fenced is the first fenced block that is closed.
var fenced = regexp.MustCompile("(?s)```[a-zA-Z]*[ \t]*\r?\n(.*?)```")

// code is what an answer has saved: its first fenced block, else all of it.
func code(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	if block := fenced.FindStringSubmatch(text); block != nil {
		return block[1]
	}
	return text
}

func files(task vitrine.Task, name, code string) []vitrine.File {
	files := []vitrine.File{{Path: "package.json", Content: packages}, {Path: name + ".js", Content: code}, task.Files[0]}
	for _, file := range []string{"jest.json", "babel.config.json", "setup.cjs", "environment.cjs", "runtime.cjs"} {
		content, _ := own.ReadFile("jest/" + file) // embedded: it can be read
		files = append(files, vitrine.File{Path: file, Content: string(content)})
	}
	return files
}

// read makes a measurement of what the reporter said. Where it said nothing, the answer
// ended the process, or its file could not be read.
func read(step vitrine.BuildStep, word string, mended bool) bench.Measured {
	s, said := jest.Read(step.Log, word)
	switch {
	case !said:
		return failed(fmt.Sprintf("jest ended without a result, exit code %d: %s", step.ExitCode, strings.TrimSpace(step.Log)), 0, 2, mended)
	case s.Total == 0:
		return failed(s.Message, 0, 2, mended)
	case s.Passed < s.Total || step.ExitCode != 0:
		return failed(s.Message, s.Passed, s.Total, mended)
	}
	m := measured(1, s.Passed, s.Total, mended)
	m.Outcome = passed
	return m
}

func failed(why string, right, all int, mended bool) bench.Measured {
	m := measured(0, right, all, mended)
	m.Outcome, m.Why = "failed", build.Bounded(strings.TrimSpace(why), 400)
	return m
}

// measured has the parts. As published, an answer is saved under the name of its tests: of
// those that import another none passes.
func measured(pass float64, right, all int, mended bool) bench.Measured {
	m := bench.Measured{Strict: bench.Parts{"pass": bench.One(pass), "tests": {Sum: float64(right), Of: float64(all)}}}
	m.Compat = m.Strict
	if mended {
		m.Compat = bench.Parts{"pass": bench.One(0), "tests": {Of: float64(all)}}
	}
	return m
}
