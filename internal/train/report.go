package train

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"vitrine/internal/disk"
	"vitrine/internal/evidence"
	"vitrine/internal/runs"
)

//go:embed report.html
var reportFile embed.FS

var reportPage = template.Must(template.New("report.html").Funcs(template.FuncMap{"share": func(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *v)
}}).ParseFS(reportFile, "report.html"))

// picturesDir is the run folder of vitrine score, in that of a training, that has pictures
// of its samples.
const picturesDir = "pictures"

// A sample is one that the monitor kept, with a picture where there is one.
type sample struct {
	ID          string              `json:"id"`
	Stage       string              `json:"stage"`
	Step        int                 `json:"step"`
	Archetype   string              `json:"archetype"`
	Instruction string              `json:"instruction"`
	Output      string              `json:"output"`
	Reward      *float64            `json:"reward"`
	Outcome     string              `json:"outcome"`
	Parts       map[string]*float64 `json:"parts"`
	Error       string              `json:"error"`
	Picture     string              `json:"-"` // relative to the run folder; empty if none
}

// A curve is one figure over the steps of a stage.
type curve struct {
	Stage, Name string
	Low, High   float64
	First, Last float64
	Steps       int
	Points      string // of a polyline in a box of 300 × 80
}

// WriteReport writes report.html into a run folder: one page without scripts that opens from
// disk. Samples of a step that was done again after an interruption are shown as they were
// done last.
func WriteReport(dir string) error {
	report, err := Show(dir)
	if err != nil {
		return err
	}
	samples, err := lines[sample](filepath.Join(dir, "samples.jsonl"))
	if err != nil {
		return err
	}
	pictures, err := picturesOf(dir)
	if err != nil {
		return err
	}
	at := map[string]int{}
	kept := samples[:0]
	for _, s := range samples {
		s.Picture = pictures[s.ID]
		if i, again := at[s.ID]; again {
			kept[i] = s
			continue
		}
		at[s.ID] = len(kept)
		kept = append(kept, s)
	}
	var page strings.Builder
	err = reportPage.Execute(&page, struct {
		*Report
		Dir     string
		Curves  []curve
		Samples []sample
	}{report, filepath.Base(dir), curves(report.Steps), kept})
	if err != nil {
		return err
	}
	return disk.Classify(disk.WriteFile(filepath.Join(dir, "report.html"), []byte(page.String()), 0o666))
}

// picturesOf are the first frames of samples that were scored into the run folder, by id.
func picturesOf(dir string) (map[string]string, error) {
	in := filepath.Join(dir, picturesDir)
	_, samples, err := runs.Read(in)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	pictures := map[string]string{}
	for _, s := range runs.Newest(samples) {
		if s.Evidence == "" {
			continue
		}
		ev, err := evidence.Load(filepath.Join(in, s.Evidence))
		if err != nil || len(ev.Views) == 0 || len(ev.Views[0].Frames) == 0 {
			continue // nothing was seen of it, or it is gone: the sample stands without
		}
		pictures[s.ID] = filepath.ToSlash(filepath.Join(picturesDir, s.Evidence, ev.Views[0].Frames[0].File))
	}
	return pictures, nil
}

// drawn are the figures that a report has curves of, where a stage has them.
var drawn = []string{
	"loss", "accuracy", "reward", "reward_recipe", "reward_std", "part_function", "part_content", "part_looks", "rendered", "unique", "unjudged", "flat_groups", "reflections", "acceptance", "accepted_turns", "score_gain", "tokens", "cut_off",
	"entropy", "kl", "grad_norm", "seconds", "seconds_generation", "seconds_reward",
}

func curves(steps []map[string]any) (all []curve) {
	var stages []string
	by := map[string][]map[string]any{}
	for _, row := range steps {
		stage := fmt.Sprint(row["stage"])
		if by[stage] == nil {
			stages = append(stages, stage)
		}
		by[stage] = append(by[stage], row)
	}
	for _, stage := range stages {
		for _, name := range drawn {
			var x, y []float64
			for _, row := range by[stage] {
				step, counted := row["step"].(float64)
				if v, ok := row[name].(float64); ok && counted {
					x, y = append(x, step), append(y, v)
				}
			}
			if len(y) > 0 {
				all = append(all, draw(stage, name, x, y))
			}
		}
	}
	return all
}

// draw makes a line of values y at steps x. One that does not change is drawn in the middle.
func draw(stage, name string, x, y []float64) curve {
	c := curve{Stage: stage, Name: name, Low: math.Inf(1), High: math.Inf(-1), First: y[0], Last: y[len(y)-1], Steps: len(y)}
	first, last := math.Inf(1), math.Inf(-1)
	for i := range y {
		c.Low, c.High = min(c.Low, y[i]), max(c.High, y[i])
		first, last = min(first, x[i]), max(last, x[i])
	}
	var points strings.Builder
	for i := range y {
		fmt.Fprintf(&points, "%.1f,%.1f ", 300*within(x[i], first, last), 80-80*within(y[i], c.Low, c.High))
	}
	c.Points = points.String()
	return c
}

// within is where v lies between low and high, 0 to 1.
func within(v, low, high float64) float64 {
	if high <= low {
		return 0.5
	}
	return (v - low) / (high - low)
}
