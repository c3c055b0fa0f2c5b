package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/browser"
	"vitrine/internal/buildinfo"
	"vitrine/internal/capture"
	"vitrine/internal/digest"
	"vitrine/internal/htmlhint"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/behave"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/judge/measured"
	"vitrine/internal/judge/vlm"
	"vitrine/internal/npm"
	"vitrine/internal/reward"
)

// Provenance says by what p, and its pipelines of further recipes, make rewards. It
// starts the browser and asks Node.js and Python for their versions; without a browser there is
// none. Where projects or plots cannot be built, the cause stands for the versions.
func (p *Pipeline) Provenance(ctx context.Context, more ...*reward.Recipe) (vitrine.Provenance, error) {
	m := p.made()
	m.Recipes, m.Tools, m.Files, m.Settings = slices.Clone(m.Recipes), maps.Clone(m.Tools), maps.Clone(m.Files), maps.Clone(m.Settings)
	if len(p.settings.Tasks) == 0 { // see WithTasks
		delete(m.Files, "tasks")
	}
	if len(more) == 0 && p.settings.Interact == nil { // the one recipe does not read it
		for _, name := range interactFiles {
			delete(m.Files, name)
		}
		maps.DeleteFunc(m.Settings, func(name, _ string) bool { return strings.HasPrefix(name, "interact.") })
	}
	for _, r := range more {
		if id := r.ID(); !slices.Contains(m.Recipes, id) {
			m.Recipes = append(m.Recipes, id)
		}
	}
	slices.Sort(m.Recipes) // which of them is the default is no matter of the rewards
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		m.Browser, err = p.browser.Version(ctx)
		return err
	})
	var builders, plots string
	both.Go(func() error {
		builders = orWhyNone(p.builder.Versions())
		return nil
	})
	both.Go(func() error {
		plots = orWhyNone(p.builder.PlotVersions())
		return nil
	})
	err := both.Wait()
	m.Tools["builders"], m.Tools["plots"] = builders, plots
	return m, err
}

// orWhyNone is what the versions of builders are, or the cause for which there are none.
func orWhyNone(versions string, err error) string {
	if err != nil {
		return "none: " + string(vitrine.AsFault("build", err).Code)
	}
	return versions
}

// provenance is what is known without starting anything. Keys of the cache are made of
// the same parts.
func (s Settings) provenance() vitrine.Provenance {
	m := vitrine.Provenance{
		Vitrine: vitrine.Version, Build: buildinfo.Revision(), Fonts: browser.InstalledFonts().Hash, Fixtures: "none",
		Tools: map[string]string{
			"platform": runtime.GOOS + "/" + runtime.GOARCH, "capture": capture.Version, "hint": htmlhint.Version, "measured": measured.NameWith(s.Calibration), "interact": interact.Version, "verify": verify.Version, "agent": agent.Version(), "prompts": vlm.Prompts(),
		},
		Files: map[string]string{}, Settings: map[string]string{},
	}
	if s.Fixtures != nil {
		m.Fixtures = s.Fixtures.Hash()
	}
	if s.Recipe != nil {
		m.Recipes = []string{s.Recipe.ID()}
	}
	file(m.Files, "tasks", s.Tasks, len(s.Tasks) > 0)
	settings := map[string]any{
		"capture": s.Capture, "builder": s.Builder, "packages_until": cmp.Or(s.PackagesUntil, npm.Until), "limits": s.Limits, "models": s.Models, "unsafe": s.Sandbox.Unsafe, "profile": s.Profile,
	}
	if v := s.Vision; v != nil {
		settings["judge"] = v.provenance(m.Files)
	}
	if s.Interact != nil {
		settings["interact"] = s.exercising(m.Files)
	}
	flatten(m.Settings, "", settings)
	return m
}

// file notes what came from a file of the user's by its hash, if there is anything.
func file(files map[string]string, name string, value any, there bool) {
	if there {
		files[name] = digest.Of(value)
	}
}

// provenance is how models look; their prompt and rubric go to files.
func (v *Vision) provenance(files map[string]string) map[string]any {
	asked := v.Settings
	asked.Template, asked.Temperature = "", nil
	file(files, "prompt", v.Settings.Template, v.Settings.Template != "")
	file(files, "rubric", v.Tree, v.Tree != nil)
	return map[string]any{"models": v.Models, "repeats": v.Repeats, "asked": asked, "temperature": degrees(v.Settings.Temperature), "protocols": slices.Sorted(slices.Values(v.Protocols)), "images": v.Images, "first": v.First}
}

// interactFiles are the names under which [Settings.exercising] notes files.
var interactFiles = []string{"cases", "leaves", "scripts"}

// degrees is a temperature as a text; empty where it is left to the endpoint, which is not 0.
func degrees(t *float64) string {
	if t == nil {
		return ""
	}
	return strconv.FormatFloat(*t, 'g', -1, 64)
}

// exercising is how sites are exercised; cases, rubric and scripts go to files.
func (s Settings) exercising(files map[string]string) map[string]any {
	i := s.Interact
	file(files, "cases", i.Cases, len(i.Cases) > 0)
	settings := map[string]any{"by": i.Method.By(), "auto": s.InteractAuto, "n": i.N}
	if m, ok := i.Prover.(*behave.Prover); ok {
		settings["behave"] = m.Provenance()
	}
	switch m := i.Method.(type) {
	case *behave.Prover:
		settings["behave"] = m.Provenance()
	case explore.Explorer:
		settings["budget"] = m.Budget
	case *agent.Agent:
		file(files, "leaves", m.Leaves, len(m.Leaves) > 0)
		asked := m.Settings
		asked.Temperature = nil
		settings["agent"], settings["temperature"] = asked, degrees(m.Settings.Temperature)
	case *verify.Verifier:
		asked := m.Settings
		asked.Temperature = nil
		settings["budget"], settings["verify"], settings["temperature"] = m.Explorer.Budget, asked, degrees(m.Settings.Temperature)
	case script.Scripts:
		file(files, "scripts", m, len(m) > 0)
	}
	return settings
}

// flatten notes each value below one as JSON, under the names that lead to it. Those
// that are zero are left out: a setting that comes later, and is not used, changes
// nothing.
func flatten(to map[string]string, name string, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err) // settings are plain data of ours
	}
	var table map[string]json.RawMessage
	if json.Unmarshal(b, &table) == nil {
		for key, below := range table {
			if name != "" {
				key = name + "." + key
			}
			flatten(to, key, below)
		}
		return
	}
	if text := string(b); !slices.Contains([]string{"null", `""`, "0", "false", "[]"}, text) {
		to[name] = text
	}
}
