package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/cache"
	"vitrine/internal/evidence"
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

// subjects say, by stage, what an answer is about, and how to call it.
var subjects = map[string]struct{ part, name string }{
	"build":     {"files", "a project with these files"},
	"capture":   {"site", "this site"},
	"judgement": {"evidence", "this evidence"},
}

// explained is what there is to say of one stage.
type explained struct {
	Stage  string `json:"stage"`
	Cached bool   `json:"cached"`
	// Nearest is the kept answer on the same subject with the fewest differences.
	Nearest *cache.NearMiss `json:"nearest,omitempty"`
}

func (c *common) cacheWhy(run, id string) error {
	sample, err := sampleOf(run, id)
	if err != nil {
		return err
	}
	if sample.Evidence == "" {
		return usage(fmt.Sprintf("%s has no evidence: it could not be judged", id), "vitrine report "+run+" tells why")
	}
	dir := filepath.Join(run, filepath.FromSlash(sample.Evidence))
	asked, err := os.Stat(filepath.Join(dir, "keys.json"))
	if err != nil {
		return usage(dir+" does not say what the cache was asked for", "score it again with this version of Vitrine")
	}
	keys, err := evidence.LoadKeys(dir)
	if err != nil {
		return err
	}
	all := []explained{}
	for _, k := range keys {
		e, err := c.explain(k, sample.Cached, asked.ModTime())
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	if c.json {
		return c.printJSON(map[string]any{"run": run, "id": id, "stages": all})
	}
	c.printWhy(all)
	return nil
}

func sampleOf(run, id string) (vitrine.Sample, error) {
	_, samples, err := runs.Read(run)
	if err != nil {
		return vitrine.Sample{}, err
	}
	for _, s := range runs.Newest(samples) {
		if s.ID == id {
			return s, nil
		}
	}
	return vitrine.Sample{}, usage(fmt.Sprintf("%s has no sample %q", run, id), "jq -r .id "+filepath.Join(run, "samples.jsonl")+" lists them")
}

func (c *common) explain(k cache.Key, cached vitrine.Cached, asked time.Time) (explained, error) {
	e := explained{Stage: k.Stage, Cached: map[string]bool{"build": cached.Build, "capture": cached.Capture, "judgement": cached.Judge}[k.Stage]}
	if e.Cached {
		return e, nil
	}
	near, found, err := c.resultsCache().Nearest(k, subjects[k.Stage].part, asked)
	if found {
		e.Nearest = &near
	}
	return e, err
}

func (c *common) printWhy(all []explained) {
	if len(all) == 0 {
		c.say("the cache was not asked: there was nothing to look at, or --no-cache was given")
	}
	for _, e := range all {
		switch {
		case e.Cached:
			fmt.Fprintf(c.out, "%-10s answered from the cache\n", e.Stage)
		case e.Nearest == nil:
			fmt.Fprintf(c.out, "%-10s worked for: nothing that is kept is about %s\n", e.Stage, subjects[e.Stage].name)
		default:
			fmt.Fprintf(c.out, "%-10s worked for: %s is kept since %s, but with\n", e.Stage, subjects[e.Stage].name, day(e.Nearest.Made))
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
