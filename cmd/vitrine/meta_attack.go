package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/meta/answers"
	"vitrine/internal/metarun"
	"vitrine/internal/redteam"
)

func metaAttackCommand(c *common) *cobra.Command {
	var names []string
	var attacks strings.Builder
	for _, p := range redteam.Persuasions() {
		attacks.WriteString("\n  " + p.Name + strings.Repeat(" ", 11-len(p.Name)) + p.Says)
	}
	m := metaFigures{
		use: "attack", short: "What moves a judge that should not: place, length, authority, text that speaks to it", kinds: anyKind,
		needs: "pairs that a judge answered in both orders, or a judge that is asked about the attacked, with --judge",
		long: `Show what moves a judge that should not. Of each page, of pairs the worse one, versions are
made that say more and do no more, and the judge is asked about them besides the page as it
is: how often its grade rises, something that does not hold holds, or its verdict moves to
the side that was attacked, and of pairs what the order alone does.

Attacks:` + attacks.String() + metaIntervals,
	}
	m.making = func(_ context.Context, _ *metaAsking, items []answers.Item) ([]answers.Item, error) {
		chosen, err := attacksOf(names)
		if err != nil {
			return nil, err
		}
		all, without := metarun.Attacked(items, chosen)
		return versionsMade(c, all, without, "attacked")
	}
	cmd := versionsCommand(c, m, answers.Attacks)
	cmd.Flags().StringSliceVar(&names, "attack", nil, "only these attacks, comma-separated (default: all)")
	cmd.Example = "  vitrine meta attack pages.jsonl --judge likert -m openai/gpt-5-mini --sample 30\n  vitrine meta attack pairs.jsonl --judge direct -m openai/gpt-5-mini --observe code --attack injected,echo"
	return cmd
}

func attacksOf(names []string) ([]redteam.Persuasion, error) {
	all := redteam.Persuasions()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []redteam.Persuasion
	for _, name := range names {
		at := slices.IndexFunc(all, func(p redteam.Persuasion) bool { return p.Name == name })
		if at < 0 {
			return nil, usage(fmt.Sprintf("--attack: there is no attack %q", name), "vitrine meta attack --help lists them; what the order of a pair does is shown without being named")
		}
		chosen = append(chosen, all[at])
	}
	return chosen, nil
}

// versionsMade are the items that versions were made of, with these.
func versionsMade(c *common, all []answers.Item, without int, how string) ([]answers.Item, error) {
	if without > 0 {
		c.say("%d items show no page of one file and cannot be %s", without, how)
	}
	if len(all) == 0 {
		return nil, usage("no item shows a page of one file that can be "+how, "give items shown with code or a page, see docs/meta-data.md")
	}
	return all, nil
}
