package pipeline

import (
	"context"
	"time"

	"vitrine"
	"vitrine/internal/interact"
)

// interaction says how sites are exercised by the recipe; nil: not at all.
func (s *Settings) interaction() *interact.Settings {
	if s.Interact == nil || s.InteractAuto && !s.Recipe.Needs("interact.") {
		return nil
	}
	i := *s.Interact
	if s.InteractAuto && i.Prover != nil && s.Recipe.Needs("interact.function") {
		i.Method = i.Prover
	}
	i.Profile = s.Profile
	return &i
}

// planned reports whether the model that exercises a site plans its interactions also where
// the task has test cases: AesCoder's s_interact is a sum over these (§4.3), and cases in
// their place would be another reward under its name. Cases by --cases are exercised.
func (s *Settings) planned() bool {
	return s.Profile == vitrine.ProfilePublished && s.Recipe.Needs("interact.score") && s.Interact.Method.By() == vitrine.ByAgent
}

// Driver opens sessions of a site as those that are scored are opened, without an evidence folder.
func (p *Pipeline) Driver(site *vitrine.Site) *interact.Driver {
	return &interact.Driver{Browser: p.browser, Mirror: p.capturer.Mirror, Site: site, Viewport: p.settings.Capture.Viewports[0]}
}

// exercise operates the site, if it is to be. The trace is nil where there is nothing to
// exercise.
func (w *work) exercise(ctx context.Context, site *vitrine.Site) (err error) {
	if w.settings.Interact == nil || w.Evidence == nil {
		return nil
	}
	start := time.Now()
	defer func() { w.Sample.TimingMS.Interact += float64(time.Since(start).Microseconds()) / 1000 }()
	driver := w.Driver(site)
	driver.Dir = w.dir
	task := w.settings.Tasks[w.output.TaskID]
	if w.settings.planned() {
		task.TestCases = nil
	}
	cache := &interact.Cache{Store: w.cache, Fixtures: w.made().Fixtures}
	w.Trace, err = interact.Run(ctx, driver, *w.settings.Interact, interact.Subject{
		Evidence: w.Evidence, Instruction: w.output.Instruction, Files: w.Artifact.Files, Cases: task.TestCases, Topic: task.Topic, Cache: cache,
	})
	w.exploreKey = cache.Key
	return err
}

// exercised notes what came of it, for the recipe and the report.
func (w *work) exercised() {
	w.keep(w.exploreKey)
	t := w.Trace
	if t == nil {
		if w.settings.Interact != nil {
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
	if t.Function != nil {
		w.function(*t.Function)
	}
	if share, _, ok := t.FSR(); ok {
		w.signals.Values["interact.fsr"] = share
		w.function(share)
		w.Sample.Scores["interact.fsr"], w.Sample.Scores["interact.fsr_compat"] = share, t.FSRCompat()
	}
	w.Sample.Findings = append(w.Sample.Findings, interact.Findings(t)...)
}

// reward is that of the recipe. It is a fault where the recipe reads what a model tried on the
// site and the model could judge nothing of it: the fallback is for sites that nothing tried.
func (w *work) reward() (vitrine.Reward, error) {
	t, r := w.Trace, w.settings.Recipe
	if t != nil && t.Score == nil && t.Model != "" && r.Needs("interact.score") {
		return vitrine.Reward{}, vitrine.NewFault("interact", vitrine.FaultJudge, nil, "the model judged nothing of what it tried").WithFix("score the output again, or name another model")
	}
	return r.Reward(w.signals.Signals)
}

// function notes the share of required behaviours, or of test cases, that work.
func (w *work) function(share float64) {
	w.signals.Values["interact.function"], w.Sample.Scores["interact.function"] = share, share
	delete(w.signals.Missing, "interact.function")
}
