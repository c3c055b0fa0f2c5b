package bench

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/inputs"
)

// Answers are the outputs that answer tasks of a benchmark.
type Answers struct {
	Outputs []vitrine.Output
	Models  []string // of the outputs, sorted
	// Others are ids of outputs that answer no task of these, and Unusable says why rows
	// are no outputs. They are in no figure.
	Others, Unusable []string
}

// Match reads outputs and finds the task of each: by task_id, else by the id of the row,
// else by the instruction. Of a run over a part of the tasks, outputs for the rest are
// left out without a word. The fault is one of usage, where no output answers any task.
func Match(in *inputs.Input, tasks, all []vitrine.Task) (Answers, error) {
	by, rest := index(tasks), index(all)
	var a Answers
	samples := map[[2]string]int{}
	for item, err := range in.Items() {
		var bad *inputs.RowError
		switch {
		case errors.As(err, &bad):
			a.Unusable = append(a.Unusable, bad.Error())
			continue
		case err != nil:
			return a, vitrine.NewFault("input", vitrine.FaultUsage, err, "the outputs cannot be read")
		case item.Artifact != nil:
			a.Unusable = append(a.Unusable, item.ID+": files without the text of the answer")
			continue
		}
		o := item.Output
		id, known := by.of(o)
		if !known && by.ambiguous(o) {
			a.Unusable = append(a.Unusable, o.ID+": several tasks have its instruction, and it has no task_id")
			continue
		}
		if !known {
			if _, left := rest.of(o); !left {
				a.Others = append(a.Others, o.ID)
			}
			continue
		}
		o.TaskID = id
		o.Model = orUnknown(o.Model)
		key := [2]string{o.Model, id}
		o.Meta = withSample(o.Meta, askedAs(o, samples[key]))
		samples[key]++
		a.Outputs = append(a.Outputs, o)
		if !slices.Contains(a.Models, o.Model) {
			a.Models = append(a.Models, o.Model)
		}
	}
	slices.Sort(a.Models)
	if len(a.Outputs) == 0 {
		return a, usage(fmt.Sprintf("no output answers a task of this benchmark: %d are for others%s, %d rows are no outputs", len(a.Others), few(a.Others), len(a.Unusable)),
			"name outputs whose task_id is the id of a task; --map task_id=COLUMN says where it is")
	}
	return a, nil
}

// orUnknown is the name of a model, which an output may lack.
func orUnknown(model string) string {
	if model == "" {
		return "unknown"
	}
	return model
}

// SampleField is the field of meta that says which answer to its task an output is, from 0,
// and where outputs say of which run over all tasks they are, that run.
const SampleField = "bench_sample"

// askedAs is which run, else which answer to its task, an output says that it is of, since a
// file may have them in the order in which they came; or the next one.
func askedAs(o vitrine.Output, next int) int {
	var asked struct {
		Run    *int `json:"run"`
		Sample *int `json:"sample"`
	}
	if json.Unmarshal(o.Meta["asked"], &asked) != nil {
		return next
	}
	return *cmp.Or(asked.Run, asked.Sample, &next)
}

func withSample(meta map[string]json.RawMessage, n int) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for k, v := range meta {
		all[k] = v
	}
	all[SampleField] = json.RawMessage(fmt.Sprint(n))
	return all
}

// finder finds tasks by what an output says of them.
type finder struct{ ids, instructions map[string]string }

// several is in the place of the id of a task where tasks share their instruction.
const several = "\x00"

func index(tasks []vitrine.Task) finder {
	f := finder{map[string]string{}, map[string]string{}}
	for _, t := range tasks {
		f.ids[t.ID] = t.ID
		text := strings.TrimSpace(t.Instruction)
		if _, twice := f.instructions[text]; twice {
			f.instructions[text] = several
			continue
		}
		f.instructions[text] = t.ID
	}
	return f
}

func (f finder) of(o vitrine.Output) (string, bool) {
	if o.TaskID != "" {
		id, known := f.ids[o.TaskID]
		return id, known
	}
	if id, known := f.ids[o.ID]; known {
		return id, true
	}
	id, known := f.instructions[strings.TrimSpace(o.Instruction)]
	return id, known && id != several
}

// ambiguous reports whether an output says no more of its task than others have.
func (f finder) ambiguous(o vitrine.Output) bool {
	return o.TaskID == "" && f.instructions[strings.TrimSpace(o.Instruction)] == several
}

// few names the first of a list.
func few(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	text := strings.Join(ids[:min(3, len(ids))], ", ")
	if len(ids) > 3 {
		text += ", …"
	}
	return " (" + text + ")"
}

// Lacking are the tasks that a model did not answer, by model, in the order of the tasks.
func (a Answers) Lacking(tasks []vitrine.Task) map[string][]string {
	has := map[[2]string]bool{}
	for _, o := range a.Outputs {
		has[[2]string{o.Model, o.TaskID}] = true
	}
	lacking := map[string][]string{}
	for _, m := range a.Models {
		for _, t := range tasks {
			if !has[[2]string{m, t.ID}] {
				lacking[m] = append(lacking[m], t.ID)
			}
		}
	}
	return lacking
}

// Remarks say what of the outputs is in no figure, a line each.
func (a Answers) Remarks(tasks []vitrine.Task) (lines []string) {
	if n := len(a.Others); n > 0 {
		lines = append(lines, fmt.Sprintf("%d outputs are for other tasks%s and are left out", n, few(a.Others)))
	}
	for _, m := range a.Models {
		if ids := a.Lacking(tasks)[m]; len(ids) > 0 {
			lines = append(lines, fmt.Sprintf("%s has no output for %d of %d tasks%s: figures are of the others, and the table says how many are missing", m, len(ids), len(tasks), few(ids)))
		}
	}
	for _, u := range a.Unusable[:min(5, len(a.Unusable))] {
		lines = append(lines, "left out: "+u)
	}
	if n := len(a.Unusable); n > 5 {
		lines = append(lines, fmt.Sprintf("and %d more rows that are no outputs", n-5))
	}
	return lines
}

// Select are the tasks of some categories, then the first of them. Zero values ask for all.
func Select(b Benchmark, tasks []vitrine.Task, categories []string, limit int) ([]vitrine.Task, error) {
	if len(categories) > 0 {
		var known []string
		tasks = slices.DeleteFunc(slices.Clone(tasks), func(t vitrine.Task) bool {
			in := false
			for _, group := range b.Groups(t) {
				for _, g := range group {
					known = append(known, g)
					in = in || slices.ContainsFunc(categories, func(c string) bool { return strings.EqualFold(c, g) })
				}
			}
			return !in
		})
		slices.Sort(known)
		if len(tasks) == 0 {
			return nil, usage(fmt.Sprintf("--category: no task is in %s", strings.Join(categories, ", ")), "use one of "+strings.Join(slices.Compact(known), ", "))
		}
	}
	if limit > 0 {
		tasks = tasks[:min(limit, len(tasks))]
	}
	return tasks, nil
}
