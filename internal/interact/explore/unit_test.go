package explore

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/browser/browsertest"
	"vitrine/internal/interact"
)

const unitSet = "../../../testdata/interact/pages"

// eval runs the whole unit set: make eval does.
var eval = flag.Bool("eval", false, "explore all pages of the unit set, not only the sample")

// unitSample are the pages of the unit set that are explored in each run of the tests: of
// most roles, with frames, shadow trees, routes and keys, and with controls that work, are
// dead and are unclear.
var unitSample = []string{"command", "contact", "dnd-list", "hero", "iframe", "missing-script", "push-router", "shadow"}

// unitPages are the files of the truth about the pages that are to be explored.
func unitPages(t *testing.T) (files []string) {
	t.Helper()
	if *eval {
		all, err := filepath.Glob(filepath.Join(unitSet, "*.yaml"))
		if err != nil || len(all) == 0 {
			t.Fatal(err, "no pages")
		}
		return all
	}
	names := unitSample
	if only := os.Getenv("VITRINE_PAGES"); only != "" {
		names = strings.Split(only, ",")
	}
	for _, name := range names {
		files = append(files, filepath.Join(unitSet, name+".yaml"))
	}
	return files
}

// truth is what a page of the unit set says of itself.
type truth struct {
	Page        string         `yaml:"page"`
	Instruction string         `yaml:"instruction"`
	Controls    []truthControl `yaml:"controls"`
}

type truthControl struct {
	Role  string `yaml:"role"`
	Name  string `yaml:"name"`
	Nth   int    `yaml:"nth"`
	Truth string `yaml:"truth"`
	Why   string `yaml:"why"`
}

// unitSite is a page of the unit set with the pages that stand beside it.
func unitSite(t testing.TB, page string) *vitrine.Site {
	t.Helper()
	html, err := os.ReadFile(filepath.Join(unitSet, page))
	if err != nil {
		t.Fatal(err)
	}
	return &vitrine.Site{Kind: vitrine.KindPage, Base: "/", Routes: []string{"/"}, Files: map[string][]byte{"index.html": html}}
}

func readTruth(t testing.TB, file string) truth {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var tr truth
	if err := yaml.Unmarshal(data, &tr); err != nil {
		t.Fatal(err)
	}
	return tr
}

// found is what exploring says of a control of the truth: works if any case on it or
// in it does.
func found(ctx context.Context, s *interact.Session, trace *vitrine.Trace, c truthControl) (vitrine.CaseVerdict, error) {
	paths := map[string]bool{}
	target := vitrine.Target{Role: c.Role, Name: c.Name, Nth: c.Nth}
	if c.Role == "generic" {
		target = vitrine.Target{Text: c.Name}
	}
	if c.Role != "keyboard" {
		all, err := s.Query(ctx, target)
		if err != nil {
			return "", err
		}
		for _, e := range all[:min(1, len(all))] {
			paths[e.Path] = true
			inside, err := s.Query(ctx, vitrine.Target{CSS: e.Path + " *"})
			if err != nil {
				return "", err
			}
			for _, in := range inside {
				paths[in.Path] = true
			}
		}
	}
	var verdicts []vitrine.CaseVerdict
	for _, cs := range trace.Cases {
		named := len(paths) == 0 && strings.EqualFold(cs.Control.Name, c.Name) && (c.Role != "keyboard" || cs.Control.Role == "keyboard")
		if named || cs.Control.Role != "keyboard" && paths[cs.Control.Path] {
			verdicts = append(verdicts, cs.Verdict)
		}
	}
	if len(verdicts) == 0 { // it appears only later
		for _, cs := range trace.Cases {
			if strings.EqualFold(cs.Control.Name, c.Name) {
				verdicts = append(verdicts, cs.Verdict)
			}
		}
	}
	for _, v := range []vitrine.CaseVerdict{vitrine.VerdictWorks, vitrine.VerdictDead, vitrine.VerdictUnclear} {
		if slices.Contains(verdicts, v) {
			return v, nil
		}
	}
	return "not found", nil
}

func TestExploreOnTheUnitSet(t *testing.T) {
	pages := browsertest.Shared(t)
	var mu sync.Mutex
	counts := map[string]int{} // "truth verdict"
	cases := map[vitrine.CaseVerdict]int{}
	var wrong []string
	var g errgroup.Group
	g.SetLimit(4)
	for _, file := range unitPages(t) {
		g.Go(func() error {
			tr := readTruth(t, file)
			d := &interact.Driver{Browser: pages, Site: unitSite(t, tr.Page), Viewport: vitrine.Desktop}
			trace, err := Explore(t.Context(), d, Settings{Instruction: tr.Instruction, Budget: 60})
			if err != nil {
				return fmt.Errorf("%s: %w", tr.Page, err)
			}
			mu.Lock()
			for _, c := range trace.Cases {
				cases[c.Verdict]++
			}
			mu.Unlock()
			_, err = d.Run(t.Context(), "/", func(ctx context.Context, s *interact.Session) error {
				for _, c := range tr.Controls {
					got, err := found(ctx, s, trace, c)
					if err != nil {
						return err
					}
					mu.Lock()
					counts[c.Truth+" "+string(got)]++
					if c.Truth != string(got) {
						wrong = append(wrong, fmt.Sprintf("%s: %s %q #%d is %s (%s), got %s", tr.Page, c.Role, c.Name, c.Nth, c.Truth, c.Why, got))
					}
					mu.Unlock()
				}
				return nil
			})
			t.Logf("%s: %d cases in %.0f ms", tr.Page, len(trace.Cases), trace.WallMS)
			if os.Getenv("VITRINE_CASES") != "" {
				for _, c := range trace.Cases {
					t.Logf("%s: %s %s %q rank %.2f %s: %s (path %d, %s)", tr.Page, c.ID, c.Control.Role, c.Control.Name, c.Rank, c.Verdict, c.Why, len(c.Steps), c.Control.Path)
				}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	sort.Strings(wrong)
	for _, verdict := range []string{"works", "dead", "unclear"} {
		if cases[vitrine.CaseVerdict(verdict)] == 0 {
			t.Errorf("no case is %s: the pages are too few", verdict)
		}
	}
	for _, kind := range []string{"works", "dead"} {
		right, said, are := counts[kind+" "+kind], 0, 0
		for key, n := range counts {
			if strings.HasSuffix(key, " "+kind) {
				said += n
			}
			if strings.HasPrefix(key, kind+" ") {
				are += n
			}
		}
		precision, recall := float64(right)/float64(max(said, 1)), float64(right)/float64(max(are, 1))
		t.Logf("%s: precision %.3f, recall %.3f (%d of %d said, %d there)", kind, precision, recall, right, said, are)
		if precision < 0.97 || recall < 0.93 {
			t.Errorf("%s: precision %.3f, recall %.3f, want 0.97 and 0.93", kind, precision, recall)
		}
	}
	if t.Failed() {
		t.Errorf("%v\n%s", counts, strings.Join(wrong, "\n"))
	}
}
