package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vitrine/internal/model"
	"vitrine/internal/setup"
)

func modelsCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "Show the language models that can judge, try one, show prices",
		Long: `Show the language models that can judge, try one, show prices.

A model is named PROVIDER/MODEL, such as openai/gpt-5-mini, or by an alias of the
models file. Keys are read from variables and never kept. docs/models.md tells more.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelsListCommand(c), modelsTestCommand(c), modelsPricesCommand(c))
	return cmd
}

// addModels adds the flag of every command that asks models.
func addModels(m *setup.Models, c *common, flags *pflag.FlagSet) {
	flags.StringVar(&m.File, "models", c.getenv("VITRINE_MODELS"), "models file with aliases, addresses and prices (default: "+setup.ModelsFile+" if it is there; VITRINE_MODELS)")
}

func modelsListCommand(c *common) *cobra.Command {
	var named setup.Models
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the models that are known, with their keys and prices",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			client, err := named.Client(c.machine(), model.Settings{})
			if err != nil {
				return err
			}
			defer client.Close()
			all := client.Known()
			if c.json {
				return c.printJSON(map[string]any{"models": all, "providers": model.Providers()})
			}
			printModels(c, all)
			return nil
		},
	}
	addModels(&named, c, cmd.Flags())
	return cmd
}

func printModels(c *common, all []model.Info) {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tkey\t$ in\t$ out\tasked at")
	for _, m := range all {
		name := m.Name
		if m.Alias != "" {
			name = m.Alias + " = " + m.Name
		}
		in, out := "?", "?"
		if m.Price != nil {
			in, out = dollars(m.Price.In), dollars(m.Price.Out)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, keyState(m), in, out, m.BaseURL)
	}
	_ = w.Flush()
	c.say("prices are in dollars per million tokens; any other model of a provider can be named too")
}

func keyState(m model.Info) string {
	switch {
	case m.HasKey:
		return m.KeyVariable + " is set"
	case m.NeedsKey:
		return m.KeyVariable + " is not set"
	}
	return "none needed"
}

// dollars writes an amount with the decimals it has.
func dollars(v float64) string { return fmt.Sprintf("%g", v) }

func modelsPricesCommand(c *common) *cobra.Command {
	var named setup.Models
	cmd := &cobra.Command{
		Use:   "prices",
		Short: "Show the table of prices, with dates and sources",
		Long: `Show the table of prices, with dates and sources.

Prices are in dollars per million tokens. A model that is not here has no known
price; what it costs is shown as "?", never as 0. The models file gives or corrects
prices.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			client, err := named.Client(c.machine(), model.Settings{})
			if err != nil {
				return err
			}
			defer client.Close()
			rows := model.PricesOf(client.Known())
			if c.json {
				return c.printJSON(map[string]any{"unit": "USD per million tokens", "prices": rows})
			}
			printPrices(c, rows)
			return nil
		},
	}
	addModels(&named, c, cmd.Flags())
	return cmd
}

func printPrices(c *common, rows []model.PriceRow) {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "model\tin\tcached\tout\tup to\tdate\tsource")
	for _, r := range rows {
		cached, upTo := "as in", "any length"
		if r.Cached != nil {
			cached = dollars(*r.Cached)
		}
		if r.UpTo > 0 {
			upTo = fmt.Sprintf("%d tokens", r.UpTo)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, dollars(r.In), cached, dollars(r.Out), upTo, r.Date, r.Source)
	}
	_ = w.Flush()
}
