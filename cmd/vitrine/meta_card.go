package main

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
)

func metaCardCommand(c *common) *cobra.Command {
	var judges []string
	var seed uint64
	var out string
	cmd := &cobra.Command{
		Use:   "card DATA...",
		Short: "One page on each judge: what it is good for, its biases, its price",
		Long: `Write the card of each judge of the file: how far it goes with people, by category, how that
compares with people among themselves and with not looking, what position and length do,
whether it says the same again, what an answer takes, and what was not measured. With --out
FILE.html, .md or .json it is written there, else as Markdown.` + metaIntervals,
		Example: `  vitrine meta card data.jsonl
  vitrine meta card runs/a people.jsonl
  vitrine meta card data.jsonl --judge gpt-4o --out card.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			write := answers.WriteMarkdown
			switch kind := filepath.Ext(cmp.Or(out, ".md")); {
			case c.json && out == "":
				write = func(_ io.Writer, cards []answers.Card) error { return c.printJSON(cards) }
			case kind == ".html":
				write = answers.WriteHTML
			case kind == ".json":
				write = func(w io.Writer, cards []answers.Card) error { return json.NewEncoder(w).Encode(cards) }
			case kind != ".md":
				return usage("--out: cannot write "+out, "name a file that ends in .html, .md or .json")
			}
			set, err := imports.Open(args...)
			if err != nil {
				return err
			}
			if err := set.Has(judges...); err != nil {
				return err
			}
			cards := answers.Cards(set, judges, seed)
			if len(cards) == 0 {
				return usage("the file has no answers of such a judge", "name judges of the file with --judge, or none for all; vitrine meta raters shows people alone")
			}
			if out == "" {
				return write(c.out, cards)
			}
			f, err := os.Create(out)
			if err != nil {
				return usage("cannot write "+out+": "+err.Error(), "name a file in a folder that can be written to")
			}
			return cmp.Or(write(f, cards), f.Close())
		},
	}
	cmd.Flags().StringArrayVar(&judges, "judge", nil, "only this judge; may be given again (default: all of the file)")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the intervals")
	cmd.Flags().StringVar(&out, "out", "", "file to write, .html, .md or .json (default: Markdown on standard output)")
	return cmd
}
