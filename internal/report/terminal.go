package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"vitrine"
	"vitrine/internal/tracetext"
)

// Outcome says in a line what became of an output.
func Outcome(s vitrine.Sample) string {
	line := strings.ReplaceAll(string(s.Outcome), "_", " ")
	if s.Why != "" {
		line += ": " + s.Why
	}
	return line
}

// Judgement writes what a judge says, worst first.
func Judgement(w io.Writer, j *vitrine.Judgement) {
	findings := slices.Clone(j.Findings)
	slices.SortStableFunc(findings, func(a, b vitrine.Finding) int {
		return cmp.Compare(scoreOrLast(a), scoreOrLast(b))
	})
	for _, f := range findings {
		if f.Status == vitrine.StatusScored {
			fmt.Fprintf(w, "  %4.2f  %-20s %s\n", *f.Score, f.Check, f.Why)
		}
	}
	var scores []string
	known := []string{"appearance", "alignment", "aesthetics", "structure", "total"}
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(j.Scores)), func(name string) bool { return slices.Contains(known, name) })
	for _, name := range append(known, others...) {
		if v, ok := j.Scores[name]; ok {
			digits := 1
			if name == "content" { // a factor from 0 to 1
				digits = 2
			}
			scores = append(scores, fmt.Sprintf("%s %.*f", name, digits, v))
		}
	}
	if len(scores) > 0 {
		fmt.Fprintf(w, "  %s\n", strings.Join(scores, "  "))
	}
}

func scoreOrLast(f vitrine.Finding) float64 {
	if f.Score == nil {
		return math.Inf(1)
	}
	return *f.Score
}

// Trace writes what was tried of a site, with what came of it.
func Trace(w io.Writer, t *vitrine.Trace) {
	if t.Validity.Why != "" {
		fmt.Fprintf(w, "%s\n", t.Validity.Why)
	}
	for _, tried := range t.Cases {
		fmt.Fprintf(w, "  %-8s %s: %s\n", tried.Verdict, tried.Task, tried.Why)
	}
	if text := tracetext.Score(t); text != "" {
		fmt.Fprintf(w, "%s\n", text)
	}
	if share, unjudged, ok := t.FSR(); ok && t.By != vitrine.ByExplore {
		fmt.Fprintf(w, "FSR %.1f %% of %d test cases; %d could not be judged\n", 100*share, len(t.Cases)-unjudged, unjudged)
	}
}

// A ViewSummary is a view as machines read it, with the paths of its frames.
type ViewSummary struct {
	Route    string           `json:"route"`
	Viewport string           `json:"viewport"`
	Validity vitrine.Validity `json:"validity"`
	Title    string           `json:"title"`
	Frames   []string         `json:"frames"`
}

// Views summarizes the views of an evidence folder.
func Views(ev *vitrine.Evidence, dir string) []ViewSummary {
	out := []ViewSummary{}
	for _, v := range ev.Views {
		s := ViewSummary{v.Route, v.Viewport.Name, v.Validity, v.Title, []string{}}
		for _, f := range v.Frames {
			s.Frames = append(s.Frames, filepath.Join(dir, f.File))
		}
		out = append(out, s)
	}
	return out
}
