package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/bench"
	"vitrine/internal/meta/answers"
	"vitrine/internal/meta/imports"
)

func metaRankCommand(c *common) *cobra.Command {
	var against string
	var same []string
	figures := metaFigures{
		use: "rank", short: "The order of models by judges against that by people, or by a file", judges: true, compute: answers.Rank,
		needs: "ratings or units that say which model made them, and of these answers of a judge and labels, or answers of two judges",
		long: `Show how the order of models by a judge goes with that by people, where items say which model
made them: by the mean of its ratings, or the share of its units that hold.

With --against the order of a CSV file with a column model and one of scores, such as an
arena's, is what the judges are compared with, and people too where they settled anything.
FILE.csv:COLUMN takes a column that is not the first; one whose name ends in rank holds
ranks, of which lower ones are better. Intervals are then by bootstrap over models.` + metaIntervals,
	}
	cmd := figures.command(c)
	ofPeople := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if against == "" && len(same) > 0 {
			return usage("--same is without --against", "add --against FILE.csv, with the columns model and score")
		}
		if against == "" {
			return ofPeople(cmd, args)
		}
		judges, err := cmd.Flags().GetStringArray("judge")
		if err != nil {
			return err
		}
		return c.rankAgainst(args, against, same, judges)
	}
	cmd.Example += "\n  vitrine meta rank data.jsonl --against arena.csv:rank --same \"gpt5=GPT-5 (high)\""
	cmd.Flags().StringVar(&against, "against", "", againstHelp)
	cmd.Flags().StringArrayVar(&same, "same", nil, sameHelp)
	return cmd
}

// metaRanking is the order of models by one judge, or by people, against that of a file.
type metaRanking struct {
	Question string `json:"question,omitempty"`
	Of       string `json:"of"`
	bench.Ranking
}

// rankAgainst prints how the order of models by each judge, and by people, goes with a file's.
func (c *common) rankAgainst(data []string, against string, same, judges []string) error {
	set, err := imports.Open(data...)
	if err != nil {
		return err
	}
	there, err := sheetScores(against)
	if err != nil {
		return err
	}
	renamed, err := renamedModels(same)
	if err != nil {
		return err
	}
	rankings := []metaRanking{}
	for _, s := range answers.Scores(set, judges) {
		r, err := bench.Rank(bench.Scores{By: s.Models}, there, renamed)
		if err != nil {
			return err
		}
		rankings = append(rankings, metaRanking{s.Question, s.By, r})
	}
	if len(rankings) == 0 {
		return usage("nothing orders models: no rating or unit has a model and an answer", "say of items which model made them, see docs/meta-data.md")
	}
	if c.json {
		return c.printJSON(rankings)
	}
	for _, r := range rankings {
		fmt.Fprintln(c.out, strings.TrimPrefix(r.Question+": ", ": ")+r.Of)
		if err := c.printRanking(r.Ranking); err != nil {
			return err
		}
		fmt.Fprintln(c.out)
	}
	return nil
}
