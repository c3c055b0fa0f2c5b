package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/data/table"
	"vitrine/internal/digest"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// version is part of what names a result: it changes whenever a step could give other
// rows.
const version = "4"

// SummaryFile is what a run folder says of itself.
const SummaryFile = "summary.json"

// Settings of a run.
type Settings struct {
	Pipeline *Pipeline
	Inputs   map[string][]string // files by the names of the pipeline
	Out      string
	Limit    int // rows that are read; 0: all
	// Embedders is the folder of tables of vectors, see embed.Sync.
	Embedders string
	Asking    Asking
	Sites     Sites // nil: nothing can be scored
	Say       func(format string, args ...any)
}

// A Summary is what a run did, as summary.json has it.
type Summary struct {
	Pipeline *Pipeline `json:"pipeline"`
	Limit    int       `json:"limit,omitempty"`
	// Models are those that had the roles of the pipeline, provider/model.
	Models  map[string]string `json:"models,omitempty"`
	Sources []Source          `json:"sources,omitempty"`
	Steps   []StepResult      `json:"steps"`
	Results []File            `json:"results"`
}

// A StepResult is one step of a run.
type StepResult struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Key  string `json:"key"`
	Counts
	Files []File `json:"files"`
}

// A File is one file of rows.
type File struct {
	Name   string `json:"name"`
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// Run runs a pipeline into a folder. Steps that are there already, by the same settings
// on the same rows, are not run again. The same inputs give the same bytes.
func Run(ctx context.Context, s Settings) (*Summary, error) {
	for name, what := range s.Pipeline.Inputs {
		if len(s.Inputs[name]) == 0 {
			return nil, refuse(fmt.Sprintf("the pipeline needs %s: %s", name, what), "give it with "+flagOf(name))
		}
	}
	for name := range s.Inputs {
		if _, ok := s.Pipeline.Inputs[name]; !ok {
			return nil, refuse(fmt.Sprintf("the pipeline has no input %q", name), "vitrine data ls tells what each takes")
		}
	}
	if err := s.Asking.check(s.Pipeline); err != nil {
		return nil, err
	}
	sources, err := s.sources()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(s.Out, "steps"), 0o755); err != nil {
		return nil, disk.Fault(err)
	}
	release, err := hold(s.Out)
	if err != nil {
		return nil, err
	}
	defer release()
	sum := &Summary{Pipeline: s.Pipeline, Limit: s.Limit, Models: s.Asking.names(), Sources: sources}
	if _, ok := s.Pipeline.Inputs["in"]; ok {
		if err := s.source(ctx, sum); err != nil {
			return nil, err
		}
	}
	for i := range s.Pipeline.Steps {
		if err := s.step(ctx, &s.Pipeline.Steps[i], sum); err != nil {
			return nil, err
		}
	}
	return sum, s.finish(sum)
}

// flagOf is how a user gives an input.
func flagOf(name string) string {
	if name == "in" {
		return "--in FILE"
	}
	return "--with " + name + "=FILE"
}

// source reads what the user gave, every time: it is named by its rows.
func (s *Settings) source(ctx context.Context, sum *Summary) error {
	tmp := filepath.Join(s.Out, "steps", "in.part")
	if err := fresh(tmp); err != nil {
		return err
	}
	w := &work{ctx: ctx, dir: tmp, say: s.Say}
	files, err := table.Create(filepath.Join(tmp, keptFile))
	if err != nil {
		return err
	}
	defer files.Discard()
	enough := errors.New("enough")
	err = w.each(s.Inputs["in"], func(r inputs.Record) error {
		if s.Limit > 0 && w.Kept == s.Limit {
			return enough
		}
		w.Read, w.Kept = w.Read+1, w.Kept+1
		return files.Writers[0].Line(r.Row)
	})
	if err != nil && err != enough {
		return err
	}
	if w.Kept == 0 {
		return refuse("no row of the input can be used", "give rows that are JSON objects")
	}
	if err := files.Commit(); err != nil {
		return err
	}
	key, _, err := hashFile(filepath.Join(tmp, keptFile))
	if err != nil {
		return err
	}
	return s.done(sum, "in", "source", key[:16], tmp, w.Counts)
}

// step runs one step, or finds it done.
func (s *Settings) step(ctx context.Context, step *Step, sum *Summary) error {
	name, k, err := step.kind()
	if err != nil {
		return err
	}
	w := &work{ctx: ctx, inputs: s.Inputs, say: s.Say, embedders: s.Embedders, asking: s.Asking, sites: s.Sites, out: s.Out}
	parts := []any{version, step}
	if _, is := k.(maker); is && s.Limit > 0 {
		w.limit, parts = s.Limit, append(parts, s.Limit)
	}
	if a, is := k.(asker); is {
		for _, role := range a.asks() {
			parts = append(parts, s.Asking.Models[role].Name)
		}
	}
	for _, from := range step.From {
		i := slices.IndexFunc(sum.Steps, func(r StepResult) bool { return r.Name == from })
		for _, f := range sum.Steps[i].Files {
			if f.Name == keptFile {
				w.in = append(w.in, filepath.Join(s.Out, "steps", from+"-"+sum.Steps[i].Key, f.Name))
				w.rows += f.Rows
				parts = append(parts, f.SHA256)
			}
		}
	}
	named, err := s.named(ctx, k)
	if err != nil {
		return err
	}
	key := digest.Of(append(parts, named))[:16]
	var before StepResult
	dir := filepath.Join(s.Out, "steps", step.Name+"-"+key)
	if err := disk.ReadJSON(filepath.Join(dir, stepFile), &before); err == nil {
		sum.Steps = append(sum.Steps, before)
		return nil
	}
	w.dir, w.runs = filepath.Join(s.Out, "steps", step.Name+".part"), filepath.Join(s.Out, "runs", step.Name+"-"+key)
	if err := fresh(w.dir); err != nil {
		return err
	}
	s.Say("%s …", step.Name)
	took := &tally{Asker: s.Asking.Asker}
	w.asking.Asker = took
	if err := k.run(w); err != nil {
		return err
	}
	took.figures(&w.Counts)
	return s.done(sum, step.Name, name, key, w.dir, w.Counts)
}

// named are the hashes of what a step reads besides its rows, and of all by which it scores.
func (s *Settings) named(ctx context.Context, k kind) ([]string, error) {
	var names []string
	switch k := k.(type) {
	case *Decontaminate:
		names = k.Against
	case *Rewards:
		names = []string{k.File}
	case *Score:
		if s.Sites == nil {
			return nil, refuse("outputs cannot be scored here", "leave out the step score")
		}
		by, err := s.Sites.By(ctx, k.scoring(&s.Asking))
		return []string{by}, err
	case *Cluster:
		if k.Embed != "" {
			return nil, nil // the model is named as those of all steps are
		}
		t, err := k.open(s.Inputs, s.Embedders)
		if err != nil {
			return nil, err
		}
		return []string{t.Hash}, nil
	}
	var all []string
	for _, name := range names {
		for _, file := range s.Inputs[name] {
			sum, err := hashInput(file)
			if err != nil {
				return nil, refuse("cannot read "+file, "name a file, folder or archive of rows")
			}
			all = append(all, filepath.Base(file), sum)
		}
	}
	return all, nil
}

// done gives a finished step its name.
func (s *Settings) done(sum *Summary, name, kind, key, tmp string, c Counts) error {
	r := StepResult{Name: name, Kind: kind, Key: key, Counts: c}
	files, err := filepath.Glob(filepath.Join(tmp, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, f := range files {
		hash, rows, err := hashFile(f)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, File{filepath.Base(f), rows, hash})
	}
	if err := disk.WriteJSON(filepath.Join(tmp, stepFile), r); err != nil {
		return disk.Fault(err)
	}
	dir := filepath.Join(s.Out, "steps", name+"-"+key)
	if err := errors.Join(os.RemoveAll(dir), os.Rename(tmp, dir)); err != nil {
		return disk.Fault(err)
	}
	sum.Steps = append(sum.Steps, r)
	return nil
}

// finish puts the files of the last step in the folder, and the summary last. Results of
// steps that the pipeline no longer has stay, for the next change.
func (s *Settings) finish(sum *Summary) error {
	last := sum.Steps[len(sum.Steps)-1]
	for _, f := range last.Files {
		if f.Name == droppedFile || f.Name == reviewFile || f.Name == UnsureFile {
			continue
		}
		from, to := filepath.Join(s.Out, "steps", last.Name+"-"+last.Key, f.Name), filepath.Join(s.Out, f.Name)
		if err := copyFile(from, to); err != nil {
			return disk.Fault(err)
		}
		sum.Results = append(sum.Results, f)
	}
	return disk.Fault(disk.WriteJSON(filepath.Join(s.Out, SummaryFile), sum))
}

// StepFolder is where the files of a step lie in the folder of its run; empty where there
// is no such step.
func (s *Summary) StepFolder(dir, step string) string {
	for _, r := range s.Steps {
		if r.Name == step {
			return filepath.Join(dir, "steps", r.Name+"-"+r.Key)
		}
	}
	return ""
}

// Open reads what a run folder says of itself.
func Open(dir string) (*Summary, error) {
	b, err := os.ReadFile(filepath.Join(dir, SummaryFile))
	if err != nil {
		return nil, NotFinished(dir)
	}
	sum := &Summary{}
	if err := json.Unmarshal(b, sum); err != nil || len(sum.Steps) == 0 {
		return nil, refuse(filepath.Join(dir, SummaryFile)+" cannot be read", "run the pipeline again with --out "+strings.TrimSuffix(dir, "/"))
	}
	if !sum.whole() {
		return nil, refuse(filepath.Join(dir, SummaryFile)+" is not as vitrine data run writes it", "name a folder that vitrine data run wrote")
	}
	return sum, nil
}

// whole reports whether a summary, which may be a stranger's, names files of its own folder
// alone and has what its readers need.
func (s *Summary) whole() bool {
	plain := func(name string) bool {
		return filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) && name != "."
	}
	strange := func(f File) bool { return !plain(f.Name) }
	for _, r := range s.Steps {
		if !plain(r.Name+"-"+r.Key) || slices.ContainsFunc(r.Files, strange) || r.Kind == "source" && len(r.Files) == 0 {
			return false
		}
	}
	return s.Pipeline != nil && !slices.ContainsFunc(s.Results, strange)
}
