package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/inputs"
	"vitrine/internal/judge/requirements"
	"vitrine/internal/require"
	"vitrine/internal/setup"
	"vitrine/internal/stats"
)

// requires are the flags of require.
type requires struct {
	*common
	setup.Judging
	cases bool
	topic string
}

func requireCommand(c *common) *cobra.Command {
	r := &requires{common: c}
	cmd := &cobra.Command{
		Use:   `require "INSTRUCTION"|FILE|-`,
		Short: "Show what an instruction asks a site to do",
		Long: `Show what an instruction asks a site to do, read by rules and without a model:
behaviours with what they act on, how central each is and which labels its controls may
have; pages, texts, colors and numbers; and what cannot be checked.

Give the instruction itself, a file with it, a file of tasks (JSONL, the shapes that
--tasks of vitrine score takes), or "-" for any of these on standard input. The test
cases of a task are read as well, and named as what asks for a behaviour.

With -m a model reads the behaviours, in the same form; --require MODEL of the commands
that exercise sites has behave prove those.

With --cases the test cases are shown instead, each with what would decide it: operating
the page (relation), operating it for the act and nothing for the truth of the content
(act), words and fields that must stand there (words), colors, or nothing (none).`,
		Example: `  vitrine require "A site for a tea shop where visitors can search teas and put them into a cart"
  vitrine require tasks.jsonl --json | jq '.tasks[].requirements.behaviors[] | {behavior, entity}'
  vitrine require "Generate this Spotify interface in HTML" -m openai/gpt-5-mini
  vitrine require tasks.jsonl --cases`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args[0]) },
	}
	cmd.Flags().BoolVar(&r.cases, "cases", false, "show how each test case would be decided, with the shares")
	cmd.Flags().StringVarP(&r.Model, "model", "m", "", "model that reads the behaviours: provider/model or an alias (default: rules)")
	addModels(&r.Models, c, cmd.Flags())
	addSpending(&r.Judging, cmd.Flags())
	cmd.Flags().StringVar(&r.topic, "topic", "", "kind of site, such as \"Game dev\" or \"3D design\" (default: what the task says)")
	return cmd
}

func (r *requires) run(ctx context.Context, source string) error {
	tasks, err := r.tasks(source)
	if err != nil {
		return err
	}
	if r.cases {
		return r.showCases(tasks)
	}
	type reading struct {
		ID           string               `json:"id,omitempty"`
		Requirements vitrine.Requirements `json:"requirements"`
	}
	read, end, err := r.reader(ctx)
	if err != nil {
		return err
	}
	defer end()
	readings := []reading{}
	for _, t := range tasks {
		q, err := read(t)
		if err != nil {
			return err
		}
		readings = append(readings, reading{t.ID, q})
	}
	if r.json {
		return r.printJSON(map[string]any{"tasks": readings})
	}
	for i, reading := range readings {
		if i > 0 {
			fmt.Fprintln(r.out)
		}
		if reading.ID != "" {
			fmt.Fprintf(r.out, "%s\n", reading.ID)
		}
		if err := require.Print(r.out, reading.Requirements); err != nil {
			return err
		}
	}
	return nil
}

// reader is who reads tasks: the rules, or the model that is named.
func (r *requires) reader(ctx context.Context) (read func(vitrine.Task) (vitrine.Requirements, error), end func(), err error) {
	if r.Model == "" {
		return func(t vitrine.Task) (vitrine.Requirements, error) {
			return require.Read(t.Instruction, t.TestCases, t.Topic), nil
		}, func() {}, nil
	}
	r.Model = r.Models.At(r.Model)
	client, err := r.Client(r.machine())
	if err != nil {
		return nil, nil, err
	}
	ctx, release := cancelOnSignal(ctx, r.common)
	end = func() { release(); spent(r.common, client); client.Close() }
	return func(t vitrine.Task) (vitrine.Requirements, error) {
		q, _, err := requirements.Read(ctx, client, r.Model, t.Instruction, t.TestCases, t.Topic)
		return q, err
	}, end, nil
}

// tasks are those of a file or of standard input, or the one whose instruction is given.
func (r *requires) tasks(source string) ([]vitrine.Task, error) {
	text := []byte(source)
	var err error
	if source == "-" {
		text, err = io.ReadAll(r.in)
	} else if info, statErr := os.Stat(source); statErr == nil && !info.IsDir() {
		text, err = os.ReadFile(source)
	}
	if err != nil {
		return nil, usage("cannot read the instruction: "+err.Error(), "")
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil, usage("the instruction is empty", "give a sentence, a file, or - for standard input")
	}
	if text[0] != '{' {
		return []vitrine.Task{{Instruction: string(text), Topic: r.topic}}, nil
	}
	byID, err := inputs.ReadTasks(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var tasks []vitrine.Task
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		t := byID[id]
		t.Topic = orElse(r.topic, t.Topic)
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// showCases prints what would decide each test case, and the shares.
func (r *requires) showCases(tasks []vitrine.Task) error {
	type taskRow struct {
		ID string `json:"id,omitempty"`
		require.Row
	}
	rows, counts, decided := []taskRow{}, map[require.Decision]int{}, 0
	for _, t := range tasks {
		for _, row := range require.Rows(t) {
			rows = append(rows, taskRow{t.ID, row})
			counts[row.By]++
			if row.By != require.NotDecidable {
				decided++
			}
		}
	}
	if len(rows) == 0 {
		return usage("no task has test cases", "give a file of tasks with ui_instruct or test_cases")
	}
	if r.json {
		return r.printJSON(map[string]any{"cases": rows, "counts": counts, "decided": stats.Share(decided, len(rows))})
	}
	t := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "task\tcase\tdecided by\tbehaviors\ttest case")
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\n", orElse(row.ID, "-"), row.Case, row.By, require.Names(row.Behaviors), row.Task)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range require.Decisions {
		fmt.Fprintf(r.out, "%-9s %4d  %3.0f %%\n", d, counts[d], 100*float64(counts[d])/float64(len(rows)))
	}
	_, err := fmt.Fprintf(r.out, "%d of %d decided\n", decided, len(rows))
	return err
}
