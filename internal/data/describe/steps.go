package describe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitrine/internal/data/dedup"
	"vitrine/internal/data/flow"
	"vitrine/internal/disk"
	"vitrine/internal/inputs"
)

// A Step is one step of a run.
type Step struct {
	Name    string             `json:"name"`
	Kind    string             `json:"kind"`
	Read    int                `json:"read"`
	Kept    int                `json:"kept"`
	Dropped int                `json:"dropped"`
	Review  int                `json:"review"` // of those kept, for a person
	Figures map[string]float64 `json:"figures,omitempty"`
	Reasons []Reason           `json:"reasons"` // the most frequent first
	// Similarity is how alike near duplicates and what is for review are to what they are
	// duplicates of; null where the step compares nothing.
	Similarity *Distribution `json:"similarity"`
}

// A Reason is why rows were dropped, or are for review.
type Reason struct {
	Reason   string    `json:"reason"`
	Rows     int       `json:"rows"`
	Review   bool      `json:"review,omitempty"` // the rows stay, and a person is to look
	Examples []Example `json:"examples"`
}

// An Example is one row that was dropped. A text is empty where the row is not at hand,
// such as the task of a benchmark.
type Example struct {
	Dropped
	Text   string `json:"text"`
	OfText string `json:"of_text,omitempty"`
}

// Dropped is a line of dropped.jsonl and review.jsonl, as all steps write them.
type Dropped struct {
	ID          string   `json:"id"`
	Reason      string   `json:"reason"`
	DuplicateOf string   `json:"duplicate_of,omitempty"`
	By          string   `json:"represented_by,omitempty"`
	Benchmark   string   `json:"benchmark,omitempty"`
	Similarity  *float64 `json:"similarity,omitempty"`
}

// Of is the row that the dropped one is held against.
func (d Dropped) Of() string { return cmp.Or(d.DuplicateOf, d.By) }

// costs are the figures of steps that say what models took.
var costs = []string{"calls", "tokens_in", "tokens_out"}

// ofRun describes the steps of a run.
func (s *Settings) ofRun(ctx context.Context, d *Description, sum *flow.Summary) error {
	d.Pipeline, d.About, d.Limit = sum.Pipeline.Name, sum.Pipeline.About, sum.Limit
	for _, r := range sum.Steps {
		var from []string
		for _, p := range sum.Pipeline.Steps {
			for _, name := range p.From {
				if p.Name == r.Name && sum.StepFolder(s.Path, name) != "" {
					from = append(from, filepath.Join(sum.StepFolder(s.Path, name), dedup.KeptFile))
				}
			}
		}
		step := Step{Name: r.Name, Kind: r.Kind, Read: r.Read, Kept: r.Kept, Dropped: r.Dropped, Review: r.Review, Figures: r.Figures, Reasons: []Reason{}}
		if err := s.reasons(ctx, &step, r.Reasons, sum.StepFolder(s.Path, r.Name), from); err != nil {
			return err
		}
		d.Steps = append(d.Steps, step)
		for _, name := range costs {
			if v, ok := r.Figures[name]; ok {
				if d.Cost == nil {
					d.Cost = map[string]float64{}
				}
				d.Cost[name] += v
			}
		}
	}
	return nil
}

// ofDedup describes what vitrine data dedup or decontaminate wrote.
func (s *Settings) ofDedup(ctx context.Context) (Step, error) {
	step, reasons := Step{Name: "dedup", Kind: "dedup", Reasons: []Reason{}}, map[string]int{}
	for name, count := range map[string]func(Dropped){
		dedup.KeptFile: func(Dropped) { step.Kept++ },
		dedup.DroppedFile: func(v Dropped) {
			step.Dropped++
			reasons[v.Reason]++
			if v.Benchmark != "" {
				step.Name, step.Kind = "decontaminate", "decontaminate"
			}
		},
		dedup.ReviewFile: func(Dropped) { step.Review++ },
	} {
		if err := eachLine(filepath.Join(s.Path, name), func(v Dropped) error { count(v); return ctx.Err() }); err != nil {
			return step, err
		}
	}
	step.Read = step.Kept + step.Dropped
	return step, s.reasons(ctx, &step, reasons, s.Path, []string{filepath.Join(s.Path, dedup.KeptFile)})
}

// reasons gives a step its reasons, with examples of rows whose texts are in the files of
// from. What the lines of dropped.jsonl do not name has no example.
func (s *Settings) reasons(ctx context.Context, step *Step, counts map[string]int, dir string, from []string) error {
	all, similar := map[string]*Reason{}, []float64{}
	for reason, n := range counts {
		all[reason] = &Reason{Reason: reason, Rows: n, Examples: []Example{}}
	}
	take := func(review bool) func(Dropped) error {
		return func(v Dropped) error {
			if v.Similarity != nil {
				similar = append(similar, *v.Similarity)
			}
			key := v.Reason
			if review {
				key = "for review: " + key
			}
			r := all[key]
			if r == nil {
				r = &Reason{Reason: v.Reason, Review: review, Examples: []Example{}}
				all[key] = r
			}
			if review {
				r.Rows++
			}
			if len(r.Examples) < s.Examples {
				r.Examples = append(r.Examples, Example{Dropped: v})
			}
			return ctx.Err()
		}
	}
	if err := errors.Join(eachLine(filepath.Join(dir, dedup.DroppedFile), take(false)), eachLine(filepath.Join(dir, dedup.ReviewFile), take(true)), eachLine(filepath.Join(dir, flow.UnsureFile), take(true))); err != nil {
		return err
	}
	step.Similarity = distribution(similar)
	for _, r := range all {
		step.Reasons = append(step.Reasons, *r)
	}
	slices.SortFunc(step.Reasons, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Reason, b.Reason)) })
	return fill(ctx, step.Reasons, from)
}

// longestText is how many characters of a row's text an example has.
const longestText = 400

// fill gives examples the texts of their rows.
func fill(ctx context.Context, reasons []Reason, from []string) error {
	wanted := map[string]string{}
	for _, r := range reasons {
		for _, e := range r.Examples {
			wanted[e.ID], wanted[e.Of()] = "", ""
		}
	}
	if len(wanted) == 0 || len(from) == 0 {
		return nil
	}
	texts, err := textsOf(ctx, from, slices.Collect(maps.Keys(wanted)))
	for i := range reasons {
		for k := range reasons[i].Examples {
			e := &reasons[i].Examples[k]
			e.Text = texts[e.ID]
			if e.Benchmark == "" { // whose ids may be those of rows
				e.OfText = texts[e.Of()]
			}
		}
	}
	return err
}

// textsOf are the texts of rows by their ids: the instruction, else the output.
func textsOf(ctx context.Context, files, ids []string) (map[string]string, error) {
	texts := map[string]string{}
	for _, id := range ids {
		texts[id] = ""
	}
	records, err := inputs.OpenRecords(files, inputs.Settings{})
	if err != nil {
		return nil, err
	}
	defer records.Close()
	for r, err := range records.All() {
		var bad *inputs.RowError
		if errors.As(err, &bad) {
			continue
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		if _, ok := texts[r.ID]; ok {
			texts[r.ID] = short(cmp.Or(r.Instruction, r.Text))
		}
	}
	return texts, nil
}

// short is the beginning of a text on one line.
func short(text string) string {
	if r := []rune(text); len(r) > longestText {
		text = string(r[:longestText]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

// eachLine reads a file that a step wrote; none where there is no such file.
func eachLine(name string, take func(Dropped) error) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.Fault(err)
	}
	defer f.Close()
	for dec := json.NewDecoder(f); ; {
		var v Dropped
		switch err := dec.Decode(&v); {
		case err == io.EOF:
			return nil
		case err != nil:
			return damaged(name)
		}
		if err := take(v); err != nil {
			return err
		}
	}
}
