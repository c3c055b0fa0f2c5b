package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/browser"
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
