package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"vitrine/internal/disk"
	"vitrine/internal/stats"
)

// A Report is what a run folder says of its training so far.
type Report struct {
	Recipe *Recipe          `json:"recipe"`
	Steps  []map[string]any `json:"steps"`  // curves.jsonl, the last line of a step that was done twice
	Alarms []Progress       `json:"alarms"` // of the monitor
	Tests  []Test           `json:"tests"`  // evaluate stages, in their order
	Gain   []Gain           `json:"gain"`   // of the last evaluate stage over the first
}

// A Test is what a model's outputs for held-out tasks got. Intervals draw tasks, not outputs.
type Test struct {
	Stage    string          `json:"stage"`
	N        int             `json:"n"`        // outputs
	Unjudged int             `json:"unjudged"` // of them; left out below
	Reward   *stats.Estimate `json:"reward"`
	Function *stats.Estimate `json:"function"` // nil where the reward has no such part
	Rendered *stats.Estimate `json:"rendered"` // share
}

// A Gain is the mean difference of the same tasks between two stages.
type Gain struct {
	What  string          `json:"what"`  // reward, function or rendered
	Of    string          `json:"of"`    // all, trained or new: whether the archetype was trained on
	Tasks int             `json:"tasks"` // that both stages have judged outputs for
	Mean  *stats.Estimate `json:"mean"`
}

type output struct {
	TaskID    string              `json:"task_id"`
	Archetype string              `json:"archetype"`
	Reward    *float64            `json:"reward"`
	Outcome   string              `json:"outcome"`
	Parts     map[string]*float64 `json:"parts"`
}

// Show reads a run folder.
func Show(dir string) (*Report, error) {
	kept, err := read(dir)
	if err != nil {
		return nil, err
	}
	r := kept.Recipe
	report := &Report{Recipe: r, Steps: []map[string]any{}, Tests: []Test{}, Gain: []Gain{}}
	if report.Steps, err = steps(dir); err != nil {
		return nil, err
	}
	if report.Alarms, err = lines[Progress](filepath.Join(dir, "alarms.jsonl")); err != nil {
		return nil, err
	}
	var archetypes []string
	if err := disk.ReadJSON(filepath.Join(dir, "trained.json"), &archetypes); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, disk.Classify(err)
	}
	trained := map[string]bool{}
	for _, a := range archetypes {
		trained[a] = true
	}
	var first, last []output
	for _, stage := range r.Stages {
		if stage.Method != "evaluate" {
			continue
		}
		outputs, err := lines[output](filepath.Join(dir, stage.Name+".jsonl"))
		if err != nil {
			return nil, err
		}
		if len(outputs) == 0 {
			continue // not come to
		}
		report.Tests = append(report.Tests, test(stage.Name, outputs))
		if first == nil {
			first = outputs
		} else {
			last = outputs
		}
	}
	if last != nil {
		report.Gain = gains(first, last, trained)
	}
	return report, nil
}

// steps are the lines of curves.jsonl. A step that was done again after an interruption
// counts once, as it was done last.
func steps(dir string) ([]map[string]any, error) {
	all, err := lines[map[string]any](filepath.Join(dir, "curves.jsonl"))
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	kept := []map[string]any{}
	for _, row := range all {
		k := fmt.Sprint(row["stage"], " ", row["step"])
		if i, again := at[k]; again {
			kept[i] = row
			continue
		}
		at[k] = len(kept)
		kept = append(kept, row)
	}
	return kept, nil
}

// lines reads a JSONL file; one that is not there is empty, a last line that was cut off by
// a kill is left out.
func lines[T any](file string) ([]T, error) {
	all := []T{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, disk.Classify(err)
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var v T
		if json.Unmarshal(scanner.Bytes(), &v) == nil {
			all = append(all, v)
		}
	}
	return all, scanner.Err()
}

// measures are what is compared of outputs; NaN where an output has no such value.
var measures = []struct {
	name  string
	value func(output) float64
}{
	{"reward", func(o output) float64 { return number(o.Reward) }},
	{"function", func(o output) float64 { return number(o.Parts["function"]) }},
	{"rendered", func(o output) float64 {
		if o.Reward == nil {
			return math.NaN()
		}
		if o.Outcome == "rendered" {
			return 1
		}
		return 0
	}},
}

func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// means are the means of outputs by task, without those that have no value.
func means(outputs []output, value func(output) float64) map[string]float64 {
	sum, n := map[string]float64{}, map[string]float64{}
	for _, o := range outputs {
		if v := value(o); !math.IsNaN(v) {
			sum[o.TaskID] += v
			n[o.TaskID]++
		}
	}
	for id := range sum {
		sum[id] /= n[id]
	}
	return sum
}

func test(stage string, outputs []output) Test {
	t := Test{Stage: stage, N: len(outputs)}
	for _, o := range outputs {
		if o.Reward == nil {
			t.Unjudged++
		}
	}
	for i, to := range []**stats.Estimate{&t.Reward, &t.Function, &t.Rendered} {
		by := means(outputs, measures[i].value)
		var values []float64
		for _, id := range slices.Sorted(maps.Keys(by)) {
			values = append(values, by[id])
		}
		*to = mean(values)
	}
	return t
}

func gains(first, last []output, trained map[string]bool) (all []Gain) {
	archetype := map[string]string{}
	for _, o := range first {
		archetype[o.TaskID] = o.Archetype
	}
	for _, m := range measures {
		before, after := means(first, m.value), means(last, m.value)
		for _, of := range []string{"all", "trained", "new"} {
			var differences []float64
			for _, id := range slices.Sorted(maps.Keys(before)) {
				v, both := after[id]
				if both && (of == "all" || trained[archetype[id]] == (of == "trained")) {
					differences = append(differences, v-before[id])
				}
			}
			all = append(all, Gain{m.name, of, len(differences), mean(differences)})
		}
	}
	return all
}

// mean is nil of fewer than two values, which say nothing of how far they spread.
func mean(values []float64) *stats.Estimate {
	if len(values) < 2 {
		return nil
	}
	return stats.Resample(len(values), func(drawn []int) float64 {
		sum := 0.0
		for _, k := range drawn {
			sum += values[k]
		}
		return sum / float64(len(drawn))
	}, 1)
}
