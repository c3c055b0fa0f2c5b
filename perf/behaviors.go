package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/cache"
	"vitrine/internal/fixtures"
	"vitrine/internal/interact"
	"vitrine/internal/interact/behave"
	"vitrine/internal/require"
	"vitrine/internal/stats"
)

// A label is what a person says of one behaviour of a page after operating it.
type label struct {
	Page        string           `json:"page"` // file, after the name of a folder and a colon
	Behavior    vitrine.Behavior `json:"behavior"`
	Instruction string           `json:"instruction"`
	Label       string           `json:"label"` // "works" or "not"
	Natural     bool             `json:"natural"`
	Outside     bool             `json:"cannot_check_offline"`
}

// behaviors compares what behave says of labelled pages with what people say of them.
type behaviors struct {
	labels  []string
	folders map[string]string
	only    []string
	seed    string
	at      int
	verbose bool

	mu     sync.Mutex
	got    map[string]map[vitrine.CaseVerdict]int // by label
	each   map[vitrine.Behavior]*tally
	ms     []float64
	unread int
	// unjudged are pages of which nothing could be said for a cause of ours.
	unjudged int
}

type tally struct{ right, all int }

func behaviorsCommand() *cobra.Command {
	b := &behaviors{got: map[string]map[vitrine.CaseVerdict]int{"works": {}, "not": {}}, each: map[vitrine.Behavior]*tally{}}
	cmd := command("behaviors --labels FILE --folder NAME=DIR", "Compare what behave says of pages with labels by hand: accuracy, false alarms, time", b.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&b.labels, "labels", nil, "JSON lines with page, behavior, instruction and label (works, not); again for each")
	flags.StringToStringVar(&b.folders, "folder", nil, "where the pages of a name lie: NAME=DIR; again for each")
	flags.StringSliceVar(&b.only, "only", nil, "behaviours, comma-separated")
	flags.StringVar(&b.seed, "seed", "measurement", "seed of what is typed in")
	flags.IntVar(&b.at, "concurrency", runtime.NumCPU(), "pages at once")
	flags.BoolVar(&b.verbose, "verbose", false, "print each answer that differs from its label")
	return cmd
}

func (b *behaviors) run(ctx context.Context, w io.Writer) error {
	var all []label
	for _, name := range b.labels {
		some, err := readLabels(name)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	sup := browser.New(browser.Settings{Pages: b.at})
	defer sup.Close()
	mirror, err := fixtures.Open(filepath.Join(cacheDir(), cache.FixturesDir))
	if err != nil {
		return err
	}
	began, used := time.Now(), processorTime()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(b.at)
	for _, l := range all {
		if l.Outside || len(b.only) > 0 && !slices.Contains(b.only, string(l.Behavior)) {
			continue
		}
		g.Go(func() error {
			return b.one(ctx, w, &interact.Driver{Browser: sup, Mirror: mirror, Viewport: vitrine.Desktop}, l)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	b.print(w)
	sup.Close()
	fmt.Fprintf(w, "%.0f s, %.0f s of processor time of the browsers\n", time.Since(began).Seconds(), processorTime()-used)
	return nil
}

func readLabels(name string) (all []label, err error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(raw) {
		var l label
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if l.Label != "works" && l.Label != "not" {
			return nil, fmt.Errorf("%s: %s: the label of %s is %q, not works or not", name, l.Page, l.Behavior, l.Label)
		}
		all = append(all, l)
	}
	return all, nil
}

// one proves the behaviour of one label, as its instruction asks for it.
func (b *behaviors) one(ctx context.Context, w io.Writer, d *interact.Driver, l label) error {
	site, route, err := b.site(l.Page)
	if err != nil {
		return err
	}
	d.Site = site
	read := true
	prover := &behave.Prover{Seed: []byte(b.seed), Read: func(context.Context, string, []vitrine.TestCase, string) (vitrine.Requirements, vitrine.Cost, error) {
		all := require.Read(l.Instruction, nil, "")
		all.Behaviors = slices.DeleteFunc(all.Behaviors, func(r vitrine.Requirement) bool { return r.Behavior != l.Behavior })
		if read = len(all.Behaviors) > 0; !read {
			all.Behaviors = []vitrine.Requirement{{ID: "r1", Behavior: l.Behavior, Weight: 1}}
		}
		all.Behaviors = all.Behaviors[:1]
		return all, vitrine.Free(), nil
	}}
	start := time.Now()
	t, err := prover.Exercise(ctx, d, interact.Subject{Evidence: &vitrine.Evidence{Validity: vitrine.Validity{Valid: true}, Views: []vitrine.View{{Route: route, Validity: vitrine.Validity{Valid: true}}}}, Instruction: l.Instruction, Cache: &interact.Cache{}})
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := vitrine.AsFault("interact", err); err != nil && f.Code.Retryable() { // such as a machine that is too busy to tell
		fmt.Fprintf(w, "%-9s not judged: %s: %v\n", l.Behavior, l.Page, err)
		b.unjudged++
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.Page, err)
	}
	c := t.Cases[0]
	b.ms = append(b.ms, since(start))
	if !read {
		b.unread++
	}
	b.got[l.Label][c.Verdict]++
	if b.each[l.Behavior] == nil {
		b.each[l.Behavior] = &tally{}
	}
	right := (c.Verdict == vitrine.VerdictWorks) == (l.Label == "works")
	b.each[l.Behavior].all++
	if right {
		b.each[l.Behavior].right++
	} else if b.verbose {
		fmt.Fprintf(w, "%-9s %-9s is %-6s said %-8s %s: %s\n", l.Behavior, map[bool]string{true: "read", false: "unread"}[read], l.Label, c.Verdict, l.Page, c.Why)
	}
	return nil
}

// outward are references of a page to files above its folder.
var outward = regexp.MustCompile(`(?:src|href)\s*=\s*["']((?:\.\./)+)`)

// site is a page with what lies in its folder and below, from as far up as it refers to, and
// the route of the page.
func (b *behaviors) site(page string) (s *vitrine.Site, route string, err error) {
	folder, rest, _ := strings.Cut(page, ":")
	file := filepath.Join(b.folders[folder], rest)
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, "index.html")
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	root := filepath.Dir(file)
	for _, m := range outward.FindAllSubmatch(raw, -1) {
		if up := filepath.Join(filepath.Dir(file), string(m[1])); len(up) < len(root) && strings.HasPrefix(up, b.folders[folder]) {
			root = up
		}
	}
	own, _ := filepath.Rel(root, file)
	s = &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/" + filepath.ToSlash(own)}, Files: map[string][]byte{}, Hash: page}
	pages, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.html"))
	size := 0
	err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case !e.Type().IsRegular() || name != file && len(pages) > 12 && filepath.Ext(name) == ".html":
			return nil
		}
		data, err := os.ReadFile(name)
		if size += len(data); err == nil && size < 32<<20 {
			rel, _ := filepath.Rel(root, name)
			s.Files[filepath.ToSlash(rel)] = data
		}
		return err
	})
	s.Files[filepath.ToSlash(own)] = raw
	return s, s.Routes[0], err
}

func (b *behaviors) print(w io.Writer) {
	right, all := 0, 0
	for name, verdicts := range b.got {
		for v, n := range verdicts {
			all += n
			if (v == vitrine.VerdictWorks) == (name == "works") {
				right += n
			}
		}
		fmt.Fprintf(w, "labelled %-6s", name)
		for _, v := range slices.Sorted(maps.Keys(verdicts)) {
			fmt.Fprintf(w, "  %s %d", v, verdicts[v])
		}
		fmt.Fprintln(w)
	}
	for _, k := range slices.Sorted(maps.Keys(b.each)) {
		fmt.Fprintf(w, "  %-10s %d of %d\n", k, b.each[k].right, b.each[k].all)
	}
	not := 0
	for _, n := range b.got["not"] {
		not += n
	}
	for _, s := range []struct {
		name  string
		n, of int
	}{
		{"right", right, all}, {"works though not", b.got["not"][vitrine.VerdictWorks], not},
		{"absent though it works", b.got["works"][vitrine.VerdictAbsent], all - not}, {"unclear", b.got["works"][vitrine.VerdictUnclear] + b.got["not"][vitrine.VerdictUnclear], all},
		{"not read from the instruction", b.unread, all},
	} {
		if e := stats.Share(s.n, s.of); e != nil {
			fmt.Fprintf(w, "%-30s %3d of %3d  %.3f (%.3f to %.3f)\n", s.name, s.n, s.of, e.Value, e.Low, e.High)
		}
	}
	if b.unjudged > 0 {
		fmt.Fprintf(w, "%d could not be judged and are in no figure\n", b.unjudged)
	}
	if slices.Sort(b.ms); len(b.ms) > 0 {
		fmt.Fprintf(w, "p50 %.0f ms, p95 %.0f ms a page\n", b.ms[len(b.ms)/2], b.ms[len(b.ms)*95/100])
	}
}
