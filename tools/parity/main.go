// Parity builds projects with the exact and with the fast builder and compares
// what is seen of both: routes, errors on the console, and the pixels of every
// frame at the same page time.
//
//	go run ./tools/parity [--json] [--cache DIR] [--keep DIR] FOLDER|FILE.jsonl ...
//
// A folder holds one project in each of its folders; a file holds model outputs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/parse"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
	"vitrine/internal/sandbox"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	asJSON := flag.Bool("json", false, "print one JSON object for each project")
	cache := flag.String("cache", defaultCache(), "package store")
	keep := flag.String("keep", "", "keep the evidence of both builds in this folder")
	only := flag.String("only", "", "projects whose name contains this")
	unsafe := flag.Bool("unsafe-no-sandbox", false, "run without bubblewrap")
	flag.Parse()
	projects, err := readAll(flag.Args())
	if err != nil {
		return err
	}
	if *keep == "" {
		if *keep, err = os.MkdirTemp("", "parity-"); err != nil {
			return err
		}
		defer os.RemoveAll(*keep)
	}
	both, err := newPair(*cache, *keep, sandbox.Sandbox{Unsafe: *unsafe})
	if err != nil {
		return err
	}
	defer both.close()
	var rows []row
	for _, p := range projects {
		if !strings.Contains(p.name, *only) {
			continue
		}
		r, err := both.compare(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		rows = append(rows, r)
		if *asJSON {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			fmt.Println(string(b))
		} else {
			fmt.Fprintf(os.Stderr, "%s: %s\n", r.Project, r.Verdict)
		}
	}
	if !*asJSON {
		table(rows)
	}
	return verdict(rows)
}

func defaultCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ".vitrine/cache"
	}
	return filepath.Join(dir, "vitrine")
}

// a project to compare.
type project struct {
	name     string
	artifact *vitrine.Artifact
}

func readAll(sources []string) ([]project, error) {
	var all []project
	for _, s := range sources {
		read := readFolders
		if strings.HasSuffix(s, ".jsonl") {
			read = readOutputs
		}
		some, err := read(s)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func readOutputs(file string) ([]project, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []project
	for line := range strings.Lines(string(b)) {
		var o struct {
			ID, Output string
			Kind       vitrine.Kind
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		a := parse.Output(vitrine.Output{ID: o.ID, Kind: o.Kind, Text: o.Output})
		all = append(all, project{o.ID, a})
	}
	return all, nil
}

func readFolders(dir string) ([]project, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "package.json"))
	if err != nil {
		return nil, err
	}
	var all []project
	for _, name := range names {
		folder := filepath.Dir(name)
		a := &vitrine.Artifact{Kind: vitrine.KindProject}
		err := filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(name)
			rel, _ := filepath.Rel(folder, name)
			a.Files = append(a.Files, vitrine.File{Path: filepath.ToSlash(rel), Content: string(content)})
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, project{filepath.Base(folder), a})
	}
	return all, nil
}

// pair are two pipelines that differ in who builds.
type pair struct {
	exact, fast *pipeline.Pipeline
	keep        string
}

func newPair(cache, keep string, box sandbox.Sandbox) (*pair, error) {
	recipe, err := reward.Load("looks", os.ReadFile)
	if err != nil {
		return nil, err
	}
	open := func(b build.Choice) *pipeline.Pipeline {
		return pipeline.New(pipeline.Settings{
			Recipe: recipe, Builder: b, CacheDir: cache, NoCache: true, Sandbox: box, Concurrency: 2,
			Capture: vitrine.CaptureSettings{Viewports: []vitrine.Viewport{vitrine.Desktop}, TimesMS: []int{0, 1000, 2000}, MaxRoutes: 8},
		})
	}
	return &pair{open(build.Exact), open(build.Auto), keep}, nil
}

func (p *pair) close() {
	p.exact.Close()
	p.fast.Close()
}

// seen is one way's half of a comparison.
type seen struct {
	site     *vitrine.Site
	evidence *vitrine.Evidence
	dir      string
	buildMS  float64
	lookMS   float64
}

func (p *pair) see(ctx context.Context, with *pipeline.Pipeline, pr project, how string) (*seen, error) {
	s := &seen{dir: filepath.Join(p.keep, unslash(pr.name), how)}
	start := time.Now()
	site, err := with.BuildSite(ctx, pr.artifact)
	if err != nil {
		return nil, err
	}
	s.site, s.buildMS = site, ms(start)
	if site.Failure != nil {
		return s, nil
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, err
	}
	start = time.Now()
	s.evidence, err = with.Look(ctx, site, s.dir)
	s.lookMS = ms(start)
	return s, err
}

func ms(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

func unslash(name string) string { return strings.ReplaceAll(name, "/", "_") }

func table(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "project\tbuilder\troutes\tworst route\tdiffering\tconsole\texact ms\tfast ms\tverdict")
	for _, r := range rows {
		console := "same"
		if !r.SameConsole {
			console = "differs"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%.3f %%\t%s\t%.0f\t%.0f\t%s\n", r.Project, r.Builder, r.Routes, r.WorstRoute, 100*r.Differing, console, r.ExactMS, r.FastMS, r.Verdict)
	}
	w.Flush()
}

// verdict is an error if fewer than 95 % of what the fast builder took is alike.
func verdict(rows []row) error {
	taken := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Builder != "fast" })
	alike := slices.DeleteFunc(slices.Clone(taken), func(r row) bool {
		return r.Verdict != alikeVerdict
	})
	fmt.Fprintf(os.Stderr, "%d projects, %d built by fast, %d of them alike\n", len(rows), len(taken), len(alike))
	if 100*len(alike) < 95*len(taken) {
		return fmt.Errorf("%d of %d projects differ", len(taken)-len(alike), len(taken))
	}
	return nil
}
