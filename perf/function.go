package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/stats"
)

// functionSettings are what function measures.
type functionSettings struct {
	program, from, recipe, seed string
	verbose                     bool
}

func functionCommand() *cobra.Command {
	var s functionSettings
	cmd := command("function --from DIR", "Say whether rewards follow what works on the pages of a folder, within each task", s.run)
	flags := cmd.Flags()
	flags.StringVar(&s.program, "vitrine", "bin/vitrine", "program that scores")
	flags.StringVar(&s.from, "from", "testdata/honest", "folder with tasks.jsonl, pages/TASK-NAME.html and truth.jsonl (page, works from 0 to 1)")
	flags.StringVar(&s.recipe, "recipe", "quality", "recipe")
	flags.StringVar(&s.seed, "seed", "measurement", "seed of what is typed in")
	flags.BoolVar(&s.verbose, "verbose", false, "print each page")
	return cmd
}

// A followed page has the share of it that works beside its reward.
type followed struct {
	page          string
	works, reward float64
}

// apart is the difference of what works from which on two pages should be told apart, less
// what a decimal may be off by.
const apart = 0.15 - 1e-9

func (s *functionSettings) run(ctx context.Context, w io.Writer) error {
	works, err := readTruth(filepath.Join(s.from, "truth.jsonl"))
	if err != nil {
		return err
	}
	rewards, err := s.score(ctx, slices.Sorted(maps.Keys(works)))
	if err != nil {
		return err
	}
	byTask, unjudged := map[string][]followed{}, 0
	for _, page := range slices.Sorted(maps.Keys(works)) {
		r := rewards[page]
		if r == nil {
			unjudged++
			continue
		}
		task := taskOf(page)
		byTask[task] = append(byTask[task], followed{page, works[page], *r})
	}
	s.print(w, byTask)
	if unjudged > 0 {
		fmt.Fprintf(w, "%d pages without a reward\n", unjudged)
	}
	return nil
}

// taskOf is the task of a page named TASK-NAME.
func taskOf(page string) string { return page[:max(strings.LastIndex(page, "-"), 0)] }

func readTruth(name string) (map[string]float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	works := map[string]float64{}
	for dec := json.NewDecoder(f); ; {
		var line struct {
			Page  string
			Works float64
		}
		if err := dec.Decode(&line); errors.Is(err, io.EOF) {
			return works, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		works[line.Page] = line.Works
	}
}

// score gives the pages their rewards.
func (s *functionSettings) score(ctx context.Context, pages []string) (map[string]*float64, error) {
	dir, err := os.MkdirTemp("", "perf-function-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var outputs []vitrine.Output
	for _, page := range pages {
		html, err := os.ReadFile(filepath.Join(s.from, "pages", page+".html"))
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, vitrine.Output{ID: page, TaskID: taskOf(page), Text: "```html\n" + string(html) + "\n```"})
	}
	input, run := filepath.Join(dir, "outputs.jsonl"), filepath.Join(dir, "run")
	if err := writeOutputs(input, outputs); err != nil {
		return nil, err
	}
	text, err := exec.CommandContext(ctx, s.program, "score", input, "--tasks", filepath.Join(s.from, "tasks.jsonl"), "--recipe", s.recipe,
		"--behave-seed", s.seed, "--out", run, "--no-report", "--max-errors", "100%").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.program, err, text)
	}
	return readRewards(filepath.Join(run, "samples.jsonl"))
}

func (s *functionSettings) print(w io.Writer, byTask map[string][]followed) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "task\tpages\tPearson\tSpearman\tdeviation")
	var correlations, deviations []float64
	right, pairs := 0, 0
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		all := byTask[task]
		slices.SortStableFunc(all, func(a, b followed) int { return cmp.Compare(b.works, a.works) })
		var works, rewards []float64
		for i, a := range all {
			works, rewards = append(works, a.works), append(rewards, a.reward)
			for _, b := range all[i+1:] {
				if a.works-b.works >= apart {
					pairs++
					if a.reward > b.reward {
						right++
					}
				}
			}
		}
		r, d := stats.Pearson(works, rewards), deviation(rewards)
		if math.IsNaN(r) && deviation(works) > 0 {
			r = 0 // rewards that are all equal follow nothing
		}
		if !math.IsNaN(r) {
			correlations = append(correlations, r)
		}
		deviations = append(deviations, d)
		fmt.Fprintf(table, "%s\t%d\t%.2f\t%.2f\t%.2f\n", task, len(all), r, stats.Spearman(works, rewards), d)
		if s.verbose {
			for _, a := range all {
				fmt.Fprintf(table, "  %s\tworks %.2f\treward %.3f\t\t\n", a.page, a.works, a.reward)
			}
		}
	}
	_ = table.Flush() // to where the command prints
	fmt.Fprintf(w, "%s: mean correlation within a task %.3f, deviation %.3f; %d of %d pairs that differ by %g or more in the right order (%.2f)\n",
		s.recipe, mean(correlations), mean(deviations), right, pairs, 0.15, float64(right)/float64(max(pairs, 1)))
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(max(len(x), 1))
}

// deviation is the standard deviation of all values there are.
func deviation(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}
