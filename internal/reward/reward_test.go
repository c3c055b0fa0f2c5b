package reward_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/reward"
)

// A vector is one case of testdata/vectors/reward: language-neutral, so that
// another implementation can run it too.
type vector struct {
	Name    string
	Recipe  string
	Signals map[string]float64
	Missing map[string]string
	Want    struct {
		Value     float64
		Parts     map[string]float64
		Gate      string
		Fallbacks []vitrine.Fallback
		Error     string
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/vectors/reward/*.json")
	if err != nil || len(files) != len(reward.Builtin()) {
		t.Fatalf("vector files: got %v (%v), want one a recipe", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(data, &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range vectors {
			t.Run(v.Recipe+"/"+v.Name, func(t *testing.T) {
				t.Parallel()
				runVector(t, v)
			})
		}
	}
}

func runVector(t *testing.T, v vector) {
	r := load(t, v.Recipe)
	got, err := r.Reward(reward.Signals{Values: v.Signals, Missing: v.Missing})
	if v.Want.Error != "" {
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Stage != "reward" || fault.Message != v.Want.Error {
			t.Fatalf("error: got %v, want a fault of stage reward: %s", err, v.Want.Error)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	want := vitrine.Reward{Recipe: r.ID(), Value: v.Want.Value, Parts: v.Want.Parts, Gate: v.Want.Gate, Fallbacks: v.Want.Fallbacks}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("reward (-want +got):\n%s", diff)
	}
}

func load(t *testing.T, name string) *reward.Recipe {
	t.Helper()
	r, err := reward.Load(name, func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t *testing.T, text string) *reward.Recipe {
	t.Helper()
	r, err := reward.Parse("my.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestBuiltin(t *testing.T) {
	t.Parallel()
	want := map[string]struct {
		parts []string
		needs string // the prefixes, of those below, that it asks for
		build string
	}{
		"webgen-r1": {[]string{"code", "cot", "func_vis"}, "format. render. measured. vision.", reward.BuildLenient},
		"aescoder":  {[]string{"exec", "interact", "static"}, "html. hint. render. measured. vision. interact.", reward.BuildStrict},
		"relook":    {[]string{"len", "mllm"}, "output.tokens render. measured. vision.", reward.BuildStrict},
		"drawn":     {[]string{"drawn"}, "render.", reward.BuildStrict},
		"plot":      {[]string{"looks"}, "render. vision.", reward.BuildStrict},
		"quality":   {[]string{"content", "function", "looks"}, "render. measured. vision. interact.", reward.BuildStrict},
		"looks":     {[]string{"looks"}, "render. measured. vision.", reward.BuildStrict},
	}
	if diff := cmp.Diff([]string{"aescoder", "drawn", "looks", "plot", "quality", "relook", "webgen-r1"}, reward.Builtin()); diff != "" {
		t.Errorf("Builtin (-want +got):\n%s", diff)
	}
	for name, w := range want {
		r := load(t, name)
		if diff := cmp.Diff(w.parts, r.PartNames()); diff != "" {
			t.Errorf("%s: parts (-want +got):\n%s", name, diff)
		}
		var needs []string
		for _, prefix := range []string{"format.", "html.", "hint.", "output.tokens", "render.", "measured.", "vision.", "interact.", "check."} {
			if r.Needs(prefix) {
				needs = append(needs, prefix)
			}
		}
		if got := strings.Join(needs, " "); got != w.needs {
			t.Errorf("%s: needs %q, want %q", name, got, w.needs)
		}
		if r.Name != name || r.Source == "" || r.Description == "" || r.Build != w.build {
			t.Errorf("%s: name %q, source %q, description %q, build %q", name, r.Name, r.Source, r.Description, r.Build)
		}
	}
}

// A run is compared and resumed by the ID of its recipe: it must change with
// anything that can change a value, and with nothing else.
func TestID(t *testing.T) {
	t.Parallel()
	base := "name: my\nparts: {looks: {from: vision.total, fallback: 50, map: [[0, 0], [100, 1]], weight: 2}}\n"
	id := parse(t, base).ID()
	if name, hash, ok := strings.Cut(id, "@"); name != "my" || !ok || len(hash) != 8 {
		t.Errorf("ID: got %s, want my@ and 8 digits", id)
	}
	for _, text := range []string{
		base + "source: a book\ndescription: |\n  in other words\n",
		base + "# a comment\nbuild: strict\ncombine: sum\n",
		"parts:\n  looks:\n    weight: 2.0\n    from: vision.total\n    map: [[0,0],[100,1]]\n    fallback: 50\n",
	} {
		if got := parse(t, text).ID(); got != id {
			t.Errorf("same recipe, other ID: got %s, want %s for\n%s", got, id, text)
		}
	}
	seen := map[string]string{id: base}
	for _, change := range [][2]string{
		{"weight: 2", "weight: 3"}, {"fallback: 50", "fallback: 0"}, {"fallback: 50", "fallback: measured.total"}, {"[100, 1]", "[100, 2]"},
		{"vision.total", "vision.visual"}, {"looks", "sight"}, {"name: my", "name: my\nbuild: lenient"},
		{"name: my", "name: my\nhint: [id-unique]"}, {", weight: 2}}", "}}\ncombine: product"},
		{"name: my", "name: my\ngates: [{when: hint.pass, is: 0, reward: 0}]"},
		{"name: my", "name: my\ngates: [{when: hint.pass, below: 0, reward: 0}]"},
		{"name: my", "name: my\ngates: [{when: hint.pass, is: 0, reward: 0, stop: true}]"},
		{"name: my", "name: my\ngates: [{when: hint.pass, is: 0, reward: 0, fallback: 1}]"},
	} {
		text := strings.Replace(base, change[0], change[1], 1)
		got := parse(t, text).ID()
		if other, ok := seen[got]; ok {
			t.Errorf("other recipe, same ID %s:\n%s\n%s", got, other, text)
		}
		seen[got] = text
	}
}

func TestStopGate(t *testing.T) {
	t.Parallel()
	webgen := strings.Replace(shipped(t, "webgen-r1"), "set: {func_vis: 0}\n", "set: {func_vis: 0}\n    stop: true\n", 1)
	tests := []struct {
		name   string
		recipe *reward.Recipe
		known  map[string]float64
		want   string // of the gate; empty for none
	}{
		{"nothing known", load(t, "aescoder"), nil, ""},
		{"no HTML", load(t, "aescoder"), map[string]float64{"html.present": 0}, "html.present is 0"},
		{"hint", load(t, "aescoder"), map[string]float64{"html.present": 1, "hint.pass": 0}, "hint.pass is 0"},
		{"a fallback does not stop", parse(t, gated("{when: check.axe, below: 0.5, fallback: 0, reward: 0, stop: true}")), nil, ""},
		{"all well", load(t, "aescoder"), map[string]float64{"html.present": 1, "hint.pass": 1}, ""},
		{"not marked stop", load(t, "aescoder"), map[string]float64{"render.valid": 0}, ""},
		{"webgen-r1 goes on", load(t, "webgen-r1"), map[string]float64{"format.code": 0}, ""},
		{"webgen-r1 with one more line", parse(t, webgen), map[string]float64{"format.code": 0}, "format.code is 0"},
		{"above", parse(t, gated("{when: output.tokens, above: 100, reward: 0, stop: true}")), map[string]float64{"output.tokens": 101}, "output.tokens above 100"},
		{"not above", parse(t, gated("{when: output.tokens, above: 100, reward: 0, stop: true}")), map[string]float64{"output.tokens": 100}, ""},
		{"below", parse(t, gated("{when: check.contrast, below: 0.5, reward: 0, stop: true}")), map[string]float64{"check.contrast": 0.25}, "check.contrast below 0.5"},
		{"not below", parse(t, gated("{when: check.contrast, below: 0.5, reward: 0, stop: true}")), map[string]float64{"check.contrast": 0.5}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := tt.recipe.StopGate(reward.Signals{Values: tt.known})
			if ok != (tt.want != "") || ok && got.String() != tt.want {
				t.Errorf("got %v, %v, want %q", got, ok, tt.want)
			}
		})
	}
}

func shipped(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("recipes/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func gated(gates string) string {
	return "gates: [" + gates + "]\nparts: {looks: {from: vision.total, weight: 1}, exec: {constant: 1, weight: 0.5}}"
}

// Gates of recipes that users write: their order, what they fix, and what an
// unknown signal does to them.
func TestGates(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, gates string
		known       map[string]float64
		value       float64
		gate        string
		fault       vitrine.FaultCode
	}{
		{name: "none fires", gates: "{when: hint.pass, is: 0, reward: -1}",
			known: map[string]float64{"hint.pass": 1, "vision.total": 40}, value: 40.5},
		{name: "first to set a part wins", gates: "{when: hint.pass, is: 0, set: {looks: 3}}, {when: render.valid, is: 0, set: {looks: 5, exec: 0}}",
			known: map[string]float64{"hint.pass": 0, "render.valid": 0}, value: 3, gate: "hint.pass is 0"},
		{name: "a reward further down decides", gates: "{when: hint.pass, is: 0, set: {looks: 3}}, {when: render.valid, is: 0, reward: -7}",
			known: map[string]float64{"hint.pass": 0, "render.valid": 0}, value: -7, gate: "render.valid is 0"},
		{name: "a gate that has nothing left to fix is not named", gates: "{when: hint.pass, is: 0, set: {looks: 3, exec: 0}}, {when: render.valid, is: 0, set: {looks: 1}}",
			known: map[string]float64{"hint.pass": 0, "render.valid": 0}, value: 3, gate: "hint.pass is 0"},
		{name: "unknown behind a gate that decided", gates: "{when: hint.pass, is: 0, reward: -1}, {when: render.valid, is: 0, reward: -7}",
			known: map[string]float64{"hint.pass": 0}, value: -1, gate: "hint.pass is 0"},
		{name: "unknown before a stop gate that fired", gates: "{when: render.valid, is: 0, reward: -7}, {when: hint.pass, is: 0, reward: -1, stop: true}",
			known: map[string]float64{"hint.pass": 0}, value: -1, gate: "hint.pass is 0"},
		{name: "unknown and it matters", gates: "{when: render.valid, is: 0, reward: -7}",
			known: map[string]float64{"vision.total": 40}, fault: vitrine.FaultJudge},
		{name: "unknown and its fallback fires", gates: "{when: check.axe, below: 0.5, fallback: 0, reward: -7}",
			known: map[string]float64{"vision.total": 40}, value: -7, gate: "check.axe below 0.5"},
		{name: "unknown and its fallback does not fire", gates: "{when: check.axe, below: 0.5, fallback: 1, reward: -7}",
			known: map[string]float64{"vision.total": 40}, value: 40.5},
		{name: "gate on nonsense", gates: "{when: render.valid, is: 0, reward: -7}",
			known: map[string]float64{"render.valid": math.NaN(), "vision.total": 40}, fault: vitrine.FaultInternal},
		{name: "part from nonsense", gates: "{when: hint.pass, is: 0, reward: -1}",
			known: map[string]float64{"hint.pass": 1, "vision.total": -1}, fault: vitrine.FaultInternal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(t, gated(tt.gates)).Reward(reward.Signals{Values: tt.known})
			if tt.fault != "" {
				if fault := vitrine.AsFault("", err); err == nil || fault.Code != tt.fault {
					t.Errorf("got %v, want a fault with code %s", err, tt.fault)
				}
				return
			}
			if err != nil || got.Value != tt.value || got.Gate != tt.gate {
				t.Errorf("got %+v (%v), want %v by %q", got, err, tt.value, tt.gate)
			}
			if len(got.Parts) != 2 {
				t.Errorf("parts: got %v, want all keys", got.Parts)
			}
		})
	}
}

func TestFallbackOutOfRange(t *testing.T) {
	t.Parallel()
	r := parse(t, "parts: {looks: {from: vision.total, fallback: measured.total, weight: 1}}")
	_, err := r.Reward(reward.Signals{Values: map[string]float64{"measured.total": 101}})
	if err == nil || vitrine.AsFault("", err).Code != vitrine.FaultInternal {
		t.Errorf("got %v, want an internal fault", err)
	}
}

func TestMap(t *testing.T) {
	t.Parallel()
	r := parse(t, "parts: {p: {from: output.tokens, map: [[10, 1], [20, 3], [30, -1]], weight: 1}}")
	for x, want := range map[float64]float64{0: 1, 10: 1, 15: 2, 20: 3, 25: 1, 30: -1, 99: -1} {
		got, err := r.Reward(reward.Signals{Values: map[string]float64{"output.tokens": x}})
		if err != nil || got.Value != want {
			t.Errorf("at %v: got %v (%v), want %v", x, got.Value, err, want)
		}
	}
}

func TestOverflowIsAFault(t *testing.T) {
	t.Parallel()
	r := parse(t, "parts: {p: {from: output.tokens, weight: 1e308}}")
	_, err := r.Reward(reward.Signals{Values: map[string]float64{"output.tokens": 1e10}})
	if err == nil || vitrine.AsFault("", err).Code != vitrine.FaultUsage {
		t.Errorf("got %v, want a usage fault", err)
	}
}
