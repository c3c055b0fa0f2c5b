package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"vitrine/internal/cache"
	"vitrine/internal/runs"
)

func cacheWhyCommand(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "why RUN ID",
		Short: "Explain why a sample of a run was not answered from the cache",
		Long: `Explain, for each stage of a sample of a run, whether it was answered from the cache,
and if not, how what was asked for differs from the nearest answer that was kept before.`,
		Example: "  vitrine cache why .vitrine/runs/2026-01-31T09-00-00_outputs a1",
		Args:    cobra.ExactArgs(2),
		RunE:    func(_ *cobra.Command, args []string) error { return c.cacheWhy(args[0], args[1]) },
	}
}

// subjects are what an answer of a stage is about, for people.
var subjects = map[string]string{"build": "a project with these files", "capture": "this site", "judgement": "this evidence"}

func (c *common) cacheWhy(run, id string) error {
	all, err := runs.Why(run, id, cache.Results{Dir: filepath.Join(c.cacheDir, cache.ResultsDir)})
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]any{"run": run, "id": id, "stages": all})
	}
	c.printWhy(all)
	return nil
}

func (c *common) printWhy(all []runs.StageAnswer) {
	if len(all) == 0 {
		c.say("the cache was not asked: there was nothing to look at, or --no-cache was given")
	}
	for _, e := range all {
		switch {
		case e.Cached:
			fmt.Fprintf(c.out, "%-10s answered from the cache\n", e.Stage)
		case e.Nearest == nil:
			fmt.Fprintf(c.out, "%-10s worked for: nothing that is kept is about %s\n", e.Stage, subjects[e.Stage])
		default:
			fmt.Fprintf(c.out, "%-10s worked for: %s is kept since %s, but with\n", e.Stage, subjects[e.Stage], day(e.Nearest.Made))
			for _, d := range e.Nearest.Differences {
				fmt.Fprintf(c.out, "             %-20s kept %s, wanted %s\n", d.Part, partText(d.Kept), partText(d.Wanted))
			}
		}
	}
}

// partText shortens a part of a key for people.
func partText(json string) string {
	if json == "" {
		return "nothing"
	}
	const most = 80
	if json = strings.Trim(json, `"`); len(json) > most {
		json = strings.ToValidUTF8(json[:most], "") + "…"
	}
	return json
}
