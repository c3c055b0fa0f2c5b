package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build/static"
	"vitrine/internal/interact"
	"vitrine/internal/interact/explore"
	"vitrine/internal/parse"
)

// traces explores every page many times, in shuffled order and beside each other, and
// compares what came of it.
type traces struct {
	inputs []string
	limit  int
	times  int
	budget int
	at     int
	keep   string

	mu     sync.Mutex
	first  map[string][]byte // by page
	differ map[string]int
	counts map[vitrine.CaseVerdict]int
	bad    map[string]string // pages that were not tried, and why
}

func tracesCommand() *cobra.Command {
	t := &traces{first: map[string][]byte{}, differ: map[string]int{}, counts: map[vitrine.CaseVerdict]int{}, bad: map[string]string{}}
	cmd := command("traces", "Explore every page many times and compare the traces", t.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&t.inputs, "input", []string{demoInput}, `file of outputs, or "demo"; only single pages are used`)
	flags.IntVar(&t.limit, "limit", 0, "pages of each input, spread evenly; 0 takes all")
	flags.IntVar(&t.times, "times", 20, "times that each page is explored")
	flags.IntVar(&t.budget, "try", 10, "controls that are tried on each page")
	flags.IntVar(&t.at, "concurrency", runtime.NumCPU(), "pages at once")
	flags.StringVar(&t.keep, "keep", "", "folder for traces that differ")
	return cmd
}

func (t *traces) run(ctx context.Context, w io.Writer) error {
	outputs, err := readOutputs(t.inputs, t.limit)
	if err != nil {
		return err
	}
	pages := singlePages(outputs)
	var work []vitrine.Output
	for range t.times {
		work = append(work, pages...)
	}
	rand.Shuffle(len(work), func(i, j int) { work[i], work[j] = work[j], work[i] })
	sup := browser.New(browser.Settings{Pages: t.at})
	defer sup.Close()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(t.at)
	for i, o := range work {
		group.Go(func() error {
			if i%50 == 0 {
				say("%d of %d", i, len(work))
			}
			return t.one(ctx, sup, o)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return t.print(w, len(pages))
}

func (t *traces) one(ctx context.Context, sup *browser.Supervisor, o vitrine.Output) error {
	d := &interact.Driver{Browser: sup, Site: static.Site(parse.Output(o)), Viewport: vitrine.Desktop}
	trace, err := explore.Explore(ctx, d, explore.Settings{N: 3, Budget: t.budget, Instruction: o.Instruction})
	if err != nil {
		return fmt.Errorf("%s: %w", o.ID, err)
	}
	trace.WallMS = 0
	for i := range trace.Cases {
		trace.Cases[i].WallMS = 0
	}
	b, err := json.MarshalIndent(trace, "", " ")
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	before, seen := t.first[o.ID]
	if !seen {
		t.first[o.ID] = b
		for _, c := range trace.Cases {
			t.counts[c.Verdict]++
		}
		if !trace.Validity.Valid {
			t.bad[o.ID] = trace.Validity.Why
		}
		return nil
	}
	if bytes.Equal(before, b) {
		return nil
	}
	t.differ[o.ID]++
	return t.save(o.ID, before, b)
}

// save keeps two traces that differ.
func (t *traces) save(id string, a, b []byte) error {
	if t.keep == "" {
		return nil
	}
	if err := os.MkdirAll(t.keep, 0o755); err != nil {
		return err
	}
	for name, trace := range map[string][]byte{"a": a, "b": b} {
		if err := os.WriteFile(fmt.Sprintf("%s/%s.%s.json", t.keep, id, name), trace, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (t *traces) print(w io.Writer, pages int) error {
	fmt.Fprintf(w, "%d of %d pages have the same trace %d times\n", pages-len(t.differ), pages, t.times)
	fmt.Fprintf(w, "controls that were tried: %v\n", t.counts)
	for id, why := range t.bad {
		fmt.Fprintf(w, "not tried: %s: %s\n", id, why)
	}
	ids := make([]string, 0, len(t.differ))
	for id := range t.differ {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		fmt.Fprintf(w, "differs: %s, %d of %d\n", id, t.differ[id], t.times-1)
	}
	return nil
}
