package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/parse"
	"vitrine/internal/pipeline"
	"vitrine/internal/runs"
)

// determinism takes each page many times, in shuffled order and several at once,
// and counts the pages whose every frame has the same bytes each time.
type determinism struct {
	inputs      []string
	limit       int
	captures    int
	concurrency int
	seed        uint64
	keep        string
	viewports   bool
	json        bool
	cacheDir    string

	pipeline *pipeline.Pipeline
	work     string // temporary folder
	mu       sync.Mutex
	done     int
}

func determinismCommand() *cobra.Command {
	d := &determinism{}
	cmd := command("determinism", "Take each page many times under load and compare the frames byte by byte", d.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&d.inputs, "input", []string{demoInput}, `file of outputs, or "demo"; may be given several times`)
	flags.IntVar(&d.limit, "limit", 0, "outputs of each input, spread evenly; 0 takes all")
	flags.IntVar(&d.captures, "captures", 20, "captures of each page")
	flags.IntVar(&d.concurrency, "concurrency", 4, "captures at once")
	flags.Uint64Var(&d.seed, "seed", 1, "of the shuffled order")
	flags.StringVar(&d.keep, "keep", "", "folder for the frames that differ, one file for each look they had")
	flags.BoolVar(&d.viewports, "mobile", false, "look at the mobile viewport too")
	flags.BoolVar(&d.json, "json", false, "print one JSON document")
	flags.StringVar(&d.cacheDir, "cache-dir", "", "where builds are kept (default: as vitrine does)")
	return cmd
}

func (d *determinism) run(ctx context.Context, w io.Writer) error {
	outputs, err := readOutputs(d.inputs, d.limit)
	if err != nil {
		return err
	}
	d.pipeline, err = newPipeline(func(s *pipeline.Settings) {
		s.Concurrency = d.concurrency
		if d.cacheDir != "" {
			s.CacheDir = d.cacheDir
		}
		if d.viewports {
			s.Capture.Viewports = []vitrine.Viewport{vitrine.Desktop, vitrine.Mobile}
		}
	})
	if err != nil {
		return err
	}
	defer d.pipeline.Close()
	if d.work, err = os.MkdirTemp("", "vitrine-determinism-"); err != nil {
		return err
	}
	defer os.RemoveAll(d.work)
	start := time.Now()
	pages, err := d.captureAll(ctx, outputs)
	if err != nil {
		return err
	}
	result, err := d.summary(ctx, pages, len(outputs), time.Since(start))
	if err != nil {
		return err
	}
	if d.json {
		return printJSON(w, result)
	}
	result.print(w)
	return nil
}

// captureAll builds every output once and captures each site many times.
func (d *determinism) captureAll(ctx context.Context, outputs []vitrine.Output) ([]*verdict, error) {
	var pages []*verdict
	var jobs []func(context.Context) error
	for i, o := range outputs {
		site, err := d.site(ctx, o)
		if err != nil {
			say("left out: %s: %v", o.ID, err)
			continue
		}
		page := &verdict{ID: o.ID, dir: filepath.Join(d.work, fmt.Sprint(i)), at: map[string]*difference{}}
		pages = append(pages, page)
		for range d.captures {
			jobs = append(jobs, func(ctx context.Context) error { return d.capture(ctx, page, o, site) })
		}
	}
	rand.New(rand.NewPCG(d.seed, 0)).Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(d.concurrency)
	for _, job := range jobs {
		group.Go(func() error {
			err := job(ctx)
			d.tick(len(jobs))
			return err
		})
	}
	return pages, group.Wait()
}

// site builds an output; one that cannot be shown is an error.
func (d *determinism) site(ctx context.Context, o vitrine.Output) (*vitrine.Site, error) {
	a := parse.Output(o)
	if len(a.Files) == 0 {
		return nil, errors.New("there is no website in the output")
	}
	site, err := d.pipeline.BuildSite(ctx, a)
	if err == nil && site.Failure != nil {
		err = errors.New(site.Failure.Message)
	}
	return site, err
}

func (d *determinism) tick(total int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done++; d.done%100 == 0 || d.done == total {
		say("%d of %d captures", d.done, total)
	}
}

// capture takes a page once and compares it with the first time.
func (d *determinism) capture(ctx context.Context, page *verdict, o vitrine.Output, site *vitrine.Site) error {
	dir, err := os.MkdirTemp(d.work, "take-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ev, err := d.pipeline.Look(ctx, site, dir)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		say("no capture: %s: %v", o.ID, err)
		return nil
	}
	ev.Instruction = o.Instruction
	d.mu.Lock()
	defer d.mu.Unlock()
	return page.add(ev, dir)
}

// keepLooks copies the frames that differ to a folder for people to look at.
func (d *determinism) keepLooks(p *verdict) error {
	to := filepath.Join(d.keep, runs.FolderName(p.ID))
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, at := range p.Differences {
		for n := 1; at.Share > 0 && n <= at.Looks; n++ {
			b, err := os.ReadFile(filepath.Join(p.dir, look(at.Frame, n)))
			if err == nil {
				err = os.WriteFile(filepath.Join(to, look(at.Frame, n)), b, 0o644)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// sameness is what determinism found out.
type sameness struct {
	Machine      string     `json:"machine"`
	Browser      string     `json:"browser"`
	Outputs      int        `json:"outputs"`
	Pages        int        `json:"pages"` // outputs that can be shown
	Captures     int        `json:"captures_each"`
	Concurrency  int        `json:"concurrency"`
	Identical    int        `json:"identical"` // pages byte-identical in every frame
	SameFindings int        `json:"same_findings"`
	Frames       int        `json:"frames_compared"`
	Seconds      float64    `json:"seconds"`
	Exceptions   []*verdict `json:"exceptions"`
}

// summary sorts out the exceptions and keeps their frames.
func (d *determinism) summary(ctx context.Context, pages []*verdict, outputs int, took time.Duration) (*sameness, error) {
	version, err := d.pipeline.BrowserVersion(ctx)
	s := &sameness{Machine: machine(), Browser: version, Outputs: outputs, Pages: len(pages), Captures: d.captures,
		Concurrency: d.concurrency, Seconds: took.Seconds(), Exceptions: []*verdict{}}
	for _, p := range pages {
		s.Frames += p.Frames * p.Captures
		if len(p.Checks) == 0 {
			s.SameFindings++
		}
		if len(p.at) == 0 && p.Captures == d.captures {
			s.Identical++
		}
		if len(p.at) == 0 && p.Captures == d.captures && len(p.Checks) == 0 {
			continue
		}
		for _, where := range slices.Sorted(maps.Keys(p.at)) {
			p.Differences = append(p.Differences, *p.at[where])
		}
		s.Exceptions = append(s.Exceptions, p)
		if d.keep != "" && len(p.at) > 0 {
			err = errors.Join(err, d.keepLooks(p))
		}
	}
	return s, err
}

func (s *sameness) print(w io.Writer) {
	fmt.Fprintf(w, "%d of %d pages have the same bytes in every frame, %d captures each, %d at once (%d frames, %.0f s)\n",
		s.Identical, s.Pages, s.Captures, s.Concurrency, s.Frames, s.Seconds)
	fmt.Fprintf(w, "%d of %d pages have the same findings each time\n%s, %s\n", s.SameFindings, s.Pages, s.Browser, s.Machine)
	for _, p := range s.Exceptions {
		fmt.Fprintf(w, "\n%s: %d captures\n", p.ID, p.Captures)
		if len(p.Checks) > 0 {
			fmt.Fprintf(w, "  findings differ: %s\n", strings.Join(p.Checks, ", "))
		}
		for _, at := range p.Differences {
			fmt.Fprintf(w, "  %-40s %2d looks, %2d captures differ from the first, at most %.4f %% of the pixels %s\n", at.Frame, at.Looks, at.Times, at.Share*100, at.Box)
		}
	}
}
