package report

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/browser/browsertest"
	"vitrine/internal/sandbox"
)

// A report is read from the disk, so the browser must see the disk. The pages are our own.
func TestMain(m *testing.M) {
	os.Exit(browsertest.Run(suite{m}, browser.Settings{Sandbox: sandbox.Sandbox{Unsafe: true}}))
}

type suite struct{ m *testing.M }

// Run runs the tests with a folder for the runs that they share.
func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "runs-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sharedRuns = dir
	return s.m.Run()
}

// A tab is one open page of a report.
type tab struct {
	t    *testing.T
	ctx  context.Context
	page *browser.Page
}

// open shows a file of the run, which may have a hash, and runs task on it.
func open(t *testing.T, v vitrine.Viewport, dir, name string, task func(tab)) {
	t.Helper()
	err := browsertest.Shared(t).Run(t.Context(), v, func(ctx context.Context, p *browser.Page) error {
		b := tab{t, ctx, p}
		must(t, p.Init(ctx, `window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective + ' ' + e.blockedURI))`))
		b.visit(dir, name)
		task(b)
		return nil
	})
	must(t, err)
}

func (b tab) visit(dir, name string) {
	b.t.Helper()
	file, hash, _ := strings.Cut(name, "#")
	u := url.URL{Scheme: "file", Path: filepath.Join(dir, file)}
	must(b.t, b.page.Navigate(b.ctx, u.String()+"#"+hash))
	b.wait()
}

// wait lets a document load.
func (b tab) wait() {
	b.t.Helper()
	b.do(`document.readyState === 'complete' || new Promise(done => addEventListener('load', () => done(true)))`)
}

func (b tab) do(script string) {
	b.t.Helper()
	must(b.t, b.page.Eval(b.ctx, script, nil))
}

// ask evaluates an expression.
func ask[T any](b tab, script string) T {
	b.t.Helper()
	var v T
	must(b.t, b.page.Eval(b.ctx, script, &v))
	return v
}

// hashes runs a script that changes the hash and waits until the page saw it.
func (b tab) hashes(script string) {
	b.t.Helper()
	b.do(`new Promise(done => { addEventListener('hashchange', () => setTimeout(done), {once: true}); ` + script + ` })`)
}

// leaves runs a script that leads to another page and waits for that one. The
// promise of the old page never resolves: it ends with its page.
func (b tab) leaves(script string) {
	b.t.Helper()
	if err := b.page.Eval(b.ctx, `new Promise(() => { `+script+` })`, nil); errors.Is(err, browser.ErrDeadline) {
		b.t.Fatalf("%s leads nowhere", script)
	}
	b.wait()
}

func (b tab) scheme(name string) {
	b.t.Helper()
	_, err := cdp.Call(b.ctx, b.page, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
	})
	must(b.t, err)
}

// violations runs axe-core with contrast and target size on.
func (b tab) violations() []string {
	b.t.Helper()
	library, err := os.ReadFile("../capture/third_party/axe.min.js")
	must(b.t, err)
	var found []string
	must(b.t, b.page.EvalIsolated(b.ctx, string(library)+`;axe.run(document, {
		resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
	}).then(r => r.violations.flatMap(v => v.nodes.map(n => v.id + ': ' + n.target.flat().join(' ') + ': ' + n.failureSummary)))`, &found))
	return found
}

func pageOf(id string) string { return fmt.Sprintf("report/s/%s", pageName(id)) }
