package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vitrine/internal/disk"
)

// results is what a run of peers found out.
type results struct {
	Machine string    `json:"machine"`
	Browser string    `json:"browser"`
	When    time.Time `json:"when"`
	Rounds  int       `json:"rounds"`
	Ways    []*way    `json:"ways"`
}

func (r *results) save(file string) error {
	b, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(b, '\n'), 0o644)
}

func tableCommand() *cobra.Command {
	var file string
	var markdown bool
	cmd := command("table", "Print the table of the last run of peers again", func(_ context.Context, out io.Writer) error {
		var r results
		if err := disk.ReadJSON(file, &r); err != nil {
			return err
		}
		return r.print(out, markdown, false)
	})
	cmd.Flags().StringVar(&file, "file", "perf/results.json", "figures that peers kept")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "as Markdown")
	return cmd
}

// row is a way in figures, medians of its rounds.
type row struct {
	PerSecond, P50, CPU, Peak float64
	Failed                    int
}

func (w *way) row() row {
	var perSecond, p50, cpu, peak []float64
	var out row
	for _, r := range w.Rounds {
		n := float64(len(r.MS) + len(r.Failed))
		perSecond = append(perSecond, n/r.Seconds)
		p50 = append(p50, median(r.MS)/1000)
		cpu = append(cpu, r.CPU/n)
		peak = append(peak, r.PeakMB)
		out.Failed = max(out.Failed, len(r.Failed))
	}
	out.PerSecond, out.P50, out.CPU, out.Peak = median(perSecond), median(p50), median(cpu), median(peak)
	return out
}

// print writes a table for each group; the first way of a group is what the
// others are compared with.
func (r *results) print(w io.Writer, markdown, asJSON bool) error {
	if asJSON {
		return printJSON(w, r)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells ...any) { fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\n", cells...) }
	if markdown {
		line = func(cells ...any) { fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", cells...) }
	}
	group, first := "", row{}
	for _, way := range r.Ways {
		if way.Group != group {
			group, first = way.Group, row{}
			_ = tab.Flush()
			fmt.Fprintf(w, "\n%s\n\n", group)
			line("way", "per second", "against the first", "median", "processor time each", "most memory")
			if markdown {
				line("---", "---:", "---:", "---:", "---:", "---:")
			}
		}
		if len(way.Rounds) == 0 {
			line(way.Name, "", "", "", "", "left out: "+way.Skipped)
			continue
		}
		figures := way.row()
		if first.PerSecond == 0 {
			first = figures
		}
		line(way.Name+failures(figures.Failed), fmt.Sprintf("%.2f", figures.PerSecond), fmt.Sprintf("%.1f ×", figures.PerSecond/first.PerSecond),
			fmt.Sprintf("%.2f s", figures.P50), fmt.Sprintf("%.2f s", figures.CPU), fmt.Sprintf("%.0f MB", figures.Peak))
	}
	_ = tab.Flush()
	least, most := r.loads()
	_, err := fmt.Fprintf(w, "\nMedians of %d rounds in turns, %s; %s; %s; load of the machine %.1f to %.1f.\n", r.Rounds, r.When.Format("2006-01-02"), r.Machine, r.Browser, least, most)
	return err
}

func failures(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d failed)", n)
}

// loads tells how busy the machine was when rounds began.
func (r *results) loads() (least, most float64) {
	least = 1e9
	for _, way := range r.Ways {
		for _, one := range way.Rounds {
			least, most = min(least, one.Load), max(most, one.Load)
		}
	}
	return min(least, most), most
}
