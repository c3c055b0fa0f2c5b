package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"vitrine/internal/data/describe"
)

func dataStatsCommand(c *common) *cobra.Command {
	s := describe.Settings{Pictures: 60}
	var page string
	cmd := &cobra.Command{
		Use:   "stats DIR|FILE",
		Short: "Describe a data set: counts, drops with examples, distributions, near duplicates, cost",
		Long: `Describe a data set: what vitrine data run, dedup or decontaminate wrote, or a file of rows.
It shows what each step kept and dropped and why, with examples; how texts' lengths,
numbers and categories of each field are distributed; how alike near duplicates are; and
what models cost. --html writes the same as one page that loads nothing, with thumbnails
of the rows that have pictures: those that a field names, or that vitrine score saw; with
--map FIELD also rows as points by t-SNE, near to each other where their texts are alike,
coloured by the field. That needs the table of vitrine data embedder.`,
		Example: `  vitrine data stats clean
  vitrine data stats clean --json | jq '.steps[].reasons'
  vitrine data stats pairs --html stats.html --runs runs/a
  vitrine data stats clean --html stats.html --map category`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Examples < 0 || s.Pictures < 0 {
				return usage("--examples and --pictures are counts", "give 0 or more")
			}
			if s.Map != "" && page == "" {
				return usage("--map is drawn on the page", "give --html FILE, too")
			}
			s.Path, s.Say, s.Embedders = args[0], c.say, c.embedderDir()
			return c.stats(cmd.Context(), s, page)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&s.Examples, "examples", 3, "rows that are shown for each reason of each step")
	flags.BoolVar(&s.Near, "near", false, "search the rows that are left for near duplicates once more")
	flags.StringVar(&page, "html", "", "file for the page")
	flags.IntVar(&s.Pictures, "pictures", s.Pictures, "thumbnails on the page, at most")
	flags.StringVar(&s.Map, "map", "", "field that colours a map of the rows on the page, such as category")
	flags.StringArrayVar(&s.Runs, "runs", nil, "run folder of vitrine score whose pictures are shown, by id; again for each")
	return cmd
}

func (c *common) stats(ctx context.Context, s describe.Settings, page string) error {
	if page == "" {
		s.Pictures = 0
	}
	d, err := describe.Run(ctx, s)
	if ctx.Err() != nil {
		return exit(exitInterrupted)
	}
	if err != nil {
		return err
	}
	if page != "" {
		f, err := os.Create(page)
		if err != nil {
			return usage("cannot write "+page+": "+err.Error(), "name a file in a folder that can be written to")
		}
		if err := errors.Join(describe.WriteHTML(f, d), f.Close()); err != nil {
			return err
		}
	}
	switch {
	case c.json:
		return c.printJSON(d)
	case page != "":
		_, err = fmt.Fprintln(c.out, page)
		return err
	}
	return describe.WriteText(c.out, d)
}
