package fullstack

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/jest"
	"vitrine/internal/browser"
	"vitrine/internal/build"
	"vitrine/internal/build/exact"
	"vitrine/internal/cache"
	"vitrine/internal/digest"
	"vitrine/internal/sandbox"
)

// packages are those of the published grader's Node.js, with its versions.
const packages = `{"name":"fullstackbench","version":"0.0.0","private":true,"dependencies":{
	"jest":"29.7.0","babel-jest":"29.7.0","@jest/globals":"29.7.0",
	"@babel/core":"7.24.5","@babel/preset-env":"7.24.5","@babel/preset-typescript":"7.24.6","puppeteer-core":"22.15.0",
	"@testing-library/dom":"10.1.0","@testing-library/jest-dom":"6.4.5","jsdom":"24.1.0",
	"js-md5":"0.7.3","lodash":"4.17.21","random-seed":"0.3.0","seedrandom":"3.0.5"}}`

//go:embed jest
var own embed.FS

// ours are the names of files that no row may have.
var ours = []string{"package.json", "jest.json", "babel.config.json", "puppeteer.cjs", testFile}

// limits are those of the tests of one answer. 20 seconds are the published ones.
var limits = sandbox.Limits{Wall: 20 * time.Second, CPU: 40 * time.Second, MemoryBytes: 4 << 30, Processes: 512, FileBytes: 64 << 20}

// Tester implements [bench.Tested]. It has tested a page of ours that passes: where that
// does not, no answer could.
func (Benchmark) Tester(ctx context.Context, m bench.Machine) (bench.Tester, error) {
	chromium, err := browser.Find("")
	if err != nil {
		return nil, err
	}
	projects, err := exact.New(ctx, exact.Settings{Store: filepath.Join(m.CacheDir, cache.PackagesDir), Sandbox: m.Sandbox, Build: limits})
	if err != nil {
		return nil, err
	}
	t := &tester{projects: projects, chromium: chromium, empty: map[string]*kept{}}
	return t, t.selfTest(ctx)
}

// tester runs the tests of answers. It is safe for concurrent use.
type tester struct {
	projects *exact.Project
	chromium string

	mu    sync.Mutex       // guards what is below
	empty map[string]*kept // of an empty answer, by fingerprint of the task: a worker's tester sees those of many runs
}

// verdict is what jest says of a page.
type verdict struct {
	strict bool // the tests say that they passed
	compat bool // jest ended well, as the published rule has it
	why    string
	err    error
}

// Test implements [bench.Tester].
func (t *tester) Test(ctx context.Context, task vitrine.Task, o vitrine.Output) (bench.Measured, error) {
	html := code(o.Text)
	empty := t.ofEmpty(ctx, task)
	ours := t.try(ctx, task, inserted(task, html, true))
	published := ours
	if raw := inserted(task, html, false); raw != inserted(task, html, true) {
		published = t.try(ctx, task, raw)
	}
	for _, v := range []verdict{empty, ours, published} {
		if errors.Is(v.err, sandbox.ErrStarved) {
			return bench.Measured{Outcome: "unjudged", Strict: bench.Parts{"pass": nil}, Compat: bench.Parts{"pass": bench.One(0)}, Error: sandbox.StarvedFault("build")}, nil
		}
		if v.err != nil {
			return bench.Measured{}, v.err
		}
	}
	return measured(empty, ours, published), nil
}

// measured counts verdicts by both rules.
func measured(empty, ours, published verdict) bench.Measured {
	part := func(yes bool) *bench.Part {
		if yes {
			return bench.One(1)
		}
		return bench.One(0)
	}
	m := bench.Measured{
		Outcome: "failed", Why: ours.why,
		Strict: bench.Parts{"pass": part(ours.strict), "aside": part(empty.strict)}, Compat: bench.Parts{"pass": part(published.compat)},
	}
	switch {
	case empty.strict:
		m.Outcome, m.Why = bench.SetAside, "an empty answer passes the test of this row"
		delete(m.Strict, "pass")
	case ours.strict:
		m.Outcome = "passed"
	}
	return m
}

// ofEmpty is the verdict on an empty answer to a task, which is tried once.
func (t *tester) ofEmpty(ctx context.Context, task vitrine.Task) verdict {
	key := digest.Of(task)
	t.mu.Lock()
	k := t.empty[key]
	if k == nil {
		k = &kept{}
		t.empty[key] = k
	}
	t.mu.Unlock()
	return k.of(func() verdict { return t.try(ctx, task, inserted(task, "", true)) })
}

// kept is a verdict that is made once. One that could not be made is not kept.
type kept struct {
	mu sync.Mutex // guards what is below
	v  *verdict
}

func (k *kept) of(try func() verdict) verdict {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.v != nil {
		return *k.v
	}
	v := try()
	if v.err == nil {
		k.v = &v
	}
	return v
}

// A suite is the test of a row and the page that is served to it, empty where the test holds
// the page.
type suite struct{ test, page string }

const mark = "#<INSERT>"

// inserted puts a page into its test, as published: in the place of the mark, as it is and
// up to a second mark; where there is no mark it is served. By our rule it is escaped at a
// mark between backticks, which is after an odd number of them: there a page with a
// backslash, a backtick or ${ is no longer itself, and an expression of an answer would run
// in the test.
func inserted(task vitrine.Task, page string, escaped bool) suite {
	test := task.Files[0].Content
	parts := strings.Split(test, mark)
	switch {
	case len(parts) == 1:
		return suite{test, page}
	case !escaped:
		return suite{parts[0] + page + parts[1], ""}
	}
	asText := strings.NewReplacer(`\`, `\\`, "`", "\\`", "${", `\${`).Replace(page)
	var filled strings.Builder
	between := false
	for i, part := range parts {
		if i > 0 && between {
			filled.WriteString(asText)
		} else if i > 0 {
			filled.WriteString(page)
		}
		filled.WriteString(part)
		between = between != (backticks(part)%2 == 1)
	}
	return suite{filled.String(), ""}
}

// backticks counts those of a text that no backslash escapes.
func backticks(text string) (n int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			n++
		}
	}
	return n
}

// try runs the tests of a page.
func (t *tester) try(ctx context.Context, task vitrine.Task, l suite) verdict {
	files := []vitrine.File{{Path: "package.json", Content: packages}, {Path: testFile, Content: l.test}}
	for _, name := range ours[1 : len(ours)-1] {
		content, _ := own.ReadFile("jest/" + name) // embedded: it can be read
		files = append(files, vitrine.File{Path: name, Content: string(content)})
	}
	for _, f := range task.Files[1:] {
		if f.Path != "index.html" || strings.Contains(task.Files[0].Content, mark) {
			files = append(files, f)
		}
	}
	if !strings.Contains(task.Files[0].Content, mark) {
		files = append(files, vitrine.File{Path: "index.html", Content: l.page})
	}
	run, err := jest.Do(ctx, t.projects, files, []string{"VITRINE_CHROMIUM=" + t.chromium, "FORCE_COLOR=0"})
	switch {
	case err != nil:
		return verdict{err: err}
	case run.Failure != nil:
		return verdict{why: "it does not end within the limits: " + run.Failure.Message}
	}
	return read(run)
}

// read is what a run of jest that ended by itself says.
func read(run jest.Run) verdict {
	s, said := jest.Read(run.Step.Log, run.Word)
	v := verdict{compat: run.Step.ExitCode == 0, why: s.Message}
	v.strict = v.compat && said && s.Total > 0 && s.Passed == s.Total
	if !v.strict {
		v.why = build.Bounded(cmp.Or(strings.TrimSpace(s.Message), fmt.Sprintf("jest ended with exit code %d: %s", run.Step.ExitCode, strings.TrimSpace(run.Step.Log))), 400)
	}
	return v
}

var (
	closed   = regexp.MustCompile("(?s)```([^\n]*)\n(.*?)\n\\s*```")
	unclosed = regexp.MustCompile("(?s)```([^\n]*)\n(.*)")
)

// code is what the published grader takes of an answer: the first closed block of html, else
// the first closed block, else one that is never closed, else nothing; up to a line that
// begins an example of use.
func code(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		text = text[i+len("</think>"):]
	}
	blocks := closed.FindAllStringSubmatch(text, -1)
	if len(blocks) == 0 {
		blocks = unclosed.FindAllStringSubmatch(text, -1)
	}
	page := ""
	for i, b := range blocks {
		if lang := strings.TrimSpace(b[1]); i == 0 || strings.EqualFold(lang, "html") {
			page = b[2]
			if strings.EqualFold(lang, "html") {
				break
			}
		}
	}
	page, _, cut := strings.Cut(page, "# Example usage")
	if cut {
		page = strings.TrimSpace(page)
	}
	return page
}

// selfTest says if a page that passes its test does not pass it here.
func (t *tester) selfTest(ctx context.Context) error {
	v := t.try(ctx, vitrine.Task{Files: []vitrine.File{{Path: testFile, Content: ownTest}}}, inserted(vitrine.Task{Files: []vitrine.File{{Content: ownTest}}}, "<p id=a style=\"display:block\">1</p>", true))
	if v.err == nil && !v.strict {
		v.err = vitrine.NewFault("build", vitrine.FaultNoBrowser, errors.New(v.why), "jest and the browser do not work together here: a page that passes fails").
			WithFix("vitrine doctor says what this machine lacks; Node.js 18 or newer and a Chromium below /usr are wanted, and a machine that is not overloaded")
	}
	return v.err
}

// ownTest is a test of our own.
const ownTest = `import { expect, test } from '@jest/globals';
import puppeteer from 'puppeteer';
test('the page is shown', async () => {
  const browser = await puppeteer.launch({ headless: true });
  const page = await browser.newPage();
  await page.setContent(` + "`" + mark + "`" + `);
  expect(await page.$eval('#a', (e) => getComputedStyle(e).display)).toBe('block');
  await browser.close();
});
`
