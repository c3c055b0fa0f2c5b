// Package sites scores the rows of data pipelines as vitrine score does: it builds, sees,
// tries out and judges what models wrote, into run folders that are gone on with.
package sites

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/data/flow"
	"vitrine/internal/digest"
	"vitrine/internal/inputs"
	"vitrine/internal/model"
	"vitrine/internal/npm"
	"vitrine/internal/pipeline"
	"vitrine/internal/queue"
	"vitrine/internal/report"
	"vitrine/internal/runs"
	"vitrine/internal/service"
	"vitrine/internal/setup"
)

// A Scorer opens a pipeline for each scoring. It implements [flow.Sites].
type Scorer struct {
	Here        setup.Machine
	Concurrency int           // samples in work at once; 0: by cores and memory
	Asker       *model.Client // of models that look; nil where no step names one
	// Queue is that of workers of other machines, which score in place of this one; nil: there
	// is none.
	Queue *queue.Settings
	Talk  io.Writer // progress
}

// open makes the pipeline of a scoring. Close it.
func (s *Scorer) open(q flow.Scoring, tasks map[string]vitrine.Task) (*setup.Pipeline, error) {
	l := setup.Looking{
		Recipe: q.Recipe, Viewports: "desktop", Times: "0,1,2", Builder: string(build.Auto), Until: npm.Until, Concurrency: s.Concurrency, MaxRoutes: 8,
		Judging:     setup.Judging{Asker: s.Asker, Model: q.Model, Judge: q.Judge, Profile: q.Profile, Repeats: 1},
		Interacting: setup.Interacting{By: cmp.Or(q.Interact, "auto"), N: 3},
	}
	return l.Open(s.Here, tasks)
}

// By implements [flow.Sites]. It starts the browser, whose version is part of it.
func (s *Scorer) By(ctx context.Context, q flow.Scoring) (string, error) {
	p, err := s.open(q, nil)
	if err != nil {
		return "", err
	}
	defer p.Close()
	by, err := p.Provenance(ctx)
	return digest.Of(by), err
}

// Score implements [flow.Sites].
func (s *Scorer) Score(ctx context.Context, q flow.Scoring, files []string, dir string) (map[string]vitrine.Sample, error) {
	tasks, total, err := tasksOf(files)
	if err != nil {
		return nil, err
	}
	p, err := s.open(q, tasks)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	h, err := p.Header(ctx, files[0])
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(dir, "run.json"))
	run, done, err := runs.Open("", dir, err == nil, h)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	settings := pipeline.RunSettings{Done: done, RetryUnjudged: true}
	progress := report.NewProgress(s.Talk, "plain", "", settings.Left(total), dir)
	if s.Queue != nil {
		elsewhere, err := s.elsewhere(ctx, q, p, tasks)
		if err != nil {
			return nil, err
		}
		defer elsewhere.Close()
		settings.Elsewhere = elsewhere
	}
	err = p.Run(ctx, rows(files), run, settings, progress)
	progress.End()
	if err != nil {
		return nil, err
	}
	_, all, err := runs.Read(dir)
	samples := map[string]vitrine.Sample{}
	for _, sample := range runs.Newest(all) {
		samples[sample.ID] = sample
	}
	return samples, err
}

// elsewhere are the workers of the queue.
func (s *Scorer) elsewhere(ctx context.Context, q flow.Scoring, p *setup.Pipeline, tasks map[string]vitrine.Task) (*service.Elsewhere, error) {
	recipes, err := setup.Recipes(q.Recipe, nil)
	if err != nil {
		return nil, err
	}
	return service.OpenElsewhere(ctx, service.Settings{
		Pipeline: p.Pipeline, Recipes: recipes, Queue: *s.Queue, Getenv: s.Here.Getenv,
		Say: func(string, ...any) {}, Log: slog.New(slog.NewTextHandler(cmp.Or[io.Writer](s.Talk, io.Discard), &slog.HandlerOptions{Level: slog.LevelWarn})),
	}, "vitrine data", tasks, s.Concurrency)
}

// row is what of a row says how it is scored.
type row struct {
	TaskID    scalar             `json:"task_id"`
	GroupID   scalar             `json:"group_id"`
	Model     scalar             `json:"model"`
	Kind      vitrine.Kind       `json:"kind"`
	TestCases []vitrine.TestCase `json:"test_cases"`
}

// A scalar is a text, or a number or a truth value as it is written; what is neither is
// empty.
type scalar string

// UnmarshalJSON implements [json.Unmarshaler].
func (s *scalar) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(s))
	case '{', '[', 'n':
		return nil
	}
	*s = scalar(b)
	return nil
}

func read(r inputs.Record) (row row) {
	if err := json.Unmarshal(r.Row, &row); err != nil {
		row.Kind = "" // a field is of another type: the row is scored without them
	}
	row.TaskID = cmp.Or(row.TaskID, scalar(r.ID))
	return row
}

// tasksOf are the tasks of rows that have test cases, nil if none has; total is how many
// rows have an output.
func tasksOf(files []string) (tasks map[string]vitrine.Task, total int, err error) {
	for item, err := range records(files) {
		if err != nil {
			return nil, 0, err
		}
		total++
		one := read(item)
		if len(one.TestCases) == 0 {
			continue
		}
		if tasks == nil {
			tasks = map[string]vitrine.Task{}
		}
		tasks[string(one.TaskID)] = vitrine.Task{ID: string(one.TaskID), Instruction: item.Instruction, TestCases: one.TestCases}
	}
	return tasks, total, nil
}

// records are the rows with an output.
func records(files []string) iter.Seq2[inputs.Record, error] {
	return func(yield func(inputs.Record, error) bool) {
		all, err := inputs.OpenRecords(files, inputs.Settings{})
		if err != nil {
			yield(inputs.Record{}, err)
			return
		}
		defer all.Close()
		for r, err := range all.All() {
			if err == nil && r.Text == "" && r.Artifact == nil {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// rows are files of rows as an input of a pipeline. Their ids are those that the other
// steps see.
type rows []string

// Items implements [pipeline.Input].
func (files rows) Items() iter.Seq2[inputs.Item, error] {
	return func(yield func(inputs.Item, error) bool) {
		for r, err := range records(files) {
			one := read(r)
			o := vitrine.Output{ID: r.ID, TaskID: string(one.TaskID), GroupID: string(one.GroupID), Model: string(one.Model), Kind: one.Kind, Instruction: r.Instruction, Text: r.Text}
			if !yield(inputs.Item{Output: o, Artifact: r.Artifact}, err) {
				return
			}
		}
	}
}
