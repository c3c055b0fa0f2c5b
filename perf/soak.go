package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/pipeline"
)

// soak scores many pages, no two alike, and writes down how much memory Vitrine
// and its browsers have.
type soak struct {
	inputs      []string
	count       int
	every       int
	concurrency int
	file        string
	cacheDir    string

	mu     sync.Mutex
	done   int
	failed int
	start  time.Time
	last   time.Time
	rows   *csv.Writer
}

func soakCommand() *cobra.Command {
	s := &soak{}
	cmd := command("soak", "Score many pages and write down the memory of Vitrine and its browsers", s.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&s.inputs, "input", []string{demoInput}, `file of outputs, or "demo"; they are taken in turns, each time a little different`)
	flags.IntVar(&s.count, "count", 10_000, "pages to score")
	flags.IntVar(&s.every, "every", 250, "pages between two rows")
	flags.IntVar(&s.concurrency, "concurrency", 0, "pages at once (default: by cores and memory)")
	flags.StringVar(&s.file, "csv", "perf/soak.csv", "where the rows are written")
	flags.StringVar(&s.cacheDir, "cache-dir", "", "where packages are kept (default: as vitrine does)")
	return cmd
}

func (s *soak) run(ctx context.Context, _ io.Writer) error {
	outputs, err := readOutputs(s.inputs, 0)
	if err != nil {
		return err
	}
	pages := singlePages(outputs)
	if len(pages) == 0 {
		return fmt.Errorf("%s: no single page", strings.Join(s.inputs, ", "))
	}
	p, err := newPipeline(func(settings *pipeline.Settings) {
		settings.Concurrency, settings.NoCache = s.concurrency, true
		if s.cacheDir != "" {
			settings.CacheDir = s.cacheDir
		}
	})
	if err != nil {
		return err
	}
	defer p.Close()
	f, err := os.Create(s.file)
	if err != nil {
		return err
	}
	defer f.Close()
	s.rows = csv.NewWriter(f)
	if err := s.rows.Write([]string{"pages", "seconds", "pages_per_second", "vitrine_mb", "browsers_mb", "processes", "open_files", "unjudged"}); err != nil {
		return err
	}
	return s.scoreAll(ctx, p, pages)
}

func (s *soak) scoreAll(ctx context.Context, p *pipeline.Pipeline, pages []vitrine.Output) error {
	work, err := os.MkdirTemp("", "vitrine-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	s.start, s.last = time.Now(), time.Now()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.Concurrency())
	for i := range s.count {
		if ctx.Err() != nil {
			break
		}
		o := varied(pages[i%len(pages)], i)
		group.Go(func() error {
			var seen event
			err := scoreOne(ctx, p, o, filepath.Join(work, fmt.Sprint(i)), func(e event) { seen = e })
			if err != nil {
				return err
			}
			return s.note(seen)
		})
	}
	return group.Wait()
}

// varied makes a page that no other is equal to.
func varied(o vitrine.Output, i int) vitrine.Output {
	o.ID = fmt.Sprintf("%s-%d", o.ID, i)
	mark := fmt.Sprintf("<!-- %d --><p>Visit number %d</p></body>", i, i)
	if at := strings.LastIndex(o.Text, "</body>"); at >= 0 {
		o.Text = o.Text[:at] + mark + o.Text[at+len("</body>"):]
	} else {
		o.Text += mark
	}
	return o
}

// note counts a page and, now and then, writes a row.
func (s *soak) note(e event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	if !e.OK {
		s.failed++
		say("unjudged: %s: %s", e.ID, e.Error)
	}
	if s.done%s.every != 0 && s.done != s.count {
		return nil
	}
	n := s.done % s.every
	if n == 0 {
		n = s.every
	}
	perSecond := float64(n) / time.Since(s.last).Seconds()
	s.last = time.Now()
	below := descendants(os.Getpid())
	browsers := 0.0
	for _, p := range below {
		browsers += memoryMB(p.PID)
	}
	files, _ := os.ReadDir("/proc/self/fd")
	own := memoryMB(os.Getpid())
	say("%6d pages  %5.2f/s  vitrine %5.0f MB  browsers %5.0f MB  %d processes  %d open files  %d unjudged", s.done, perSecond, own, browsers, len(below), len(files), s.failed)
	_ = s.rows.Write([]string{ // Flush tells of errors
		fmt.Sprint(s.done), fmt.Sprintf("%.0f", time.Since(s.start).Seconds()), fmt.Sprintf("%.2f", perSecond),
		fmt.Sprintf("%.0f", own), fmt.Sprintf("%.0f", browsers), fmt.Sprint(len(below)), fmt.Sprint(len(files)), fmt.Sprint(s.failed),
	})
	s.rows.Flush()
	return s.rows.Error()
}
