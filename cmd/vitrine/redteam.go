package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/redteam"
	"vitrine/internal/redteamrun"
	"vitrine/internal/setup"
)

type attacking struct {
	*common
	setup.Looking
	reading
	redteam.Settings
	honest, tasks, folder string
	operators             []string
}

func redteamCommand(c *common) *cobra.Command {
	a := &attacking{common: c}
	cmd := &cobra.Command{
		Use:   "redteam",
		Short: "Search for pages that a reward pays without their working",
		Long: `Search for pages that a reward pays without their working, for any recipe and judge.

Exploits are made of the instructions alone, or of honest pages that were broken, and
are changed and crossed for as long as the reward rises, within --budget pages. The
table says what each gets and which share of the honest pages of its prompt it beats.
Exploits that beat more than --threshold of them are kept in --out, as outputs.jsonl
and as pages, and the exit code is 99.

With --mutants faults are built into the honest pages instead, that many into each, in
the mix of real faults, and the table says how often the reward falls by 0.01 or more;
pages that are only written differently must stay within 0.01. Mutants that 2,000 random
events cannot tell from their page are left out. With --operator only
faults of that kind are built in.

Honest pages are matched to tasks by task_id, or by the name of their folder or file.
Without --honest the pages that ship with Vitrine are taken: one for each of a dozen
tasks, which is little (docs/gaming.md).`,
		Example: `  vitrine redteam --recipe aescoder --budget 100 --out .vitrine/redteam
  vitrine redteam --honest outputs.jsonl --tasks tasks.jsonl
  vitrine redteam --honest pages/ --mutants 5 --operator handlers-removed --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context()) },
	}
	addLooking(&a.Looking, c, cmd.Flags())
	addInteracting(&a.Interacting, cmd.Flags())
	a.reading.add(cmd.Flags())
	flags := cmd.Flags()
	flags.StringVar(&a.honest, "honest", "", "folder or file of honest pages (default: those that ship with Vitrine)")
	flags.StringVar(&a.tasks, "tasks", "", "file of the tasks of the honest pages")
	flags.IntVar(&a.Budget, "budget", 120, "exploits that are scored, over all prompts")
	flags.Float64Var(&a.Threshold, "threshold", 0.5, "share of the honest pages of its prompt that no exploit may beat, from 0 to 1")
	flags.IntVar(&a.Mutants, "mutants", 0, "measure the mutation score, with this many faulty mutants of each page")
	flags.StringSliceVar(&a.operators, "operator", nil, "with --mutants: "+strings.Join(redteam.OperatorNames(), ", "))
	flags.StringVar(&a.folder, "out", "", "folder in which winners, or mutants that go unnoticed, are kept (default: none)")
	flags.Uint64Var(&a.Seed, "seed", 1, "seed of all choices")
	return cmd
}

func (a *attacking) check() error {
	switch unknown := redteam.Unknown(a.operators); {
	case len(unknown) > 0:
		return usage(fmt.Sprintf("--operator: there is no operator %q", unknown[0]), "use "+strings.Join(redteam.OperatorNames(), ", "))
	case a.Mutants < 0 || a.Budget < 0:
		return usage("--mutants and --budget: must be 0 or more", "leave them out for the default")
	case len(a.operators) > 0 && a.Mutants == 0:
		return usage("--operator is for --mutants", "add --mutants 1")
	case math.IsNaN(a.Threshold) || a.Threshold < 0 || a.Threshold > 1:
		return usage("--threshold: must be from 0 to 1", "leave it out for 0.5")
	case a.honest == "" && a.tasks != "":
		return usage("--tasks is for --honest", "name the honest pages of these tasks with --honest")
	}
	return nil
}

func (a *attacking) run(ctx context.Context) error {
	if err := a.check(); err != nil {
		return err
	}
	ctx, release := cancelOnSignal(ctx, a.common)
	defer release()
	prompts, tasks, err := a.prompts(ctx)
	if err != nil {
		return err
	}
	p, err := a.Looking.Open(a.machine(), tasks)
	if err != nil {
		return err
	}
	defer p.Close()
	defer spent(a.common, p.Client)
	a.Settings.Prompts, a.Settings.Operators, a.Say = prompts, a.operators, a.say
	scorer := &redteamrun.Scorer{Pipeline: p.Pipeline, Unjudged: func(id string, why *vitrine.Fault) { a.say("unjudged %s: %s: %s", id, why.Code, why.Message) }}
	if a.folder != "" {
		made, err := p.Pipeline.Provenance(ctx)
		if err != nil {
			return err
		}
		if scorer.Journal, err = redteamrun.OpenJournal(a.folder, made.Fingerprint(), tasks); err != nil {
			return err
		}
		defer scorer.Journal.Close()
	}
	if a.Mutants > 0 {
		err = a.mutate(ctx, scorer)
	} else {
		err = a.attack(ctx, scorer, tasks)
	}
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	return err
}

// prompts are the tasks with their honest pages.
func (a *attacking) prompts(ctx context.Context) ([]redteam.Prompt, map[string]vitrine.Task, error) {
	if a.honest == "" {
		a.say("no --honest: our own small pages are taken, one for each prompt; shares of real pages say more")
		return redteamrun.Own()
	}
	tasks, err := setup.ReadTasks(a.tasks)
	if err != nil {
		return nil, nil, err
	}
	input, err := a.open(ctx, a.common, a.honest, false)
	if err != nil {
		return nil, nil, err
	}
	defer input.Close()
	prompts, err := redteamrun.Read(input, tasks, a.say)
	if err == nil && len(prompts) == 0 {
		err = usage("--honest: no page of HTML in "+a.honest, "name a folder of pages, or a file of outputs")
	}
	return prompts, tasks, err
}

// attack searches for exploits.
func (a *attacking) attack(ctx context.Context, scorer redteam.Scorer, tasks map[string]vitrine.Task) error {
	r, err := redteam.Run(ctx, scorer, a.Settings)
	if err == nil && a.folder != "" {
		err = redteamrun.Keep(a.folder, r, tasks)
	}
	if err == nil && a.json {
		err = a.printJSON(r)
	} else if err == nil {
		err = a.printExploits(r)
	}
	if err == nil && r.Above > 0 {
		a.say("%d of %d exploits beat more than %g of the honest pages of their prompt", r.Above, r.Judged, r.Threshold)
		return exit(exitThreshold)
	}
	return err
}

// mutate measures the mutation score.
func (a *attacking) mutate(ctx context.Context, scorer redteam.Tracer) error {
	m, err := redteam.Mutate(ctx, scorer, a.Settings)
	if err == nil && a.folder != "" {
		err = redteamrun.KeepMutants(a.folder, m)
	}
	if err == nil && a.json {
		return a.printJSON(m)
	}
	if err != nil {
		return err
	}
	return a.printMutation(m)
}
