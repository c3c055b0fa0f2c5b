package main

import (
	"context"
	"path/filepath"
	"runtime"
	"time"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/cache"
	"vitrine/internal/generate"
	"vitrine/internal/inputs"
	"vitrine/internal/model"
)

// walk has the steps of the tasks answered and tested, one after the other: by a model, by
// recorded outputs, or by the benchmark's own solutions.
func (r *benching) walk(ctx context.Context, b bench.Stepped, run *bench.Run, tasks []vitrine.Task, l bench.Loaded) (bench.Answers, map[string]bench.Measured, error) {
	if r.asked.samples != 1 || r.asked.runs != 1 {
		return bench.Answers{}, nil, usage("-n and --runs: this benchmark asks for each answer after the one before", "run it again with another --seed and --out for another sample")
	}
	defer cache.Hold(r.cacheDir)()
	ctx, release := cancelOnSignal(ctx, r.common)
	defer release()
	w, err := b.Walker(ctx, bench.Machine{Sandbox: r.sandbox(), CacheDir: r.cacheDir, Data: l.Dir, AsPublished: r.asPublished})
	if err != nil {
		return bench.Answers{}, nil, err
	}
	paths, models, others, end, err := r.paths(ctx, b, run, tasks, l.Tasks)
	if err != nil {
		return bench.Answers{}, nil, err
	}
	defer end()
	run.Header.By = "the new specs of each step, and all once at the end"
	if r.asPublished {
		run.Header.By = "all specs so far at each step, as published"
	}
	began := time.Now()
	// Tests have limits of time in themselves: half of the processors stay free for them.
	a, measured, err := run.Walk(ctx, w, paths, models, max(1, min(r.asked.atOnce, runtime.NumCPU()/2)), func(done int, p bench.Path, m bench.Measured) {
		passed := time.Since(began)
		left := passed / time.Duration(done) * time.Duration(len(paths)-done)
		r.say("%d/%d %s %s: %s, %s, %s left%s", done, len(paths), p.Model, p.Task.ID, m.Outcome, passed.Round(time.Second), left.Round(time.Second), r.cost())
	})
	a.Others, a.Unusable = others.Others, others.Unusable
	if ctx.Err() != nil {
		r.say("interrupted: %d of %d are done. Go on with the same command", len(measured), len(paths))
		return a, nil, exit(exitInterrupted)
	}
	return a, measured, err
}

// paths are the ways through the tasks, with what of the outputs is for none, and what ends
// the asking.
func (r *benching) paths(ctx context.Context, b bench.Stepped, run *bench.Run, tasks, all []vitrine.Task) (paths []bench.Path, models []string, others bench.Answers, end func(), err error) {
	end = func() {}
	switch {
	case r.oracle:
		for _, t := range tasks {
			paths = append(paths, bench.Path{Model: bench.ReferenceModel, Task: t})
		}
		return paths, []string{bench.ReferenceModel}, others, end, nil
	case r.outputs != "":
		in, err := r.reading.open(ctx, r.common, r.outputs, false)
		if err != nil {
			return nil, nil, others, end, err
		}
		defer in.Close()
		if others, err = matchSteps(b, in, tasks, all); err != nil {
			return nil, nil, others, end, err
		}
		return bench.RecordedIn(others).Paths(b, others.Models, tasks), others.Models, others, end, run.Keep(others.Outputs)
	}
	ask, name, end, err := r.conversation(filepath.Join(run.Dir, bench.AnswersFile))
	for _, t := range tasks {
		paths = append(paths, bench.Path{Model: name, Task: t, Ask: ask})
	}
	return paths, []string{name}, others, end, err
}

// matchSteps finds the steps that outputs are for.
func matchSteps(b bench.Stepped, in *inputs.Input, tasks, all []vitrine.Task) (bench.Answers, error) {
	steps := func(tasks []vitrine.Task) (all []vitrine.Task) {
		for _, t := range tasks {
			for _, id := range b.StepIDs(t) {
				all = append(all, vitrine.Task{ID: id})
			}
		}
		return all
	}
	return bench.Match(in, steps(tasks), steps(all))
}

// conversation asks a model, and keeps each answer the moment it is there. What the file
// has is not asked again.
func (r *benching) conversation(out string) (bench.Ask, string, func(), error) {
	settings, client, err := r.asked.open(r.seeded)
	if err != nil {
		return nil, "", func() {}, err
	}
	r.asking = client
	file, err := generate.Open(out, true)
	if err != nil {
		client.Close()
		return nil, "", func() {}, err
	}
	return asking(file, settings), settings.Name, func() { r.closed(file, client) }, nil
}

// cost says what the steps have cost so far; nothing where no model is asked.
func (r *benching) cost() string {
	if r.asking == nil {
		return ""
	}
	return ", " + r.asking.Spent().Cost()
}

func (r *benching) closed(file *generate.File, client *model.Client) {
	spent(r.common, client)
	_ = file.Close() // each answer was written when it came
	client.Close()
}

// asking asks for one answer. What a model does not answer is a fault of the path.
func asking(file *generate.File, settings generate.Settings) bench.Ask {
	return func(ctx context.Context, step vitrine.Task, try int, p generate.Prompt) (*vitrine.Output, error) {
		s := settings
		s.From, s.Prompt = try, func(vitrine.Task) generate.Prompt { return p }
		answer, err := generate.One(ctx, step, file, s)
		if err != nil {
			return nil, err
		}
		return &vitrine.Output{ID: answer.ID, TaskID: answer.TaskID, Model: answer.Model, Text: answer.Text}, nil
	}
}
