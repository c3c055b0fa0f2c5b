package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine/internal/service"
	"vitrine/internal/setup"
	pool "vitrine/internal/worker"
)

// alone are the flags of vitrine score-alone: all that a judgement depends on.
type alone struct {
	*common
	setup.Looking
	joining
	tasks string
}

const aloneName = "score-alone"

// aloneCommand scores the one job that it is given on stdin. Workers start it for a job
// over which a process was lost.
func aloneCommand(c *common) *cobra.Command {
	a := &alone{common: c}
	cmd := &cobra.Command{
		Use: aloneName, Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	addLooking(&a.Looking, c, flags)
	addInteracting(&a.Interacting, flags)
	a.joining.addRecipes(flags)
	flags.StringVar(&a.tasks, "tasks", "", "file of tasks")
	return cmd
}

func (a *alone) run(ctx context.Context) error {
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // where memory ends, it is this process that goes
	ctx, release := cancelOnSignal(ctx, a.common)
	defer release()
	var p *setup.Pipeline
	defer func() {
		if p != nil {
			p.Close()
		}
	}()
	return pool.ScoreAlone(ctx, a.in, a.out, func(recipe string) (_ pool.Scorer, err error) {
		tasks, err := setup.ReadTasks(a.tasks)
		if err != nil {
			return nil, err
		}
		all, err := setup.Recipes(a.Recipe, a.joining.recipes)
		if err != nil {
			return nil, err
		}
		if p, err = a.Looking.Open(a.machine(), tasks); err != nil {
			return nil, err
		}
		return service.Scorers(p.Pipeline, all, a.testers())(recipe)
	})
}

// apart makes the scorers of jobs that get a process of their own, with the flags that the
// worker itself was given.
func apart(c *common, given *pflag.FlagSet) func(recipe string) (pool.Scorer, error) {
	known := aloneCommand(c).Flags()
	args := []string{os.Args[0], aloneName}
	given.Visit(func(f *pflag.Flag) {
		if known.Lookup(f.Name) == nil && !everywhere(f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, several := f.Value.(pflag.SliceValue); several {
			values = list.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	args = append(args, "--concurrency=1")
	return func(recipe string) (pool.Scorer, error) {
		return pool.Process{Recipe: recipe, Path: "/proc/self/exe", Args: args}, nil
	}
}

// everywhere are the flags of every command that a judgement needs.
func everywhere(name string) bool {
	return strings.Contains(" browser unsafe-no-sandbox cache-dir ", " "+name+" ")
}
