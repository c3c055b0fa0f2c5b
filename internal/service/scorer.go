package service

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/pipeline"
	"vitrine/internal/reward"
	"vitrine/internal/server"
	"vitrine/internal/worker"
)

// taskMeta is where the output of a job has its task, of those who ask for jobs with tasks
// of their own; one without an id where no task has that of the output.
const taskMeta = "task"

// scorer scores jobs of one recipe for a worker.
type scorer struct{ *pipeline.Pipeline }

// Score takes the output's text, or the files it has in place of one.
func (s scorer) Score(ctx context.Context, o vitrine.Output, dir string) (vitrine.Sample, bool, error) {
	a, err := filesOf(o)
	if err != nil {
		return vitrine.Sample{}, false, err
	}
	var seed []byte
	if raw, there := o.Meta[server.SeedMeta]; there {
		if err := json.Unmarshal(raw, &seed); err != nil {
			return vitrine.Sample{}, false, fmt.Errorf("seed of a job: %w", err)
		}
	}
	p := s.WithSeed(seed)
	if raw, there := o.Meta[taskMeta]; there {
		var t vitrine.Task
		if err := json.Unmarshal(raw, &t); err != nil {
			return vitrine.Sample{}, false, fmt.Errorf("task of a job: %w", err)
		}
		p = p.WithTasks(map[string]vitrine.Task{t.ID: t})
	}
	delete(o.Meta, taskMeta)
	delete(o.Meta, server.FilesMeta)
	delete(o.Meta, server.SeedMeta)
	scored, err := p.ScoreArtifact(ctx, o, a, dir)
	if err != nil {
		return vitrine.Sample{}, false, err
	}
	scored.Sample.Meta = nil // it goes back with the item
	return scored.Sample, scored.Judgement != nil, nil
}

// filesOf makes an artifact of the files of a job; nil if it has none.
func filesOf(o vitrine.Output) (*vitrine.Artifact, error) {
	raw, there := o.Meta[server.FilesMeta]
	if !there {
		return nil, nil
	}
	var files map[string]string
	if err := json.Unmarshal(raw, &files); err != nil {
		return nil, fmt.Errorf("files of a job: %w", err)
	}
	a := &vitrine.Artifact{Kind: o.Kind}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		a.Files = append(a.Files, vitrine.File{Path: name, Content: files[name]})
	}
	if a.Kind == vitrine.KindUnknown {
		a.Kind = vitrine.KindPage
		if _, project := files["package.json"]; project {
			a.Kind = vitrine.KindProject
		}
	}
	return a, nil
}

// Scorers gives a worker the scorer of each recipe, by its name@hash: another recipe of
// the same name gives other rewards. They share one browser. Testers are for jobs of
// benchmarks; nil: there are none.
func Scorers(p *pipeline.Pipeline, recipes []*reward.Recipe, testers *Testers) func(string) (worker.Scorer, error) {
	by := map[string]worker.Scorer{}
	for _, r := range recipes {
		by[r.ID()] = scorer{p.WithRecipe(r)}
	}
	return func(recipe string) (worker.Scorer, error) {
		if name, is := strings.CutPrefix(recipe, ofBenchmark); is && testers != nil {
			return testers.scorer(name)
		}
		s, ok := by[recipe]
		if !ok {
			return nil, vitrine.NewFault("command", vitrine.FaultUsage, nil, fmt.Sprintf("this worker has no recipe %q, but %q", recipe, slices.Sorted(maps.Keys(by)))).
				WithFix("start it with the same --recipe and --add-recipe, and the same version, as the server")
		}
		return s, nil
	}
}
