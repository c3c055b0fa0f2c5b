package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/build/static"
	"vitrine/internal/interact"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/parse"
)

// tenSteps is what is done on the page spending-tracker of the demo, by a script and,
// with the waits of a published agent, by Playwright.
var tenSteps = []struct {
	Do   string `json:"do"`
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
}{
	{"type", "Amount in euros", "12.50"}, {"select", "Category", "Transport"}, {"type", "Note", "Bus"}, {"click", "Add entry", ""},
	{"type", "Amount in euros", "30"}, {"select", "Category", "Home"}, {"type", "Note", "Kettle"}, {"click", "Add entry", ""},
	{"click", "Delete Bus", ""}, {"click", "Delete Kettle", ""},
}

// tenStepScript is the same in the script language.
func tenStepScript() script.Script {
	s := script.Script{ID: "ten", Task: "Add two entries and delete them", Route: "/"}
	for _, step := range tenSteps {
		a := vitrine.Action{Kind: vitrine.ActionKind(step.Do), Text: step.Text, Target: &vitrine.Target{Label: step.Name}}
		if step.Do == "click" {
			a.Target = &vitrine.Target{Role: "button", Name: step.Name}
		}
		s.Steps = append(s.Steps, script.Step{Do: &a})
	}
	gone := script.Condition{Kind: script.KindNoText, Text: "Kettle"}
	s.Steps = append(s.Steps, script.Step{Expect: []script.Condition{gone}, Weight: 1})
	return s
}

// interacting measures how long it takes to try a site out.
type interacting struct {
	rounds int
	peer   bool
	json   bool
}

func interactCommand() *cobra.Command {
	i := &interacting{}
	cmd := command("interact", "Measure exploring, replaying ten steps and a reset, and the waits of a published agent", i.run)
	cmd.Flags().IntVar(&i.rounds, "rounds", 5, "times that each is measured")
	cmd.Flags().BoolVar(&i.peer, "peer", true, "also do the ten steps with a published agent's waits, about two minutes")
	cmd.Flags().BoolVar(&i.json, "json", false, "print the figures as JSON")
	return cmd
}

// timing is what was measured, in milliseconds.
type timing struct {
	Explore []float64 `json:"explore_ms"` // N = 3, one page of the demo each
	Replay  []float64 `json:"replay_ms"`  // ten steps and a check
	Reset   []float64 `json:"reset_ms"`
	Peer    float64   `json:"peer_ms,omitempty"` // the ten steps with a published agent's waits
}

func (i *interacting) run(ctx context.Context, w io.Writer) error {
	outputs, err := readOutputs([]string{demoInput}, 0)
	if err != nil {
		return err
	}
	sup := browser.New(browser.Settings{Pages: 1})
	defer sup.Close()
	var t timing
	for _, o := range singlePages(outputs) {
		a := parse.Output(o)
		d := &interact.Driver{Browser: sup, Site: static.Site(a), Viewport: vitrine.Desktop}
		if err := i.explore(ctx, d, o, &t); err != nil {
			return fmt.Errorf("%s: %w", o.ID, err)
		}
		if o.ID == "spending-tracker" {
			if err := i.steps(ctx, d, a, &t); err != nil {
				return fmt.Errorf("%s: %w", o.ID, err)
			}
		}
	}
	if i.json {
		return printJSON(w, t)
	}
	fmt.Fprintf(w, "explore, N = 3        p50 %6.0f ms  (%d)\n", median(t.Explore), len(t.Explore))
	fmt.Fprintf(w, "replay of ten steps   p50 %6.0f ms  (%d)\n", median(t.Replay), len(t.Replay))
	fmt.Fprintf(w, "reset                 p50 %6.0f ms  (%d)\n", median(t.Reset), len(t.Reset))
	if i.peer {
		fmt.Fprintf(w, "the ten steps with WebVoyager's waits %.1f s: %.0f times as long\n", t.Peer/1000, t.Peer/median(t.Replay))
	}
	return nil
}

func (i *interacting) explore(ctx context.Context, d *interact.Driver, o vitrine.Output, t *timing) error {
	for range i.rounds {
		start := time.Now()
		trace, err := explore.Explore(ctx, d, explore.Settings{N: 3, Budget: 3, Instruction: o.Instruction})
		if err != nil {
			return err
		}
		if trace.Validity.Valid {
			t.Explore = append(t.Explore, since(start))
		}
	}
	return nil
}

// steps replays the ten steps and resets the session.
func (i *interacting) steps(ctx context.Context, d *interact.Driver, a *vitrine.Artifact, t *timing) error {
	for range i.rounds {
		start := time.Now()
		c, err := script.Run(ctx, d, tenStepScript(), nil)
		if err != nil {
			return err
		}
		if c.Verdict != vitrine.VerdictPass {
			return fmt.Errorf("the ten steps: %s: %s", c.Verdict, c.Why)
		}
		t.Replay = append(t.Replay, since(start))
	}
	_, err := d.Run(ctx, "/", func(ctx context.Context, s *interact.Session) error {
		for range 4 * i.rounds {
			start := time.Now()
			if err := s.Reset(ctx, "/"); err != nil {
				return err
			}
			t.Reset = append(t.Reset, since(start))
		}
		return nil
	})
	if err != nil || !i.peer {
		return err
	}
	t.Peer, err = withWaits(ctx, a)
	return err
}

// withWaits does the ten steps as a published agent would, without its model.
func withWaits(ctx context.Context, a *vitrine.Artifact) (float64, error) {
	dir, err := os.MkdirTemp("", "vitrine-voyager-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	at := slices.IndexFunc(a.Files, func(f vitrine.File) bool { return f.Path == "index.html" })
	steps, err := json.Marshal(tenSteps)
	if err != nil {
		return 0, err
	}
	page, list := filepath.Join(dir, "index.html"), filepath.Join(dir, "steps.json")
	for name, content := range map[string]string{page: a.Files[at].Content, list: string(steps)} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return 0, err
		}
	}
	path, err := browser.Find("")
	if err != nil {
		return 0, err
	}
	v := vitrine.Desktop
	cmd := exec.CommandContext(ctx, "node", "perf/peers/voyager.mjs", path, strconv.Itoa(v.Width), strconv.Itoa(v.Height), page, list)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("the published agent's waits (perf/setup.sh installs Playwright): %w", err)
	}
	var answer struct{ MS float64 }
	return answer.MS, json.Unmarshal(out, &answer)
}

func since(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }
