package reward_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/reward"
)

// Every message names file, line and field, and says what is valid there.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	const part = "parts:\n  a: {from: vision.total, weight: 1}\n"
	tests := []struct {
		name, text string
		want       []string // pieces of the message
	}{
		{"empty", "", []string{"my.yaml:1: ", "empty"}},
		{"only a comment", "# nothing\n", []string{"my.yaml:1: ", "empty"}},
		{"not YAML", "parts:\n  a: [1, 2\n", []string{"my.yaml:2: not YAML: "}},
		{"a tab", "parts:\n\ta: 1\n", []string{"my.yaml:2: not YAML: "}},
		{"two documents", part + "---\n" + part, []string{"my.yaml:1: ", "one YAML document"}},
		{"too long", "#" + strings.Repeat("x", 70_000), []string{"my.yaml:1: ", "longer than 16384 bytes"}},
		{"key twice", part + "build: strict\nbuild: strict\n", []string{"my.yaml:4: not YAML: ", `"build" already defined`}},
		{"not a mapping", "- 1\n", []string{"my.yaml:1: want a mapping (name, source, ", "got a list"}},
		{"unknown key", part + "combin: sum\n", []string{"my.yaml:3: combin: unknown key", `did you mean "combine"?`, "valid here: name, source, description, profile, build, hint, combine, gates, parts"}},
		{"unknown key of a part", "parts:\n  a:\n    from: vision.total\n    wieght: 1\n", []string{"my.yaml:4: parts.a.wieght: unknown key", `did you mean "weight"?`, "valid here: from, constant, fallback, map, weight"}},
		{"unknown key of a gate", part + "gates:\n  - when: hint.pass\n    iss: 0\n", []string{"my.yaml:5: gates[0].iss: unknown key", "when, is, below, above, fallback, reward, set, stop"}},
		{"wrong type: text", part + "source: [a]\n", []string{"my.yaml:3: source: want text, got a list"}},
		{"wrong type: number", "parts:\n  a:\n    from: vision.total\n    weight: much\n", []string{`my.yaml:4: parts.a.weight: want a finite number, got the text "much"`}},
		{"wrong type: quoted number", "parts:\n  a: {from: vision.total, weight: '1'}\n", []string{`my.yaml:2: parts.a.weight: want a finite number, got the text "1"`}},
		{"wrong type: truth", part + "gates:\n  - {when: hint.pass, is: 0, reward: 0, stop: 1}\n", []string{"my.yaml:4: gates[0].stop: want true or false, got 1"}},
		{"wrong type: list", part + "gates: {when: hint.pass}\n", []string{"my.yaml:3: gates: want a list, got a mapping"}},
		{"wrong type: mapping", "parts:\n  a: 1\n", []string{"my.yaml:2: parts.a: want a mapping (from, constant", "got 1"}},
		{"wrong type: nothing", "parts:\n", []string{"my.yaml:1: parts: want a mapping", "got nothing"}},
		{"wrong type: anchor", "parts:\n  a: {from: vision.total, weight: &w 1}\n", []string{"my.yaml:2: anchors (&), aliases (*) and merge keys (<<) are not read here"}},
		{"wrong type: hint", part + "hint: {id-unique: true}\n", []string{"my.yaml:3: hint: want a list, got a mapping"}},
		{"wrong type: hint rule", part + "hint:\n  - id-unique\n  - 1\n", []string{"my.yaml:5: hint[1]: want text, got 1"}},
		{"hint without rules", part + "hint: []\n", []string{"my.yaml:3: hint: want a list of HTMLHint rules such as"}},
		{"not a number", "parts: {a: {from: vision.total, weight: .nan}}\n", []string{"my.yaml:1: parts.a.weight: want a finite number, got .nan"}},
		{"infinite", "parts: {a: {constant: -.inf, weight: 1}}\n", []string{"my.yaml:1: parts.a.constant: want a finite number, got -.inf"}},
		{"too big", "parts: {a: {constant: 1e999, weight: 1}}\n", []string{"my.yaml:1: parts.a.constant: want a finite number, got "}},
		{"unknown signal", "parts:\n  a: {from: vision.totl, weight: 1}\n", []string{`my.yaml:2: parts.a.from: unknown signal "vision.totl" (did you mean "vision.total"?)`, "signals: format.cot, ", "check.<id>"}},
		{"unknown signal, nothing near", "parts: {a: {from: beauty, weight: 1}}\n", []string{`unknown signal "beauty"; signals: format.cot`}},
		{"unknown fallback", "parts: {a: {from: vision.total, fallback: measured, weight: 1}}\n", []string{`my.yaml:1: parts.a.fallback: unknown signal "measured"`}},
		{"fallback of a wrong type", "parts: {a: {from: vision.total, fallback: [1], weight: 1}}\n", []string{"my.yaml:1: parts.a.fallback: want a signal or a finite number, got a list"}},
		{"fallback out of range", "parts: {a: {from: vision.total, fallback: -1, weight: 1}}\n", []string{"my.yaml:1: parts.a: fallback: want 0 to 100, the range of vision.total, got -1"}},
		{"gate fallback out of range", part + "gates: [{when: hint.pass, is: 0, fallback: 2, reward: 0}]\n", []string{"my.yaml:3: gates[0]: fallback: want 0 to 1, the range of hint.pass, got 2"}},
		{"check without id", "parts: {a: {from: check., weight: 1}}\n", []string{`parts.a.from: unknown signal "check."`}},
		{"unknown build", part + "build: strickt\n", []string{`my.yaml:3: build: want strict or lenient, got "strickt" (did you mean "strict"?)`}},
		{"unknown combine", part + "combine: mean\n", []string{`my.yaml:3: combine: want sum or product, got "mean"`}},
		{"weight missing", "parts:\n  a:\n    from: vision.total\n", []string{"my.yaml:2: parts.a: weight is missing"}},
		{"weight in a product", "combine: product\n" + part, []string{"my.yaml:3: parts.a: a product has no weights"}},
		{"no from", "parts:\n  a: {weight: 1}\n", []string{"my.yaml:2: parts.a: want exactly one of from (a signal) and constant (a number)"}},
		{"from and constant", "parts:\n  a: {from: vision.total, constant: 1, weight: 1}\n", []string{"my.yaml:2: parts.a: want exactly one of from"}},
		{"constant with fallback", "parts:\n  a: {constant: 1, fallback: 2, weight: 1}\n", []string{"my.yaml:2: parts.a: a constant takes no fallback"}},
		{"no parts", "build: strict\n", []string{"my.yaml:1: parts is missing"}},
		{"parts without a part", "parts: {}\n", []string{"my.yaml:1: parts: a recipe needs at least one part"}},
		{"part name", "parts: {A-b: {constant: 1, weight: 1}}\n", []string{"my.yaml:1: parts.A-b: want a name of lower-case letters"}},
		{"recipe name", part + "name: My recipe\n", []string{`my.yaml:3: name: "My recipe" is no name`}},
		{"gate on an unknown part", part + "gates:\n  - when: hint.pass\n    is: 0\n    set: {b: 1}\n", []string{"my.yaml:6: gates[0].set.b: unknown key", "valid here: a"}},
		{"gate without when", part + "gates: [{is: 0, reward: 1}]\n", []string{"my.yaml:3: gates[0]: when is missing: name a signal: format.cot"}},
		{"gate without condition", part + "gates: [{when: hint.pass, reward: 1}]\n", []string{"my.yaml:3: gates[0]: want exactly one of is, below and above"}},
		{"gate with two conditions", part + "gates: [{when: hint.pass, is: 0, above: 0, reward: 1}]\n", []string{"gates[0]: want exactly one of is, below and above"}},
		{"gate without effect", part + "gates: [{when: hint.pass, is: 0}]\n", []string{"my.yaml:3: gates[0]: want reward (the whole value), set"}},
		{"stop too early", "parts:\n  a: {from: vision.total, weight: 1}\n  b: {from: format.code, weight: 1}\ngates:\n  - {when: hint.pass, is: 0, set: {b: 0}, stop: true}\n",
			[]string{"my.yaml:5: gates[0]: stop: part a is found out later than hint.pass"}},
		{"map of one point", "parts: {a: {from: vision.total, map: [[0, 1]], weight: 1}}\n", []string{"my.yaml:1: parts.a.map: want at least two points"}},
		{"map of three numbers", "parts: {a: {from: vision.total, map: [[0, 1, 2], [1, 2]], weight: 1}}\n", []string{"parts.a.map[0]: want a point [signal, part], got 3 numbers"}},
		{"map that turns back", "parts:\n  a:\n    from: vision.total\n    weight: 1\n    map:\n      - [5, 1]\n      - [5, 2]\n", []string{"my.yaml:7: parts.a.map[1]: want points with rising first numbers, got 5 after 5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := reward.Parse("my.yaml", []byte(tt.text))
			var fault *vitrine.Fault
			if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
				t.Fatalf("got %v, %v, want a usage fault with a fix", r, err)
			}
			for _, piece := range tt.want {
				if !strings.Contains(fault.Message, piece) {
					t.Errorf("message: got  %s\nwant it to say %s", fault.Message, piece)
				}
			}
		})
	}
}

func TestParseAll(t *testing.T) {
	t.Parallel()
	got := parse(t, `
name: house.rules-2
source: >
  our own
description: |
  all keys
build: lenient
hint: [id-unique, h1-require]
gates:
  - when: output.tokens
    above: 18446744073709551615
    reward: -1
    set: {b: -0.5}
    stop: true
parts:
  b: {from: check.contrast, fallback: 0.5, map: [[0, -1], [1, 1]], weight: 1e-1}
  a: {constant: -2, weight: 0x10}
`)
	most, least, two, half := 18446744073709551615.0, -1.0, -2.0, 0.5
	want := &reward.Recipe{
		Name: "house.rules-2", Source: "our own\n", Description: "all keys\n",
		Build: reward.BuildLenient, Combine: reward.CombineSum, Hint: reward.HintRules{"id-unique", "h1-require"},
		Gates: []reward.Gate{{When: "output.tokens", Above: &most, Reward: &least, Set: map[string]float64{"b": -0.5}, Stop: true}},
		Parts: map[string]reward.Part{
			"a": {Constant: &two, Weight: 16},
			"b": {From: "check.contrast", Fallback: &reward.Fallback{Number: half}, Map: [][2]float64{{0, -1}, {1, 1}}, Weight: 0.1},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("recipe (-want +got):\n%s", diff)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := dir + "/mine.yaml"
	if err := os.WriteFile(path, []byte("parts: {a: {constant: 1, weight: 2}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := reward.Load(path, os.ReadFile)
	if err != nil || r.Name != "mine" {
		t.Fatalf("got %v, %v, want the recipe mine", r, err)
	}
	_, err = reward.Load("webgen-r2", os.ReadFile)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || vitrine.AsFault("", err).Code != vitrine.FaultUsage {
		t.Fatalf("got %v, want a usage fault", err)
	}
	for _, piece := range []string{`no recipe "webgen-r2"`, "aescoder, drawn, looks, plot, quality, relook, webgen-r1", `did you mean "webgen-r1"?`} {
		if !strings.Contains(err.Error(), piece) {
			t.Errorf("got %s, want it to say %s", err, piece)
		}
	}
}

// The table of signals in the package documentation is what users read.
func TestSignalTableIsComplete(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, err = reward.Parse("x.yaml", []byte("parts: {a: {from: nothing-like-it, weight: 1}}"))
	_, list, ok := strings.Cut(fmt.Sprint(err), "signals: ")
	if !ok {
		t.Fatalf("no list of signals in %v", err)
	}
	names := strings.Split(list, ", ")
	for _, name := range names {
		if !strings.Contains(string(doc), "//\t"+name+" ") {
			t.Errorf("%s is not in the table of doc.go", name)
		}
	}
	if got := strings.Count(string(doc), "//\t") - 1; got != len(names) {
		t.Errorf("the table of doc.go has %d signals, want %d", got, len(names))
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range reward.Builtin() {
		data, err := os.ReadFile("recipes/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("parts: {a: {from: check.x, fallback: 1, map: [[0, 1], [1, .inf]], weight: *w}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := reward.Parse("fuzz.yaml", data)
		if err != nil {
			return
		}
		// What parses must give numbers or a fault, whatever is known.
		for _, v := range []float64{0, 1} {
			s := reward.Signals{Values: map[string]float64{"format.code": v, "render.valid": v, "vision.total": v, "measured.total": v}}
			got, err := r.Reward(s)
			if err == nil && len(got.Parts) != len(r.PartNames()) {
				t.Errorf("%s: parts %v, want %v", r.ID(), got.Parts, r.PartNames())
			}
		}
	})
}
