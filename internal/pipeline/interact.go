package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/disk"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/page"
	"vitrine/internal/reward"
	"vitrine/internal/store"
	"vitrine/internal/tracetext"
)

// Interaction says who tries sites out.
type Interaction struct {
	By vitrine.TraceBy // explore, agent or verify
	// Auto tries sites out only where the recipe reads what came of it.
	Auto bool
	// N is how many interactions count for s_interact; 0 means 3 (AesCoder §4.3).
	N int
	// Budget is how many controls explore tries; 0 leaves it to explore.
	Budget int
	// Cases are tried where the output's task brings none.
	Cases    []vitrine.TestCase
	Agent    *agent.Agent
	Verifier *verify.Verifier
	// Tree is a rubric whose leaves the agent carries out in place of interactions of
	// its own choice (WebDevJudge B.3); nil leaves them to it.
	Tree *rubric.Tree
	// Scripts are run where By is vitrine.ByScript.
	Scripts []script.Script
}

const defaultInteractions = 3

// under is who tries sites out by a recipe.
func (i *Interaction) under(r *reward.Recipe) *Interaction {
	if i != nil && i.Auto && !r.Needs("interact.") {
		return nil
	}
	return i
}

func (i *Interaction) wanted() int {
	if i.N > 0 {
		return i.N
	}
	return defaultInteractions
}

// tryOut lets somebody try the site out, if anybody is to. There is no trace where
// there is nothing to try by.
func (w *work) tryOut(ctx context.Context, site *vitrine.Site) error {
	i := w.settings.Interact
	if i == nil || w.Evidence == nil {
		return nil
	}
	start := time.Now()
	defer func() { w.Sample.TimingMS.Interact += float64(time.Since(start).Microseconds()) / 1000 }()
	cases := w.cases(i)
	var t *vitrine.Trace
	var err error
	switch {
	case i.By == vitrine.ByVerify && len(cases) == 0:
		return nil
	case !w.Evidence.Validity.Valid:
		t = w.never(i, cases)
	case i.By == vitrine.ByExplore:
		t, err = w.explore(ctx, site)
	case i.By == vitrine.ByScript:
		t, err = w.runScripts(ctx, site, i)
	case len(cases) == 0 && i.Tree != nil:
		t, err = w.leaves(ctx, site, i)
	case len(cases) == 0:
		t, err = i.Agent.Aesthetics(ctx, w.driver(site), w.output.Instruction)
	default:
		t, err = w.testCases(ctx, site, i, cases)
	}
	if err != nil {
		return vitrine.AsFault("interact", disk.Classify(err))
	}
	w.Trace = t
	if f := failure(t); f != nil {
		return f
	}
	return nil
}

// failure is why a trace gives no score, or why every other one would have none.
func failure(t *vitrine.Trace) *vitrine.Fault {
	found := t.Error
	for _, c := range t.Cases {
		if c.Error != nil && slices.Contains(stopping, c.Error.Code) {
			return c.Error
		}
		if found == nil {
			found = c.Error
		}
	}
	if t.Score != nil {
		return nil
	}
	return found
}

// leaves has the agent carry out the leaves of a rubric. Their s_interact is N times the
// rate of those that are met, as with test cases.
func (w *work) leaves(ctx context.Context, site *vitrine.Site, i *Interaction) (*vitrine.Trace, error) {
	t, err := i.Agent.Workflow(ctx, w.driver(site), leaves(i.Tree), w.output.Instruction)
	if err == nil && t.Score != nil {
		score := *t.Score * float64(i.wanted())
		t.Score, t.Wanted = &score, i.wanted()
	}
	return t, err
}

// leaves are those of a rubric, as the agent takes them: a leaf is read with the
// requirements that it is part of.
func leaves(t *rubric.Tree) (all []agent.Leaf) {
	for _, l := range t.Leaves() {
		all = append(all, agent.Leaf{ID: l.ID, Dimension: l.Dimension, Description: strings.Join(l.Path, ": "), Complex: l.Complex})
	}
	return all
}

// cases are the test cases of the output's task, or those of the settings.
func (w *work) cases(i *Interaction) []vitrine.TestCase {
	if i.By == vitrine.ByExplore || i.By == vitrine.ByScript {
		return nil
	}
	if own := w.settings.Tasks[w.output.TaskID].TestCases; len(own) > 0 {
		return own
	}
	return i.Cases
}

func (w *work) driver(site *vitrine.Site) *interact.Driver {
	return &interact.Driver{Browser: w.browser, Mirror: w.mirror(), Site: site, Viewport: w.settings.Capture.Viewports[0], Dir: w.dir}
}

// mirror is nil, and no nil pointer in an interface, without fixtures.
func (p *Pipeline) mirror() page.Mirror { return p.capturer.Mirror }

// newTrace is a trace without cases.
func (w *work) newTrace(i *Interaction) *vitrine.Trace {
	return &vitrine.Trace{
		Schema: vitrine.TraceSchema, By: i.By, Browser: w.Evidence.Browser, Viewport: w.settings.Capture.Viewports[0], Validity: w.Evidence.Validity,
		Cases: []vitrine.Case{}, Wanted: i.wanted(), Cost: vitrine.Free(),
	}
}

// never is the trace of a site that does not start: all of its test cases fail, and
// none of its controls works (SPEC §11).
func (w *work) never(i *Interaction, cases []vitrine.TestCase) *vitrine.Trace {
	t, zero := w.newTrace(i), 0.0
	t.Score = &zero
	for _, s := range i.Scripts {
		cases = append(cases, vitrine.TestCase{Task: s.Task, ExpectedResult: s.Expected, Category: s.Category})
	}
	if i.Tree != nil && len(cases) == 0 {
		for _, l := range leaves(i.Tree) {
			cases = append(cases, vitrine.TestCase{Task: l.Description, Category: l.Dimension})
		}
	}
	for n, tc := range cases {
		t.Cases = append(t.Cases, vitrine.Case{
			ID: fmt.Sprint(n + 1), Route: "/", Task: tc.Task, Expected: tc.ExpectedResult, Category: tc.Category, Steps: []vitrine.Step{},
			Verdict: vitrine.VerdictFail, Score: &zero, Why: "the site does not start: " + w.Evidence.Validity.Why, End: vitrine.EndPage,
		})
	}
	return t
}

// testCases tries each case from a fresh state of the site, by the agent or by a
// script that is planned once.
func (w *work) testCases(ctx context.Context, site *vitrine.Site, i *Interaction, cases []vitrine.TestCase) (*vitrine.Trace, error) {
	start, t, d := time.Now(), w.newTrace(i), w.driver(site)
	try, err := w.trier(ctx, site, i, t, d)
	if err != nil {
		return nil, err
	}
	for n, tc := range cases {
		c, err := try(tc)
		if err != nil {
			return nil, fmt.Errorf("test case %d: %w", n+1, err)
		}
		c.ID, c.Category = fmt.Sprint(n+1), tc.Category
		t.Cases, t.Cost = append(t.Cases, c), t.Cost.Plus(c.Cost)
		if c.Error != nil && slices.Contains(stopping, c.Error.Code) {
			break // every other case would fail alike
		}
	}
	scoreCases(t)
	t.WallMS = float64(time.Since(start).Milliseconds())
	return t, nil
}

// scoreCases gives test cases their s_interact: N times the FSR, so that any number of
// them weighs as much as N interactions.
func scoreCases(t *vitrine.Trace) {
	if share, _, ok := t.FSR(); ok {
		score := share * float64(t.Wanted)
		t.Score = &score
	}
}

// runScripts runs each script from a fresh state of the site.
func (w *work) runScripts(ctx context.Context, site *vitrine.Site, i *Interaction) (*vitrine.Trace, error) {
	start, t, d := time.Now(), w.newTrace(i), w.driver(site)
	for _, s := range i.Scripts {
		c, err := script.Run(ctx, d, s, nil)
		if err != nil {
			return nil, fmt.Errorf("script %s: %w", s.ID, err)
		}
		t.Cases = append(t.Cases, c)
	}
	scoreCases(t)
	t.WallMS = float64(time.Since(start).Milliseconds())
	return t, nil
}

// trier tries one case. The planner of scripts is told what the explorer found.
func (w *work) trier(ctx context.Context, site *vitrine.Site, i *Interaction, t *vitrine.Trace, d *interact.Driver) (func(vitrine.TestCase) (vitrine.Case, error), error) {
	if i.By == vitrine.ByAgent {
		t.Model = i.Agent.Settings.Model
		return func(tc vitrine.TestCase) (vitrine.Case, error) { return i.Agent.Test(ctx, d, tc, w.output.Instruction) }, nil
	}
	t.Model = i.Verifier.Settings.Model
	explored, err := w.explore(ctx, site)
	if err != nil {
		return nil, err
	}
	known := verify.Context{Instruction: w.output.Instruction, Code: w.Artifact.Files, Explored: explored}
	return func(tc vitrine.TestCase) (vitrine.Case, error) { return i.Verifier.Verify(ctx, d, tc, known) }, nil
}

// explore tries the controls out without a model, unless the cache knows the trace.
func (w *work) explore(ctx context.Context, site *vitrine.Site) (*vitrine.Trace, error) {
	i := w.settings.Interact
	s := explore.Settings{N: i.wanted(), Budget: i.Budget, Instruction: w.output.Instruction, Routes: w.routes()}
	if w.cache.Dir == "" {
		return explore.Explore(ctx, w.driver(site), s)
	}
	version, err := w.browser.Version(ctx)
	if err != nil {
		return nil, err
	}
	key := store.Key{Stage: "interact", Parts: map[string]any{
		"site": site.Hash, "base": site.Base, "settings": s, "viewport": w.settings.Capture.Viewports[0], "vitrine": vitrine.Version, "interact": interact.Version,
		"browser": version, "fonts": browser.InstalledFonts().Hash, "fixtures": w.fixtures(),
	}}
	w.tryKey = key
	var t vitrine.Trace
	if files, ok := w.cache.Get(key, &t); ok && store.LinkTree(files, w.dir) == nil {
		return &t, nil
	}
	return w.exploreAnew(ctx, key, site, s)
}

// exploreAnew explores beside the evidence, so that the cache keeps the trace's own
// frames alone.
func (w *work) exploreAnew(ctx context.Context, key store.Key, site *vitrine.Site, s explore.Settings) (*vitrine.Trace, error) {
	scratch := filepath.Join(w.dir, ".tried")
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	d := w.driver(site)
	d.Dir = scratch
	t, err := explore.Explore(ctx, d, s)
	if err != nil {
		return nil, err
	}
	if err := store.LinkTree(scratch, w.dir); err != nil {
		return nil, err
	}
	if !t.Validity.Valid { // perhaps a matter of load
		return t, nil
	}
	return t, w.cache.Put(key, t, scratch)
}

// routes are those that were seen.
func (w *work) routes() (routes []string) {
	for _, v := range w.Evidence.Views {
		if v.Validity.Valid && !slices.Contains(routes, v.Route) {
			routes = append(routes, v.Route)
		}
	}
	return routes
}

// tried notes what came of trying the site out, for the recipe and the report.
func (w *work) tried() {
	w.keep(w.tryKey)
	t := w.Trace
	if t == nil {
		if i := w.settings.Interact; i != nil && i.By == vitrine.ByVerify {
			w.signals.Missing["interact.score"] = "the task has no test cases to verify"
		}
		return
	}
	w.Sample.Cost = w.Sample.Cost.Plus(t.Cost)
	if t.Score != nil {
		w.signals.Values["interact.score"], w.Sample.Scores["interact.score"] = *t.Score, *t.Score
		delete(w.signals.Missing, "interact.score")
	} else {
		w.signals.Missing["interact.score"] = "what was tried could not be judged"
	}
	if share, _, ok := t.FSR(); ok && t.By != vitrine.ByExplore {
		w.signals.Values["interact.fsr"] = share
		w.Sample.Scores["interact.fsr"], w.Sample.Scores["interact.fsr_compat"] = share, t.FSRCompat()
	}
	if f, ok := controls(t); ok {
		w.Sample.Findings = append(w.Sample.Findings, f)
	}
}

// controls is the finding about what explore operated: the share that works, and
// where the dead ones are.
func controls(t *vitrine.Trace) (vitrine.Finding, bool) {
	f := vitrine.Finding{Check: "controls", Status: vitrine.StatusScored}
	for _, c := range t.Cases {
		if c.Verdict == vitrine.VerdictDead && c.Control != nil {
			f.Where = append(f.Where, vitrine.Place{Route: c.Route, Viewport: t.Viewport.Name, Box: c.Control.Box, Label: tracetext.Control(*c.Control) + ": " + c.Why})
		}
	}
	v := tracetext.Verdicts(t)
	works, dead := len(v[vitrine.VerdictWorks]), len(f.Where)
	if works+dead == 0 {
		return f, false
	}
	share := float64(works) / float64(works+dead)
	f.Score = &share
	f.Why = fmt.Sprintf("Of %d controls that were tried, all do something.", works)
	if dead > 0 {
		f.Why = fmt.Sprintf("Of %d controls that were tried, %d do nothing that can be noticed.", works+dead, dead)
	}
	if n := len(v[vitrine.VerdictUnclear]); n > 0 {
		f.Why += fmt.Sprintf(" Of %d more it could not be judged.", n)
	}
	return f, true
}
