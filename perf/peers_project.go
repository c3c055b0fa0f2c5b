package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/disk"
	"vitrine/internal/pipeline"
)

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
