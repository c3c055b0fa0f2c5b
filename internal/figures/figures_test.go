package figures_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/evidence"
	"vitrine/internal/figures"
	"vitrine/internal/leak"
	"vitrine/internal/runs"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// A site is a sample with its trace and the reason why it was not built.
type site struct {
	vitrine.Sample
	verdicts []vitrine.CaseVerdict // of one case by function, one by design; "" is one that could not be judged
	failure  vitrine.FailureCode
	lint     *vitrine.Finding
}

func rendered(id, task string, grade float64, verdicts ...vitrine.CaseVerdict) site {
	return site{Sample: vitrine.Sample{
		ID: id, TaskID: task, Model: "m", Status: vitrine.SampleScored, Outcome: vitrine.OutcomeRendered, Reward: new(float64),
		Scores: map[string]float64{"appearance": grade / 2, "vision.appearance": grade},
	}, verdicts: verdicts}
}

func unjudged(id, task string) site {
	return site{Sample: vitrine.Sample{ID: id, TaskID: task, Model: "m", Status: vitrine.SampleUnjudged, Error: vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "gone")}}
}

func (s site) with(change func(*site)) site {
	change(&s)
	return s
}

func invalid(s *site) { s.Outcome = vitrine.OutcomeInvalidRender }

var testCategories = []string{"function", "design"}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run writes a run folder of some sites.
func run(t *testing.T, by vitrine.Provenance, sites ...site) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	r, err := runs.Create(dir, runs.Header{Recipe: "r@1", Judge: "measured", Interact: "agent", Provenance: by})
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for _, s := range sites {
		folder, err := r.NewEvidence()
		must(t, err)
		ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema}
		if s.failure != "" {
			ev.Site.Failure = &vitrine.BuildFailure{Code: s.failure}
		}
		must(t, evidence.Save(folder, ev))
		if s.lint != nil {
			must(t, evidence.SaveLint(folder, *s.lint))
		}
		if s.verdicts != nil {
			must(t, evidence.SaveTrace(folder, trace(s.verdicts)))
		}
		if s.Status == vitrine.SampleScored {
			s.Evidence, err = r.KeepEvidence(folder, s.ID)
			must(t, err)
		}
		must(t, r.Append(s.Sample))
	}
	return dir
}

func trace(verdicts []vitrine.CaseVerdict) *vitrine.Trace {
	tr := &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByAgent}
	for i, v := range verdicts {
		c := vitrine.Case{Category: testCategories[i], Verdict: v}
		if v == "" {
			c.Error = vitrine.NewFault("interact", vitrine.FaultInternal, nil, "no answer")
		}
		tr.Cases = append(tr.Cases, c)
	}
	return tr
}

func tasks() map[string]vitrine.Task {
	cases := []vitrine.TestCase{{Category: "function"}, {Category: "design"}}
	return map[string]vitrine.Task{
		"t1": {ID: "t1", Category: "shop", Subcategories: []string{"forms", "media"}, TestCases: cases},
		"t2": {ID: "t2", Category: "news", Subcategories: []string{"media", "media"}, TestCases: cases},
	}
}

// pass, partial and fail are as short as a table needs.
const (
	pass    = vitrine.VerdictPass
	partial = vitrine.VerdictPartial
	fail    = vitrine.VerdictFail
)

// five sites: one passes all, one half of its second case, one does not render, of one a
// case could not be judged, and one could not be judged at all.
func five() []site {
	return []site{
		rendered("1", "t1", 4, pass, pass), rendered("2", "t1", 2, pass, partial),
		rendered("3", "t2", 0, fail, fail).with(invalid), rendered("4", "t2", 3, pass, ""), unjudged("5", "t2"),
	}
}

// brief are the values of a row, their numbers and how many are unjudged.
type brief struct {
	samples int
	figures [5]one // VRR, AAS, AAS measured, FSR of sites, FSR of cases
	compat  float64
}

type one struct {
	value       float64 // NaN: none
	n, unjudged int
}

func briefly(r figures.Row) brief {
	b := brief{samples: r.Samples, compat: value(r.FSRCasesCompat)}
	for i, f := range []*figures.Figure{r.VRR, r.AAS, r.AASMeasured, &r.FSRSites, &r.FSRCases} {
		if f != nil {
			b.figures[i] = one{value(f.Value), f.N, f.Unjudged}
		}
	}
	return b
}

func value(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

func same(a, b float64) bool { return math.Abs(a-b) < 1e-12 || math.IsNaN(a) && math.IsNaN(b) }

var asNumbers = cmp.Options{cmp.AllowUnexported(brief{}, one{}), cmp.Comparer(same)}

func TestFiguresWorkedByHand(t *testing.T) {
	t.Parallel()
	table, err := figures.Read([]string{run(t, vitrine.Provenance{}, five()...)}, tasks())
	must(t, err)
	want := []struct {
		by       figures.By
		category string
		brief
	}{
		// 3 of 4 render; (4 + 2 + 3)/3; 1 of 3 sites passes, 2 are open; (2 + 1.5 + 0 + 1)/7 and, of all, /10.
		{"all", "", brief{5, [5]one{{0.75, 4, 1}, {3, 3, 1}, {1.5, 3, 1}, {1.0 / 3, 3, 2}, {4.5 / 7, 7, 3}}, 0.45}},
		{"instruction", "news", brief{3, [5]one{{0.5, 2, 1}, {3, 1, 1}, {1.5, 1, 1}, {0, 1, 2}, {1.0 / 3, 3, 3}}, 1.0 / 6}},
		{"instruction", "shop", brief{2, [5]one{{1, 2, 0}, {3, 2, 0}, {1.5, 2, 0}, {0.5, 2, 0}, {3.5 / 4, 4, 0}}, 3.5 / 4}},
		{"scenario", "forms", brief{2, [5]one{{1, 2, 0}, {3, 2, 0}, {1.5, 2, 0}, {0.5, 2, 0}, {3.5 / 4, 4, 0}}, 3.5 / 4}},
		{"scenario", "media", brief{5, [5]one{{0.75, 4, 1}, {3, 3, 1}, {1.5, 3, 1}, {1.0 / 3, 3, 2}, {4.5 / 7, 7, 3}}, 0.45}},
		{"test", "design", brief{5, [5]one{{}, {}, {}, {1.0 / 3, 3, 2}, {0.5, 3, 2}}, 0.3}},
		{"test", "function", brief{5, [5]one{{}, {}, {}, {0.75, 4, 1}, {0.75, 4, 1}}, 0.6}},
	}
	if len(table.Rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(table.Rows), len(want))
	}
	for i, w := range want {
		r := table.Rows[i]
		if r.Model != "m" || r.By != w.by || r.Category != w.category {
			t.Errorf("row %d is %s %s %s, want m %s %s", i, r.Model, r.By, r.Category, w.by, w.category)
		}
		if diff := cmp.Diff(w.brief, briefly(r), asNumbers); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", w.by, w.category, diff)
		}
	}
}

// Of four projects one passes, one does not, one could not be linted and one was not; a
// page is not linted.
func TestLDPRIsOfLintedProjects(t *testing.T) {
	t.Parallel()
	one, zero := 1.0, 0.0
	project := func(id string, f *vitrine.Finding) site {
		return rendered(id, "", 3).with(func(s *site) { s.Kind, s.lint = vitrine.KindProject, f })
	}
	dir := run(t, vitrine.Provenance{},
		project("1", &vitrine.Finding{Status: vitrine.StatusScored, Score: &one}), project("2", &vitrine.Finding{Status: vitrine.StatusScored, Score: &zero}),
		project("3", &vitrine.Finding{Status: vitrine.StatusFailed}), project("4", nil), rendered("5", "", 3),
	)
	table, err := figures.Read([]string{dir}, nil)
	must(t, err)
	if f := table.Rows[0].LDPR; value(f.Value) != 0.5 || f.N != 2 || f.Unjudged != 2 {
		t.Errorf("LDPR is %v of %d, %d unjudged, want 0.5 of 2, 2", value(f.Value), f.N, f.Unjudged)
	}
}

// What was not tried is unjudged or no figure at all, and never 0.
func TestWhatIsNotKnownIsNoZero(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	bare := func(s *site) { s.Scores = nil }
	gone := func(s *site) { s.Evidence, s.Scores["interact.fsr"] = "", 0.5 }
	stopped := func(s *site) { s.Outcome, s.failure = vitrine.OutcomeBuildFailed, vitrine.FailureStopped }
	broken := func(s *site) { s.Outcome, s.failure = vitrine.OutcomeBuildFailed, vitrine.FailureBuild }
	tests := map[string]struct {
		sites []site
		want  brief
	}{
		"no model and no cases":         {[]site{rendered("1", "", 1).with(bare)}, brief{1, [5]one{{1, 1, 0}, {nan, 0, 1}, {nan, 0, 1}, {nan, 0, 0}, {nan, 0, 0}}, nan}},
		"the recipe stops before":       {[]site{rendered("1", "", 1, fail, fail).with(stopped)}, brief{1, [5]one{{nan, 0, 1}, {nan, 0, 1}, {nan, 0, 1}, {nan, 0, 0}, {nan, 0, 0}}, nan}},
		"the build fails":               {[]site{rendered("1", "", 1, fail, fail).with(broken)}, brief{1, [5]one{{0, 1, 0}, {nan, 0, 0}, {nan, 0, 0}, {0, 1, 0}, {0, 2, 0}}, 0}},
		"unjudged, without tasks":       {[]site{rendered("1", "", 2, pass, pass), unjudged("2", "")}, brief{2, [5]one{{1, 1, 1}, {2, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 2, 0}}, 1}},
		"unjudged, where nothing tries": {[]site{rendered("1", "", 2), unjudged("2", "")}, brief{2, [5]one{{1, 1, 1}, {2, 1, 1}, {1, 1, 1}, {nan, 0, 0}, {nan, 0, 0}}, nan}},
		"a failed case decides":         {[]site{rendered("1", "", 2, fail, "")}, brief{1, [5]one{{1, 1, 0}, {2, 1, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1}}, 0}},
		"the trace is gone":             {[]site{rendered("1", "", 2).with(gone)}, brief{1, [5]one{{1, 1, 0}, {2, 1, 0}, {1, 1, 0}, {nan, 0, 1}, {nan, 0, 0}}, nan}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := run(t, vitrine.Provenance{}, tt.sites...)
			if name == "the trace is gone" {
				must(t, os.RemoveAll(filepath.Join(dir, "evidence")))
			}
			table, err := figures.Read([]string{dir}, nil)
			must(t, err)
			if diff := cmp.Diff(tt.want, briefly(table.Rows[0]), asNumbers); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A sample without a reward counts as an unjudged site, also where its task is not known.
func TestUnjudgedOfAnotherTask(t *testing.T) {
	t.Parallel()
	table, err := figures.Read([]string{run(t, vitrine.Provenance{}, rendered("1", "t1", 4, pass, pass), unjudged("2", "t9"))}, tasks())
	must(t, err)
	if f := table.Rows[0].FSRSites; f.N != 1 || f.Unjudged != 1 {
		t.Errorf("FSR is of %d sites, %d unjudged, want 1 and 1", f.N, f.Unjudged)
	}
	table, err = figures.Read([]string{run(t, vitrine.Provenance{})}, nil)
	if err != nil || table.Rows == nil || len(table.Rows) != 0 {
		t.Errorf("a run without samples gives %v, %v", table.Rows, err)
	}
}

func TestModelsOfSeveralRuns(t *testing.T) {
	t.Parallel()
	other := rendered("1", "", 5).with(func(s *site) { s.Model = "\x1b[2Jn" })
	a, b := run(t, vitrine.Provenance{Recipes: []string{"r@1"}}, rendered("1", "", 4)), run(t, vitrine.Provenance{Recipes: []string{"r@2"}}, other, rendered("2", "", 3))
	table, err := figures.Read([]string{a, b}, nil)
	must(t, err)
	if len(table.Rows) != 2 || table.Rows[1].Model != "m" || *table.Rows[1].AAS.Value != 3.5 || *table.Rows[0].AAS.Value != 5 {
		t.Errorf("rows are %+v", table.Rows)
	}
	if len(table.Differ) != 1 || !strings.Contains(table.Differ[0], "recipe (r@1, now r@2)") {
		t.Errorf("the runs differ in %q", table.Differ)
	}
	var text bytes.Buffer
	must(t, figures.Print(&text, table))
	if s := text.String(); strings.ContainsRune(s, 0x1b) || !strings.Contains(s, `\x1b[2Jn`) || !strings.Contains(s, "3.50 [3.00, 4.00] of 2") || !strings.Contains(s, "nothing was judged for: LDPR, FSR of sites, FSR of cases\n") {
		t.Errorf("printed\n%s", s)
	}
}

func TestWhatDoesNotBelongTogetherIsRefused(t *testing.T) {
	t.Parallel()
	a, b := run(t, vitrine.Provenance{}, rendered("1", "x", 4)), run(t, vitrine.Provenance{}, rendered("1", "x", 3))
	for want, read := range map[string]func() (figures.Table, error){
		`the sample "1" of the model "m" is in`: func() (figures.Table, error) { return figures.Read([]string{a, b}, nil) },
		"no sample has a task_id":               func() (figures.Table, error) { return figures.Read([]string{a}, tasks()) },
		"is not a run folder":                   func() (figures.Table, error) { return figures.Read([]string{t.TempDir()}, nil) },
	} {
		_, err := read()
		if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || f.Fix == "" || !strings.Contains(f.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
