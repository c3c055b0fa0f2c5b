package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build"
	"vitrine/internal/disk"
	"vitrine/internal/pipeline"
)

// peers does the same work as others do it and as Vitrine does it, in turns, in
// one run, and writes one table.
type peers struct {
	inputs   []string
	limit    int
	rounds   int
	only     string
	project  string
	out      string
	markdown bool
	json     bool

	work    string // temporary folder
	browser string
}

func peersCommand() *cobra.Command {
	p := &peers{}
	cmd := command("peers", "Do the same work the peers' way and Vitrine's way, in turns, and compare", p.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&p.inputs, "input", []string{demoInput}, `file of outputs, or "demo"; only single pages are used`)
	flags.IntVar(&p.limit, "limit", 0, "pages of each input, spread evenly; 0 takes all")
	flags.IntVar(&p.rounds, "rounds", 5, "times that each way is measured")
	flags.StringVar(&p.only, "only", "", "only the ways whose name holds this")
	flags.StringVar(&p.project, "project", "testdata/projects/dashboard", "folder of the starter project")
	flags.StringVar(&p.out, "out", "perf/results.json", "where the figures are kept")
	flags.BoolVar(&p.markdown, "markdown", false, "print the table as Markdown")
	flags.BoolVar(&p.json, "json", false, "print the figures as JSON")
	return cmd
}

func (p *peers) run(ctx context.Context, w io.Writer) error {
	if err := adoptOrphans(); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	var err error
	if p.browser, err = browser.Find(""); err != nil {
		return err
	}
	if p.work, err = os.MkdirTemp("", "vitrine-peers-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.work)
	ways, err := p.ways(ctx)
	if err != nil {
		return err
	}
	if p.only != "" {
		ways = slices.DeleteFunc(ways, func(w *way) bool { return !strings.Contains(w.Name, p.only) })
	}
	for n := range p.rounds { // in turns: whatever else the machine does hits all alike
		for _, way := range ways {
			if err := way.once(ctx, n); err != nil {
				return err
			}
		}
	}
	r := results{Machine: machine(), Browser: p.version(ctx), When: time.Now().UTC(), Rounds: p.rounds, Ways: ways}
	if err := r.save(p.out); err != nil {
		return err
	}
	return r.print(w, p.markdown, p.json)
}

func (p *peers) version(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, p.browser, "--version").Output()
	if err != nil {
		return p.browser
	}
	return strings.TrimSpace(string(out))
}

// A way does one piece of work.
type way struct {
	Group  string  `json:"group"` // what is compared with each other
	Name   string  `json:"name"`
	Ours   bool    `json:"ours"`
	Rounds []round `json:"rounds"`
	// Skipped says why it was not measured.
	Skipped string `json:"skipped,omitempty"`

	command func(ctx context.Context) (*exec.Cmd, error)
}

// once measures the way once more. A way that does not work is skipped from then
// on.
func (w *way) once(ctx context.Context, n int) error {
	if w.Skipped != "" {
		if n == 0 {
			say("left out: %s: %s", w.Name, w.Skipped)
		}
		return nil
	}
	cmd, err := w.command(ctx)
	if err != nil {
		return err
	}
	r, err := measure(ctx, cmd)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && len(r.MS) == 0 {
		err = errors.New(strings.Join(r.Failed, "; "))
	}
	if err != nil {
		w.Skipped = err.Error()
		say("left out: %s: %v", w.Name, err)
		return nil
	}
	w.Rounds = append(w.Rounds, r)
	say("%d  %-60s %6.1f s, median %6.0f ms, %d failed, load %.1f", n+1, w.Name, r.Seconds, median(r.MS), len(r.Failed), r.Load)
	return nil
}

// ways lists all that is compared.
func (p *peers) ways(ctx context.Context) ([]*way, error) {
	pages, err := p.pageWays()
	if err != nil {
		return nil, err
	}
	projects, err := p.projectWays(ctx)
	return append(pages, projects...), err
}

// page is one page for the peers' scripts.
type page struct {
	ID   string `json:"id"`
	File string `json:"file"`
}

// pageWays look at single pages.
func (p *peers) pageWays() ([]*way, error) {
	outputs, err := readOutputs(p.inputs, 0)
	if err != nil {
		return nil, err
	}
	same := spread(singlePages(outputs), p.limit)
	var list []page
	for i, o := range same {
		file := filepath.Join(p.work, fmt.Sprintf("page-%d.html", i))
		if err := os.WriteFile(file, []byte(o.Text), 0o644); err != nil {
			return nil, err
		}
		list = append(list, page{o.ID, file})
	}
	listFile, outputsFile := filepath.Join(p.work, "pages.json"), filepath.Join(p.work, "outputs.json")
	if err := errors.Join(disk.WriteJSON(listFile, list), disk.WriteJSON(outputsFile, same)); err != nil {
		return nil, err
	}
	group := fmt.Sprintf("%d single pages, three full-page frames a second apart", len(list))
	script := func(mode string) func(context.Context) (*exec.Cmd, error) {
		return func(ctx context.Context) (*exec.Cmd, error) {
			return exec.CommandContext(ctx, "node", "perf/peers/pages.mjs", mode, p.browser, "1280", "800", listFile), nil
		}
	}
	lacks := missing("playwright-core")
	ways := []*way{
		{Group: group, Name: "Playwright, a fresh browser for each page", command: script("fresh"), Skipped: lacks},
		{Group: group, Name: "Playwright, one browser, four contexts at once", command: script("shared"), Skipped: lacks},
	}
	standard := pipeline.New(pipeline.Settings{}).Concurrency()
	for _, n := range slices.Compact(slices.Sorted(slices.Values([]int{1, 2, 4, 8, standard}))) {
		name := fmt.Sprintf("Vitrine, output to reward, %d at once", n)
		if n == standard {
			name += " (default)"
		}
		ways = append(ways, &way{Group: group, Name: name, Ours: true, command: p.worker(outputsFile, "--concurrency", fmt.Sprint(n))})
	}
	return ways, nil
}

// missing says why the peers' scripts cannot run; empty if they can.
func missing(module string) string {
	if _, err := exec.LookPath("node"); err != nil {
		return "Node.js is not installed"
	}
	if _, err := os.Stat(filepath.Join("perf/peers/node_modules", module)); err != nil {
		return module + " is not installed: run perf/setup.sh"
	}
	return ""
}

func (p *peers) worker(list string, args ...string) func(context.Context) (*exec.Cmd, error) {
	return func(ctx context.Context) (*exec.Cmd, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		cache := filepath.Join(p.work, "cache") // of packages: nothing else is kept
		return exec.CommandContext(ctx, self, append([]string{"worker", list, "--cache-dir", cache}, args...)...), nil
	}
}

// projectRoutes are the routes of the starter project.
var projectRoutes = []string{"/", "/orders", "/customers", "/settings"}

// projectWays look at a project of several routes.
func (p *peers) projectWays(ctx context.Context) ([]*way, error) {
	if _, err := os.Stat(p.project); err != nil {
		return []*way{{Group: "a project", Name: "project", Skipped: err.Error()}}, nil
	}
	output, err := projectOutput(p.project)
	if err != nil {
		return nil, err
	}
	one, many := filepath.Join(p.work, "project.json"), filepath.Join(p.work, "projects.json")
	if err := errors.Join(disk.WriteJSON(one, []vitrine.Output{output}), disk.WriteJSON(many, variants(output, 32))); err != nil {
		return nil, err
	}
	group := fmt.Sprintf("a project (React, Ant Design, Recharts) of %d routes, one viewport", len(projectRoutes))
	driver, lacks := "selenium", missing("selenium-webdriver")
	if _, err := exec.LookPath("chromedriver"); err != nil {
		driver, lacks = "playwright", missing("playwright-core")
	}
	visit := func(npmCache func() string, pauseMS int) func(context.Context) (*exec.Cmd, error) {
		return func(ctx context.Context) (*exec.Cmd, error) {
			folder, err := p.copyProject()
			args := append([]string{"perf/peers/project.mjs", driver, fmt.Sprint(pauseMS), p.browser, "1280", "800", folder}, projectRoutes...)
			cmd := exec.CommandContext(ctx, "node", args...)
			cmd.Env = npmEnv(npmCache())
			return cmd, err
		}
	}
	cold := func() string {
		dir, _ := os.MkdirTemp(p.work, "npm-")
		return dir
	}
	warm := func() string { return filepath.Join(p.work, "npm-warm") }
	built, err := p.installed(ctx, warm())
	if err != nil && lacks == "" {
		lacks = err.Error()
	}
	ways := []*way{
		{Group: group, Name: "npm install with an empty cache, vite dev, " + driver, command: visit(cold, 0), Skipped: lacks},
		{Group: group, Name: "npm install with an empty cache, vite dev, " + driver + ", 1.6 s of pauses a shot as in WebGen-R1's code", command: visit(cold, 800), Skipped: lacks},
		{Group: group, Name: "npm install from its cache, vite dev, " + driver, command: visit(warm, 0), Skipped: lacks},
		{Group: group, Name: "vite build alone, packages there", command: viteBuild(built), Skipped: lacks},
	}
	for _, builder := range []build.Choice{build.Exact, build.Fast} {
		ways = append(ways, &way{Group: group, Name: fmt.Sprintf("Vitrine, output to reward, builder %s, packages there", builder), Ours: true,
			command: p.worker(one, "--builder", string(builder), "--routes", fmt.Sprint(len(projectRoutes)))})
	}
	standard := pipeline.New(pipeline.Settings{}).Concurrency()
	ways = append(ways, &way{Group: group, Name: fmt.Sprintf("Vitrine, the same, builder fast, 32 projects, %d at once", standard), Ours: true,
		command: p.worker(many, "--builder", string(build.Fast), "--routes", fmt.Sprint(len(projectRoutes)), "--concurrency", fmt.Sprint(standard))})
	return ways, nil
}

// variants are n outputs that differ in one comment of the page, so that none is
// known from another.
func variants(o vitrine.Output, n int) (all []vitrine.Output) {
	for i := range n {
		v := o
		v.ID = fmt.Sprintf("%s-%d", o.ID, i)
		v.Text = strings.Replace(o.Text, "</head>", fmt.Sprintf("<!-- %d --></head>", i), 1)
		all = append(all, v)
	}
	return all
}

// projectOutput writes a project as a model would.
func projectOutput(dir string) (vitrine.Output, error) {
	var b strings.Builder
	b.WriteString("<webArtifact id=\"bench\" title=\"Dashboard\">\n")
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return err
		}
		content, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(&b, "<webAction type=\"file\" filePath=\"%s\">\n%s</webAction>\n", filepath.ToSlash(rel), content)
		return err
	})
	b.WriteString("<webAction type=\"shell\">npm install</webAction>\n<webAction type=\"start\">npm run dev</webAction>\n</webArtifact>\n")
	return vitrine.Output{ID: "project", Text: b.String(), Instruction: "A dashboard for a shop"}, err
}

func (p *peers) copyProject() (string, error) {
	dir, err := os.MkdirTemp(p.work, "project-")
	if err != nil {
		return "", err
	}
	return dir, os.CopyFS(dir, os.DirFS(p.project))
}

func npmEnv(cache string) []string {
	return append(os.Environ(), "npm_config_cache="+cache, "npm_config_loglevel=error")
}

// installed is a copy of the project with its packages. The npm cache has them
// afterwards.
func (p *peers) installed(ctx context.Context, npmCache string) (string, error) {
	dir, err := p.copyProject()
	if err != nil {
		return "", err
	}
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund")
	install.Dir, install.Stderr, install.Env = dir, os.Stderr, npmEnv(npmCache)
	if err := install.Run(); err != nil {
		return "", fmt.Errorf("npm install: %w", err)
	}
	return dir, nil
}

// viteBuild runs the build script of a project whose packages are there.
func viteBuild(folder string) func(context.Context) (*exec.Cmd, error) {
	const script = `const start = performance.now(), { spawnSync } = require('node:child_process')
console.log('{"event":"ready"}')
const { status } = spawnSync('npm', ['run', 'build'], { cwd: process.argv[1], stdio: 'ignore' })
console.log(JSON.stringify({ id: 'project', ms: performance.now() - start, ok: status === 0, error: 'exit code ' + status }))
console.log('{"event":"done"}')`
	return func(ctx context.Context) (*exec.Cmd, error) {
		return exec.CommandContext(ctx, "node", "-e", script, folder), nil
	}
}
