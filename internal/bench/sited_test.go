package bench_test

import (
	"math"
	"path/filepath"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/artifactsbench"
	"vitrine/internal/bench/opendesign"
	"vitrine/internal/bench/webgenbench"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

// scored is a sample with what was tried of it.
type scored struct {
	id      string
	outcome vitrine.Outcome // empty: unjudged
	scores  map[string]float64
	trace   *vitrine.Trace
}

// saying is evidence of a page with a text.
func saying(text string) *vitrine.Evidence {
	ev := &vitrine.Evidence{Schema: vitrine.EvidenceSchema}
	if text != "" {
		ev.Views = []vitrine.View{{Route: "/", Content: &vitrine.Content{Blocks: []vitrine.Block{{Text: text}}}}}
	}
	return ev
}

// sampled writes a run folder of the pipeline.
func sampled(t *testing.T, interact string, all ...scored) string {
	t.Helper()
	return sampledSaying(t, "", interact, all...)
}

func sampledSaying(t *testing.T, text, interact string, all ...scored) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "samples")
	r, err := runs.Create(dir, runs.Header{Recipe: "r@1", Judge: "measured", Interact: interact})
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for _, x := range all {
		s := vitrine.Sample{ID: x.id, TaskID: x.id, Model: "m", Status: vitrine.SampleUnjudged, Error: vitrine.NewFault("capture", vitrine.FaultBrowserCrashed, nil, "gone")}
		if x.outcome != "" {
			s.Status, s.Error, s.Outcome, s.Scores, s.Reward = vitrine.SampleScored, nil, x.outcome, x.scores, new(float64)
			folder, err := r.NewEvidence()
			must(t, err)
			must(t, evidence.Save(folder, saying(text)))
			if pass, linted := x.scores["lint"]; linted {
				s.Kind = vitrine.KindProject
				must(t, evidence.SaveLint(folder, vitrine.Finding{Status: vitrine.StatusScored, Score: &pass}))
			}
			if x.trace != nil {
				must(t, evidence.SaveTrace(folder, x.trace))
			}
			s.Evidence, err = r.KeepEvidence(folder, s.ID)
			must(t, err)
		}
		must(t, r.Append(s))
	}
	return dir
}

const (
	shown   = vitrine.OutcomeRendered
	invalid = vitrine.OutcomeInvalidRender
)

// part is a part as numbers: {NaN, 0} for one that could not be judged, {0, 0} for none.
func part(p bench.Parts, key string) [2]float64 {
	x, there := p[key]
	switch {
	case there && x == nil:
		return [2]float64{-1, 0}
	case !there:
		return [2]float64{}
	}
	return [2]float64{x.Sum, x.Of}
}

func want(t *testing.T, all map[string]bench.Measured, id, key string, strict, compat [2]float64) {
	t.Helper()
	if s, c := part(all[id].Strict, key), part(all[id].Compat, key); s != strict || c != compat {
		t.Errorf("%s of %s is %v strict and %v compat, want %v and %v", key, id, s, c, strict, compat)
	}
}

func TestWebGenBenchOfARun(t *testing.T) {
	t.Parallel()
	function := 0.4
	tasks := map[string]vitrine.Task{}
	for _, id := range []string{"1", "2", "3", "4"} {
		tasks[id] = vitrine.Task{ID: id, TestCases: []vitrine.TestCase{{Category: "Functional Testing"}, {Category: "Data Display Testing"}}}
	}
	cases := &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByAgent, Cases: []vitrine.Case{
		{Category: "Functional Testing", Verdict: vitrine.VerdictPass}, {Category: "Data Display Testing", Error: vitrine.NewFault("interact", vitrine.FaultInternal, nil, "no answer")},
	}}
	all, err := webgenbench.Benchmark{}.Measure(sampled(t, "agent by m, 3 count, cases of the task",
		scored{"1", shown, map[string]float64{"vision.appearance": 4, "appearance": 3}, cases}, scored{"2", invalid, nil, nil}, scored{"3", "", nil, nil}, scored{"4", shown, map[string]float64{"vision.appearance": 10. / 3, "lint": 1}, nil}), tasks)
	must(t, err)
	want(t, all, "1", "vrr", [2]float64{1, 1}, [2]float64{1, 1})
	want(t, all, "1", "aas", [2]float64{4, 1}, [2]float64{4, 1})
	want(t, all, "1", "grade_4", [2]float64{1, 1}, [2]float64{1, 1})
	want(t, all, "1", "grade_3", [2]float64{0, 1}, [2]float64{0, 1})
	want(t, all, "4", "grade_3", [2]float64{1, 1}, [2]float64{1, 1}) // the mean of three
	want(t, all, "4", "ldpr", [2]float64{1, 1}, [2]float64{})
	want(t, all, "1", "ldpr", [2]float64{}, [2]float64{}) // a page is not linted
	want(t, all, "2", "grade_0", [2]float64{}, [2]float64{1, 1})
	want(t, all, "3", "grade_0", [2]float64{-1, 0}, [2]float64{1, 1})
	want(t, all, "1", "fsr_agent", [2]float64{1, 1}, [2]float64{1, 2}) // a case without a verdict: left out, or failed
	want(t, all, "1", "fsr_agent:Data Display Testing", [2]float64{-1, 0}, [2]float64{0, 1})
	want(t, all, "1", "fsr_verify", [2]float64{}, [2]float64{})
	want(t, all, "2", "vrr", [2]float64{0, 1}, [2]float64{0, 1})
	want(t, all, "2", "aas", [2]float64{}, [2]float64{0, 1}) // AAS is over valid renders; the script's is over all
	want(t, all, "3", "vrr", [2]float64{-1, 0}, [2]float64{0, 1})
	want(t, all, "3", "fsr_agent", [2]float64{-1, 0}, [2]float64{0, 2})
	if all["3"].Error == nil {
		t.Error("an unjudged sample has no reason")
	}

	behaved := func(f float64, cases int) *vitrine.Trace {
		return &vitrine.Trace{Schema: vitrine.TraceSchema, By: vitrine.ByBehave, Function: &f, Cases: make([]vitrine.Case, cases)}
	}
	all, err = webgenbench.Benchmark{}.Measure(sampled(t, "behave",
		scored{"1", shown, map[string]float64{"appearance": 3}, behaved(function, 2)}, scored{"2", invalid, nil, nil}, scored{"3", "", nil, nil}, scored{"4", shown, nil, behaved(1, 0)}), tasks)
	must(t, err)
	want(t, all, "1", "behave", [2]float64{0.4, 1}, [2]float64{0.4, 1})
	want(t, all, "1", "fsr_agent", [2]float64{}, [2]float64{}) // behave gives no FSR
	want(t, all, "2", "behave", [2]float64{0, 1}, [2]float64{0, 1})
	want(t, all, "3", "behave", [2]float64{-1, 0}, [2]float64{0, 1})
	want(t, all, "4", "behave", [2]float64{}, [2]float64{}) // nothing was asked for
}

func TestOpenDesignOfARun(t *testing.T) {
	t.Parallel()
	all, err := opendesign.Benchmark{}.Measure(sampled(t, "agent by m, 3 count",
		scored{"1", shown, map[string]float64{"vision.alignment": 30, "vision.aesthetics": 20, "vision.structure": 10, "vision.total": 60, "total": 50, "interact.score": 2}, nil},
		scored{"2", invalid, nil, nil}, scored{"3", "", nil, nil}), nil)
	must(t, err)
	for key, v := range map[string]float64{"alignment": 30, "appearance": 20, "structure": 10, "total": 60, "total_measured": 50, "interact_agent": 2, "valid": 1} {
		want(t, all, "1", key, [2]float64{v, 1}, [2]float64{v, 1})
		left, failed := [2]float64{}, [2]float64{} // as published: of an answer that shows no site, and of one that could not be judged
		switch key {
		case "structure", "total_measured", "valid":
			left = [2]float64{0, 1}
		case "interact_agent":
			left, failed = [2]float64{0, 1}, [2]float64{0, 1}
		}
		want(t, all, "2", key, [2]float64{0, 1}, left)
		want(t, all, "3", key, [2]float64{-1, 0}, failed)
	}
	want(t, all, "1", "interact_explore", [2]float64{}, [2]float64{})
	b := opendesign.Benchmark{}
	if by := b.Groups(vitrine.Task{Category: "Game Dev"}); b.Info().Tasks != 840 || len(by["category"]) != 1 || by["category"][0] != "Game Dev" {
		t.Errorf("%d tasks, in groups %v", b.Info().Tasks, by)
	}
}

func TestArtifactsBenchOfARun(t *testing.T) {
	t.Parallel()
	checklist := []byte(`[{"id":0,"title":"x","description":"y","maxScore":20},{"id":1,"title":"x","description":"y","maxScore":20}]`)
	tasks := map[string]vitrine.Task{"1": {ID: "1", Checklist: checklist}, "2": {ID: "2", Checklist: checklist}, "3": {ID: "3", Checklist: checklist}}
	all, err := artifactsbench.Benchmark{}.Measure(sampled(t, "none",
		scored{"1", shown, map[string]float64{"vision.checklist": 30, "total": 55}, nil}, scored{"2", invalid, nil, nil}, scored{"3", "", nil, nil}), tasks)
	must(t, err)
	want(t, all, "1", "score", [2]float64{75, 1}, [2]float64{75, 1})
	want(t, all, "2", "score", [2]float64{0, 1}, [2]float64{}) // the published script leaves it out of the mean
	want(t, all, "3", "score", [2]float64{-1, 0}, [2]float64{})
	want(t, all, "2", "measured", [2]float64{0, 1}, [2]float64{})
	if v := part(all["1"].Strict, "measured")[0]; math.Abs(v-55) > 0 {
		t.Errorf("measured is %g", v)
	}
	if split := (artifactsbench.Benchmark{}).Groups(vitrine.Task{Category: "Simulation & Modeling-Physics Simulation"})["split"]; len(split) != 1 || split[0] != "Simulation & Modeling" {
		t.Errorf("the split is %q", split)
	}
}

// By strict the measured judge gives nothing for the request said back, as for an empty page.
func TestEchoesAreAtTheBottom(t *testing.T) {
	t.Parallel()
	const asked = "Build a small website for a pottery workshop on which visitors can book a place and read about the teachers."
	tasks := map[string]vitrine.Task{"1": {ID: "1", Instruction: asked, Checklist: []byte(`[{"maxScore":10}]`)}}
	scores := map[string]float64{"alignment": 14, "structure": 18, "total": 39, "appearance": 1.3}
	for _, b := range []struct {
		bench.Sited
		column string
		value  float64
	}{{opendesign.Benchmark{}, "alignment_measured", 14}, {opendesign.Benchmark{}, "structure_measured", 18}, {opendesign.Benchmark{}, "total_measured", 39}, {artifactsbench.Benchmark{}, "measured", 39}, {webgenbench.Benchmark{}, "aas_measured", 1.3}} {
		for text, strict := range map[string]float64{asked: 0, "Our kiln reaches twelve hundred degrees, and every bowl dries for a week.": b.value} {
			all, err := b.Measure(sampledSaying(t, text, "none", scored{"1", shown, scores, nil}), tasks)
			must(t, err)
			if got := part(all["1"].Strict, b.column); got != [2]float64{strict, 1} {
				t.Errorf("%s: %s of a page that says %q is %v, want %v", b.Info().Name, b.column, text, got, strict)
			}
			if echo := all["1"].Why != ""; echo != (strict == 0) {
				t.Errorf("%s: why of a page that says %q is %q", b.Info().Name, text, all["1"].Why)
			}
		}
	}
}
