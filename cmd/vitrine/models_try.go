package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/model"
	"vitrine/internal/model/trial"
	"vitrine/internal/setup"
)

func modelsTestCommand(c *common) *cobra.Command {
	var named setup.Models
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "test NAME",
		Short: "Ask a model two tiny questions and say what it can do",
		Long: `Ask a model two tiny questions and say what it can do.

One is of text alone; the other shows a red square and wants an answer by a JSON
Schema. Together they cost a small part of a cent.`,
		Example: `  vitrine models test openai/gpt-5-mini
  VLLM_BASE_URL=http://gpu1:8000 vitrine models test vllm/Qwen/Qwen2.5-VL-7B-Instruct`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := named.Client(c.machine(), model.Settings{Deadline: wait, Retries: 2, OnRetry: func(r model.Retry) {
				c.say("try %d: %s; again in %s", r.Attempt, strings.ReplaceAll(string(r.Cause), "_", " "), r.Wait.Round(time.Millisecond))
			}})
			if err != nil {
				return err
			}
			defer client.Close()
			done, err := trial.Run(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			return c.tellTrial(done)
		},
	}
	addModels(&named, c, cmd.Flags())
	cmd.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for each of the two answers")
	return cmd
}

// tellTrial prints a trial; one that failed ends with the exit code of its cause.
func (c *common) tellTrial(done trial.Result) error {
	if !c.json {
		printTrial(c, done)
	} else if err := c.printJSON(done); err != nil {
		return err
	}
	f := done.Fault()
	switch {
	case f == nil:
		return nil
	case c.json: // the document has it
		return exit(exitCode(f.Code))
	}
	return f
}

func printTrial(c *common, t trial.Result) {
	fmt.Fprintf(c.out, "%s at %s\n", t.Name, t.BaseURL)
	for _, call := range t.Calls {
		if call.Error != nil {
			fmt.Fprintf(c.out, "  %-8s no answer\n", call.What)
			continue
		}
		verdict := "right"
		if !call.OK {
			verdict = call.Why
		}
		fmt.Fprintf(c.out, "  %-8s %s, by %s in %.0f ms, %d + %d tokens, %s\n", call.What, verdict, call.Model, call.LatencyMS, call.Tokens.In, call.Tokens.Out, cost(call.USD))
	}
	if len(t.Calls) == 2 {
		fmt.Fprintf(c.out, "  schema   %s\n", t.Abilities.Schema)
	}
	fmt.Fprintf(c.out, "  cost     %s\n", cost(t.Cost))
}

// cost writes dollars; what is not known is never 0.
func cost(usd *float64) string {
	if usd == nil {
		return "$? (the price is not known)"
	}
	return fmt.Sprintf("$%.6f", *usd)
}
