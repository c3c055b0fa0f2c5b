package main

import (
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vitrine/internal/judge/rubric"
	"vitrine/internal/setup"
)

// rubrics are the flags of rubric.
type rubrics struct {
	*common
	setup.Judging
	instruction, out string
	html             bool
}

func rubricCommand(c *common) *cobra.Command {
	r := &rubrics{common: c}
	cmd := &cobra.Command{
		Use:   "rubric [FILE...]",
		Short: "Make a rubric tree for a task, or check and show one",
		Long: `Make a rubric tree for a task, or check and show one.

A tree says what a site must have: its intention, what is static, and what is
dynamic, split into basic and complex. Each leaf can be met or not. With FILE the
tree in it is checked and shown; edit it as you like. Of several files the mean height
and the mean number of leaves are shown. With --instruction a model makes a tree, which
is written to standard output as JSON, or to --out.`,
		Example: `  vitrine rubric --instruction "A page for a bakery, with a form for orders" -m openai/gpt-5-mini --out bakery.json
  vitrine rubric bakery.json
  vitrine rubric bakery.json --html > bakery.html
  vitrine rubric rubrics/*.json`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	flags := cmd.Flags()
	addModels(&r.Models, c, flags)
	flags.StringVarP(&r.Model, "model", "m", "", "model that makes the tree: provider/model or an alias")
	flags.StringVar(&r.instruction, "instruction", "", "the task to make a tree for")
	flags.StringVar(&r.out, "out", "", "file for the new tree (default: standard output)")
	flags.BoolVar(&r.html, "html", false, "show the tree as a fragment of HTML")
	addAsking(&r.Judging, flags)
	return cmd
}

func (r *rubrics) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 1 && r.instruction == "":
		tree, err := setup.ReadTree(args[0])
		if err != nil {
			return err
		}
		return r.show(tree)
	case len(args) > 1 && r.instruction == "" && !r.html:
		return r.means(args)
	case len(args) == 0 && r.instruction != "" && r.Model != "":
		return r.generate(cmd)
	}
	return usage("name files with trees, or give --instruction and --model", "vitrine rubric --help shows both")
}

func (r *rubrics) generate(cmd *cobra.Command) error {
	if err := r.CheckProfile(); err != nil {
		return err
	}
	client, err := r.Client(r.machine())
	if err != nil {
		return err
	}
	defer client.Close()
	defer spent(r.common, client)
	ctx, release := cancelOnSignal(cmd.Context(), r.common)
	defer release()
	tree, _, err := rubric.Generate(ctx, client, r.Model, r.instruction, r.Profile)
	if err != nil {
		return err
	}
	text, err := tree.JSON()
	if err != nil {
		return err
	}
	text = append(text, '\n')
	r.say("%s", shape(tree))
	if r.out == "" {
		_, err = r.common.out.Write(text)
		return err
	}
	return errors.Join(os.WriteFile(r.out, text, 0o644), r.tell(r.out))
}

func (r *rubrics) tell(name string) error {
	_, err := fmt.Fprintln(r.common.out, name)
	return err
}

func (r *rubrics) show(tree *rubric.Tree) error {
	switch {
	case r.json:
		return r.printJSON(map[string]any{"tree": tree, "stats": tree.Stats()})
	case r.html:
		return tree.HTML(r.common.out)
	}
	r.say("%s", shape(tree))
	return tree.Text(r.common.out)
}

// means prints the means over the trees of several files (WebDevJudge Table 9).
func (r *rubrics) means(files []string) error {
	var trees []*rubric.Tree
	for _, name := range files {
		tree, err := setup.ReadTree(name)
		if err != nil {
			return err
		}
		trees = append(trees, tree)
	}
	m := rubric.MeansOf(trees)
	if r.json {
		return r.printJSON(m)
	}
	w := tabwriter.NewWriter(r.common.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "mean of %d trees\theight\tleaves\n", m.Trees)
	for _, d := range rubric.Dimensions {
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\n", d, m.Heights[d], m.Counts[d])
	}
	fmt.Fprintf(w, "whole\t%.1f\t%.1f\n", m.Height, m.Leaves)
	return w.Flush()
}

// shape is what a person wants to know of a tree first.
func shape(tree *rubric.Tree) string {
	s := tree.Stats()
	text := fmt.Sprintf("%d leaves, %d levels:", s.Leaves, s.Height)
	for _, d := range rubric.Dimensions {
		text += fmt.Sprintf(" %s %d", d, s.Counts[d])
	}
	return text
}
