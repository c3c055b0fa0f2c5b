package pipeline

import (
	"slices"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/build"
	"vitrine/internal/capture"
	"vitrine/internal/interact"
	"vitrine/internal/interact/agent"
	"vitrine/internal/interact/explore"
	"vitrine/internal/interact/script"
	"vitrine/internal/interact/verify"
	"vitrine/internal/judge/calibrate"
	"vitrine/internal/judge/rubric"
	"vitrine/internal/judge/vlm"
)

// Whatever can change a reward is part of the provenance; how much is done at once, and
// where things are kept, is not.
func TestProvenanceHasWhatCanChangeAReward(t *testing.T) {
	t.Parallel()
	base := func() Settings {
		s := Settings{Recipe: recipe(t, "looks"), Builder: build.Auto, Vision: &Vision{Judges: vlm.Judges{Models: []string{"a/b"}}, Tree: &rubric.Tree{}}}
		s.Vision.Settings.Template = "Grade it."
		s.Interact = &interact.Settings{Method: &verify.Verifier{}, Cases: []vitrine.TestCase{{Task: "t"}}}
		return s
	}
	of := func(change func(*Settings)) vitrine.Provenance {
		s := base()
		change(&s)
		return s.provenance()
	}
	was := of(func(*Settings) {})
	for name, change := range map[string]func(*Settings){
		"recipe":                 func(s *Settings) { s.Recipe = recipe(t, "relook") },
		"tasks":                  func(s *Settings) { s.Tasks = map[string]vitrine.Task{"a": {ID: "a"}} },
		"measured":               func(s *Settings) { s.Calibration = &calibrate.Calibration{} },
		"builder":                func(s *Settings) { s.Builder = build.Exact },
		"packages_until":         func(s *Settings) { s.PackagesUntil = "2020-01-01" },
		"capture.max_routes":     func(s *Settings) { s.Capture.MaxRoutes = 3 },
		"limits.Build.Wall":      func(s *Settings) { s.Limits.Build.Wall = 1 },
		"models.judge":           func(s *Settings) { s.Models = map[string]string{"judge": "openai/x"} },
		"prompt":                 func(s *Settings) { s.Vision.Settings.Template = "Grade it well." },
		"rubric":                 func(s *Settings) { s.Vision.Tree = &rubric.Tree{Intention: rubric.Node{Description: "a shop"}} },
		"judge.models":           func(s *Settings) { s.Vision.Models = []string{"a/c"} },
		"judge.temperature":      func(s *Settings) { s.Vision.Settings.Temperature = new(float64) },
		"unsafe":                 func(s *Settings) { s.Sandbox.Unsafe = true },
		"judge.repeats":          func(s *Settings) { s.Vision.Repeats = 3 },
		"judge.protocols":        func(s *Settings) { s.Vision.Protocols = []string{"static"} },
		"judge.asked.CodeTokens": func(s *Settings) { s.Vision.Settings.CodeTokens = 7 },
		"judge.images.Quality":   func(s *Settings) { s.Vision.Images.Quality = 50 },
		"cases":                  func(s *Settings) { s.Interact.Cases[0].Task = "u" },
		"interact.by":            func(s *Settings) { s.Interact.Method = explore.Explorer{} },
		"interact.n":             func(s *Settings) { s.Interact.N = 5 },
		"interact.verify.Model": func(s *Settings) {
			s.Interact.Method = &verify.Verifier{Settings: verify.Settings{Model: "a/b"}}
		},
		"interact.budget": func(s *Settings) { s.Interact.Method = &verify.Verifier{Explorer: explore.Explorer{Budget: 5}} },
	} {
		d := was.Differences(of(change))
		if len(d) != 1 || !strings.HasPrefix(d[0], name+" (") {
			t.Errorf("%s: differences %q", name, d)
		}
	}
	for name, methods := range map[string][2]interact.Method{
		"scripts":              {script.Scripts{{ID: "s"}}, script.Scripts{{ID: "s", Task: "u"}}},
		"leaves":               {&agent.Agent{}, &agent.Agent{Leaves: []agent.Leaf{{ID: "1"}}}},
		"interact.temperature": {&agent.Agent{}, &agent.Agent{Settings: agent.Settings{Temperature: new(float64)}}},
		"interact.agent.Model": {&agent.Agent{}, &agent.Agent{Settings: agent.Settings{Model: "a/b"}}},
		"interact.budget":      {explore.Explorer{}, explore.Explorer{Budget: 5}},
	} {
		one := of(func(s *Settings) { s.Interact.Method = methods[0] })
		other := of(func(s *Settings) { s.Interact.Method = methods[1] })
		if d := one.Differences(other); len(d) != 1 || !strings.HasPrefix(d[0], name+" (") {
			t.Errorf("%s: differences %q", name, d)
		}
	}
	for name, change := range map[string]func(*Settings){
		"concurrency": func(s *Settings) { s.Concurrency = 9 },
		"cache":       func(s *Settings) { s.CacheDir, s.NoCache = "elsewhere", true },
	} {
		if d := was.Differences(of(change)); d != nil {
			t.Errorf("%s: differences %q", name, d)
		}
	}
}

// A cache key has nothing of the tools that the provenance does not have.
func TestProvenanceNamesTheToolsOfEveryStage(t *testing.T) {
	t.Parallel()
	p := pipe(t, nil)
	m, err := p.Provenance(t.Context(), recipe(t, "relook"), recipe(t, "looks"))
	must(t, err)
	browser, err := p.BrowserVersion(t.Context())
	must(t, err)
	if m.Browser != browser || m.Fonts == "" || m.Vitrine != vitrine.Version || len(m.Fingerprint()) != 32 {
		t.Errorf("got %+v", m)
	}
	if want := []string{recipe(t, "looks").ID(), recipe(t, "relook").ID()}; !slices.Equal(m.Recipes, want) {
		t.Errorf("recipes %q, want %q", m.Recipes, want)
	}
	for tool, version := range map[string]string{"capture": capture.Version, "interact": interact.Version, "verify": verify.Version, "agent": agent.Version(), "prompts": vlm.Prompts()} {
		if version == "" || m.Tools[tool] != version {
			t.Errorf("%s is %q, not %q", tool, m.Tools[tool], version)
		}
	}
	r, err := p.build(t.Context(), unreadable)
	must(t, err)
	if tools := r.Key.Parts["tools"]; m.Tools["builders"] != tools {
		t.Errorf("builders %q, in keys %q", m.Tools["builders"], tools)
	}
	again, err := p.WithRecipe(recipe(t, "relook")).Provenance(t.Context(), recipe(t, "relook"))
	must(t, err)
	if again.Fingerprint() != m.Fingerprint() {
		t.Errorf("by way of another recipe: %q", m.Differences(again))
	}
}

// What the first recipe does not read is there for one that does.
func TestEachRecipeHasItsSiteExercised(t *testing.T) {
	t.Parallel()
	p := pipe(t, func(s *Settings) { s.Interact, s.InteractAuto = &interact.Settings{Method: explore.Explorer{}}, true })
	if p.settings.Interact != nil {
		t.Error("looks reads nothing of interactions, and sites are exercised for it")
	}
	if p.WithRecipe(recipe(t, "relook")).WithRecipe(recipe(t, "aescoder")).settings.Interact == nil {
		t.Error("aescoder reads what came of interactions, and no site is exercised for it")
	}
}
