package webbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine/internal/bench"
)

// ownSealed runs the tests of a project whose packages and server are the model's.
func ownSealed(t *testing.T) *sealed {
	t.Helper()
	s := tinySealed(t)
	dir := t.TempDir()
	lock, err := os.ReadFile(filepath.Join(tiny, lockFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(tiny)); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, projectsDir, "vite")
	if err := os.Rename(filepath.Join(dir, projectsDir, "tiny"), project); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		filepath.Join(dir, lockFile):                   strings.ReplaceAll(string(lock), "projects/tiny", "projects/vite"),
		filepath.Join(project, "package.json"):         `{"name": "vite", "scripts": {"init": "exit 1", "build": "exit 1"}, "eval": {"stable": true}}`,
		filepath.Join(project, "test/x.spec.js"):       "const { test, expect } = require('@playwright/test')\ntest('x', async ({ request }) => expect((await (await request.get('/')).json()).args.text).toBe('hello'))\ntest('limit', () => expect(test.info().timeout).toBe(60_000))\n",
		filepath.Join(project, "playwright.config.js"): strings.Replace(readText(t, filepath.Join(project, "playwright.config.js")), "command: 'node serve.cjs'", "command: 'npm run dev', cwd: process.env.EVAL_PROJECT_ROOT, timeout: 10_000", 1),
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	own, err := newSealed(t.Context(), bench.Machine{CacheDir: filepath.Dir(filepath.Dir(s.hosts)), Data: dir})
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func readText(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// A server of the model's own, in packages of its own, reaches the stand-in for the one host
// outside; what it says when it does not come up is in the failure.
func TestPackagesAndServersOfTheModelsOwn(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(pngquant); err != nil {
		t.Skip(err)
	}
	s := ownSealed(t)
	const serve = `const http = require('http'), https = require('https')
http.createServer((request, response) => {
	https.request({ host: 'postman-echo.com', port: 443, path: '/get?text=hello' }, (answer) => answer.pipe(response)).end()
}).listen(process.env.EVAL_PROJECT_PORT, 'localhost')`
	const fetches = `require('http').createServer(async (request, response) => {
	response.end(await (await fetch('https://postman-echo.com/get?text=hello')).text())
}).listen(process.env.EVAL_PROJECT_PORT, 'localhost')`
	const move = `const http = require('http'), fs = require('fs')
const moved = ['/build/project', '/build/project/test', '/build/project/node_modules', '/build/project/scaled.config.mjs', '/build/drive'].filter((from) => {
	try { fs.renameSync(from, from + '-moved'); return true } catch { return false }
})
http.createServer((request, response) => response.end(JSON.stringify({ args: { text: moved.join() || 'hello' } }))).listen(process.env.EVAL_PROJECT_PORT, 'localhost')`
	for name, test := range map[string]struct {
		manifest, serve string
		passed          bool
		cause, says     string
	}{
		"forwards":                   {`{"scripts": {"dev": "node serve.cjs", "build": "true"}}`, serve, true, "test", ""},
		"forwards by fetch":          {`{"scripts": {"dev": "node serve.cjs", "build": "true"}}`, fetches, true, "test", ""},
		"moves the tests away":       {`{"scripts": {"dev": "node serve.cjs", "build": "true"}}`, move, true, "test", ""},
		"does not come up":           {`{"scripts": {"dev": "node serve.cjs", "build": "true"}}`, "throw new Error('no such door')", false, "server", "no such door"},
		"does not build":             {`{"scripts": {"dev": "node serve.cjs", "build": "exit 3"}}`, serve, false, "init", ""},
		"packages from anywhere":     {`{"dependencies": {"x": "git+https://host.example/x.git"}}`, serve, false, "init", "host.example"},
		"no package.json that reads": {`{`, serve, false, "init", "package.json"},
	} {
		r, err := s.test(t.Context(), "vite", map[string]string{"package.json": test.manifest, "serve.cjs": test.serve}, "task-1", []string{"x"})
		if err != nil {
			t.Fatal(name, err)
		}
		if r.pass([]string{"x"}) != test.passed || r.cause() != test.cause || !strings.Contains(r.why([]string{"x"}), test.says) {
			t.Errorf("%s: cause %s, %s", name, r.cause(), r.why([]string{"x"}))
		}
	}
}
