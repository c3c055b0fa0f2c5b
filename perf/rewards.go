package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
)

// rewardsSettings are what rewards compares.
type rewardsSettings struct {
	programs, inputs, recipes []string
	rounds, limit             int
	dir                       string
}

func rewardsCommand() *cobra.Command {
	var s rewardsSettings
	cmd := command("rewards --vitrine OLD --vitrine NEW --input FILE", "Score the same outputs by several programs in turns: equal rewards, and the time that they take", s.run)
	flags := cmd.Flags()
	flags.StringArrayVar(&s.programs, "vitrine", []string{"bin/vitrine"}, "program to compare, the first is the measure; again for each")
	flags.StringArrayVar(&s.inputs, "input", []string{demoInput}, "file of outputs, or demo; again for each")
	flags.StringSliceVar(&s.recipes, "recipe", []string{"quality"}, "recipes, comma-separated")
	flags.IntVar(&s.rounds, "rounds", 1, "how often each program scores each input, after a round that installs packages and does not count")
	flags.IntVar(&s.limit, "limit", 0, "outputs of each input, at most; 0 takes all")
	return cmd
}

// turns are what one program did under one recipe.
type turns struct {
	wall, processor []float64 // seconds
	rewards         map[string]*float64
}

func (s *rewardsSettings) run(ctx context.Context, w io.Writer) error {
	outputs, err := readOutputs(s.inputs, s.limit)
	if err != nil {
		return err
	}
	if s.dir, err = os.MkdirTemp("", "perf-rewards-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.dir)
	input := filepath.Join(s.dir, "outputs.jsonl")
	if err := writeOutputs(input, outputs); err != nil {
		return err
	}
	differ := 0
	for _, recipe := range s.recipes {
		by := make([]turns, len(s.programs))
		for round := range s.rounds + 1 {
			for i := range s.programs {
				i = (i + round) % len(s.programs) // each goes first in its turn
				if err := s.turn(ctx, &by[i], i, input, recipe, round > 0); err != nil {
					return err
				}
			}
		}
		differ += s.report(w, recipe, by)
	}
	if differ > 0 {
		return fmt.Errorf("%d rewards differ", differ)
	}
	return nil
}

func writeOutputs(name string, outputs []vitrine.Output) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	for i := range outputs {
		if err := enc.Encode(outputs[i]); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// turn lets one program score everything. Its packages stay in a cache of its own, and
// nothing else of earlier turns is used.
func (s *rewardsSettings) turn(ctx context.Context, t *turns, program int, input, recipe string, counts bool) error {
	out := filepath.Join(s.dir, "run")
	defer os.RemoveAll(out)
	cmd := exec.CommandContext(ctx, s.programs[program], "score", input, "--out", out, "--recipe", recipe, "--no-cache", "--no-report",
		"--max-errors", "100%", "--cache-dir", filepath.Join(s.dir, fmt.Sprintf("cache-%d", program)))
	stop, used := make(chan struct{}), make(chan float64)
	go func() { used <- watchProcessor(stop) }()
	start := time.Now()
	text, err := cmd.CombinedOutput()
	wall := time.Since(start).Seconds()
	close(stop)
	processor := <-used
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", s.programs[program], err, text)
	}
	say("%s: %s took %.1f s, %.1f s of processors", recipe, s.programs[program], wall, processor)
	if counts {
		t.wall, t.processor = append(t.wall, wall), append(t.processor, processor)
	}
	t.rewards, err = readRewards(filepath.Join(out, "samples.jsonl"))
	return err
}

func readRewards(name string) (map[string]*float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rewards := map[string]*float64{}
	for dec := json.NewDecoder(f); ; {
		var sample vitrine.Sample
		if err := dec.Decode(&sample); errors.Is(err, io.EOF) {
			return rewards, nil
		} else if err != nil {
			return nil, err
		}
		rewards[sample.ID] = sample.Reward
	}
}

// report writes what the programs took, and every reward that is not that of the first
// program to the last digit. It returns how many there are.
func (s *rewardsSettings) report(w io.Writer, recipe string, by []turns) (differ int) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "%s, %d outputs, median of %d\tseconds\tratio\tprocessor seconds\tratio\tother rewards\n", recipe, len(by[0].rewards), s.rounds)
	for i := range by {
		other := 0
		for _, id := range slices.Sorted(maps.Keys(by[0].rewards)) {
			was, is := by[0].rewards[id], by[i].rewards[id]
			if !equalRewards(was, is) {
				other++
				say("%s: %s: %s instead of %s by %s", recipe, id, rewardText(is), rewardText(was), s.programs[i])
			}
		}
		wall, processor := median(by[i].wall), median(by[i].processor)
		fmt.Fprintf(table, "%s\t%.1f\t%.3f\t%.1f\t%.3f\t%d\n", s.programs[i], wall, wall/median(by[0].wall), processor, processor/median(by[0].processor), other)
		differ += other
	}
	_ = table.Flush()
	return differ
}

// equalRewards compares to the last digit; two that could not be judged are equal.
func equalRewards(a, b *float64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func rewardText(r *float64) string {
	if r == nil {
		return "null"
	}
	return fmt.Sprint(*r)
}
