// Package plots has the benchmarks of Python plots: MatPlotBench and PandasPlotBench
// (AesCoder §7.1). A program is run with the files of its task, and the picture that it
// draws is held against the true one by a vision model.
package plots

import (
	"os"
	"path/filepath"
	"strings"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/evidence"
	"vitrine/internal/picture"
	"vitrine/internal/runs"
)

// good is the score from which a plot is a good one: the script of PandasPlotBench has at
// least 75, where AesCoder writes above 75.
const good = 75

// needs is what both benchmarks take.
const needs = "the sandbox, Python with matplotlib, numpy, pandas, plotly and seaborn (make setup-plots); the score wants a vision model (-J), without which only errors and the measured agreement are known"

// scoring is how answers are scored: by the plot protocol, or, without a model, by whether
// something is drawn.
var scoring = bench.Scoring{Recipe: "plot", Alone: "drawn", Interact: "none", Judge: "plot", Times: "0"}

// columns are those of both benchmarks.
func columns() []bench.Column {
	return []bench.Column{
		{Key: "errors", Title: "error rate", About: "share of answers whose program fails or draws nothing", Times: 1, Digits: 2, Published: "error rate", Lower: true, Share: true},
		{Key: "mean", Title: "mean", About: "mean of a vision model's score against the true plot, 0 to 100; nothing drawn is 0", Times: 1, Digits: 1, Published: "mean", Cut: true},
		{Key: "good", Title: "share ≥ 75", About: "share of answers with a score of 75 or more", Times: 1, Digits: 2, Published: "share above 75", Share: true},
		{Key: "agreement", Title: "agreement measured", About: "structural similarity to the true picture, 0 to 100, by pixels and without a model; not to be set beside the mean", Times: 1, Digits: 1},
	}
}

// answer is what was measured of one, before a rule counts it.
type answer struct {
	sample    vitrine.Sample
	judged    bool     // it could be judged
	drawn     bool     // a plot was drawn
	score     *float64 // by a model; nil where none gave one
	agreement *float64 // with the true picture; nil where no picture was drawn
	code      string   // of the program
}

// read reads the answers of a run folder of the pipeline, and whether a model looked at any.
func read(dir string, tasks map[string]vitrine.Task) (answers []answer, looked bool, err error) {
	_, samples, err := runs.Read(dir)
	if err != nil {
		return nil, false, err
	}
	for _, s := range runs.Newest(samples) {
		a := answer{sample: s, judged: s.Status == vitrine.SampleScored}
		a.drawn = a.judged && s.Outcome == vitrine.OutcomeRendered && s.Kind == vitrine.KindPlot
		if v, there := s.Scores["vision.plot"]; there {
			looked = true
			a.score = &v
		}
		if a.drawn {
			if err := a.see(filepath.Join(dir, s.Evidence), tasks[s.TaskID]); err != nil {
				return nil, false, err
			}
		}
		answers = append(answers, a)
	}
	return answers, looked, nil
}

// see reads the program, and holds what it drew against the true picture.
func (a *answer) see(dir string, task vitrine.Task) error {
	ev, err := evidence.Load(dir)
	if err != nil {
		return err
	}
	source, err := evidence.LoadArtifact(dir)
	if err != nil {
		return err
	}
	for _, f := range source.Files {
		a.code += f.Content
	}
	if len(ev.Views) == 0 || len(ev.Views[0].Frames) == 0 || len(task.Picture) == 0 {
		return nil
	}
	drawn, err := picture.ReadFile(os.DirFS(dir), ev.Views[0].Frames[0].File)
	if err != nil {
		return err
	}
	truth, err := picture.Decode(task.Picture) // Tasks has seen to it that it is one
	if err != nil {
		return err
	}
	v := 100 * similarity(drawn, truth)
	a.agreement = &v
	return nil
}

// strict are the parts by our rule: what draws nothing has 0, and what could not be judged
// is nil.
func (a answer) strict(looked bool) bench.Parts {
	p := bench.Parts{"errors": nil, "agreement": nil}
	if looked {
		p["mean"], p["good"] = nil, nil
	}
	switch {
	case !a.judged:
	case !a.drawn:
		for key := range p {
			p[key] = bench.One(0)
		}
		p["errors"] = bench.One(1)
	default:
		p["errors"] = bench.One(0)
		if a.score != nil {
			p["mean"], p["good"] = scored(*a.score)
		}
		if a.agreement != nil {
			p["agreement"] = bench.One(*a.agreement)
		}
	}
	return p
}

// raised reports whether the program ended with an error, and not only without a picture.
func (a answer) raised() bool {
	return a.judged && a.sample.Outcome == vitrine.OutcomeBuildFailed && !strings.HasPrefix(a.sample.Why, string(vitrine.FailureNoPicture))
}

// scored are the parts of a score.
func scored(v float64) (mean, isGood *bench.Part) {
	if v >= good {
		return bench.One(v), bench.One(1)
	}
	return bench.One(v), bench.One(0)
}
