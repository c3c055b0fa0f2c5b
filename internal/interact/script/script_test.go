package script

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// every is a script with every form of the language.
const every = `
- id: all-1
  task: "Try everything: it has to work"
  expected: It does
  category: Functional Testing
  route: /shop
  steps:
    - click: {role: button, name: Add to cart, nth: 2}
    - double_click: {text: "Title"}
    - right_click: {css: "#list > li"}
    - hover: {label: Menu}
    - type: {into: {placeholder: "E-mail"}, text: ""}
    - clear: {role: textbox}
    - press: Enter
    - press: {key: ArrowLeft, times: 3, in: {css: canvas}}
    - press: " "
    - select: {in: {label: Country}, option: "France"}
    - check: {label: I agree}
    - uncheck: {label: I agree}
    - drag: {from: {text: A}, to: {point: [500, 12.5]}}
    - drag: {from: {role: slider}, by: [-120, 0]}
    - scroll: {by: 600}
    - scroll: {in: {css: .list}, by: -20.5}
    - scroll: {to: {text: Imprint}}
    - upload: {into: {css: "input[type=file]"}, file: photo.png}
    - back: true
    - reload: true
    - wait: 60000
    - expect: {text: "Total: $78"}
    - expect: {no_text: Error, weight: 2.5}
    - expect: {visible: {role: dialog}, optional: true}
    - expect: {hidden: {text: "no"}, weight: 3, optional: true}
    - expect: {count: {of: {css: li}, at_least: 3}}
    - expect: {count: {of: {css: li}, at_most: 0}}
    - expect: {value: {of: {label: Name}, is: ""}}
    - expect: {value: {of: {label: Name}, contains: "true"}}
    - expect: {checked: {label: I agree}}
    - expect: {unchecked: {label: I agree}}
    - expect: {enabled: {role: button}}
    - expect: {disabled: {role: button}}
    - expect: {focused: {label: Name}}
    - expect: {attribute: {of: {css: a}, name: aria-expanded, is: "true"}}
    - expect: {style: {of: {css: body}, property: background-color, contains: "rgb(0"}}
    - expect: {url: "/cart?x=1#y"}
    - expect: {dialog: Sure}
    - expect: {storage: {key: theme, contains: dark}}
    - expect: {changed: screen}
    - expect: {scrolled: down}
    - expect: {console_error: none}
    - expect_any: [{text: "1 item"}, {count: {of: {css: .badge}, is: 1}}]
    - expect_any: [{text: "one"}]
`

func mustParse(t *testing.T, text string) []Script {
	t.Helper()
	scripts, err := Parse("test.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}

func TestEveryFormIsRead(t *testing.T) {
	s := mustParse(t, every)[0]
	want := map[int]Step{
		0:  {Do: &vitrine.Action{Kind: vitrine.ActClick, Target: &vitrine.Target{Role: "button", Name: "Add to cart", Nth: 2}}},
		4:  {Do: &vitrine.Action{Kind: vitrine.ActType, Target: &vitrine.Target{Placeholder: "E-mail"}}},
		7:  {Do: &vitrine.Action{Kind: vitrine.ActPress, Text: "ArrowLeft", Times: 3, Target: &vitrine.Target{CSS: "canvas"}}},
		12: {Do: &vitrine.Action{Kind: vitrine.ActDrag, Target: &vitrine.Target{Text: "A"}, To: &vitrine.Target{Point: []float64{500, 12.5}}}},
		13: {Do: &vitrine.Action{Kind: vitrine.ActDrag, Target: &vitrine.Target{Role: "slider"}, DX: -120}},
		15: {Do: &vitrine.Action{Kind: vitrine.ActScroll, Target: &vitrine.Target{CSS: ".list"}, DY: -20.5}},
		16: {Do: &vitrine.Action{Kind: vitrine.ActScroll, Target: &vitrine.Target{Text: "Imprint"}}},
		20: {Do: &vitrine.Action{Kind: vitrine.ActWait, MS: 60000}},
		22: {Expect: []Condition{{Kind: KindNoText, Text: "Error"}}, Weight: 2.5},
		25: {Expect: []Condition{{Kind: KindCount, Of: &vitrine.Target{CSS: "li"}, Compare: CompareAtLeast, N: 3}}, Weight: 1},
		34: {Expect: []Condition{{Kind: KindAttribute, Of: &vitrine.Target{CSS: "a"}, Key: "aria-expanded", Compare: CompareIs, Text: "true"}}, Weight: 1},
		42: {Expect: []Condition{{Kind: KindText, Text: "1 item"}, {Kind: KindCount, Of: &vitrine.Target{CSS: ".badge"}, Compare: CompareIs, N: 1}}, Weight: 1},
	}
	for i, step := range want {
		if diff := cmp.Diff(step, s.Steps[i]); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
	}
	if s.Route != "/shop" || s.Category != "Functional Testing" || s.ID != "all-1" {
		t.Errorf("got %+v", s)
	}
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	scripts := mustParse(t, every)
	again, err := Parse("again.yaml", Write(scripts...))
	if err != nil {
		t.Fatalf("%v\n%s", err, Write(scripts...))
	}
	if diff := cmp.Diff(scripts, again); diff != "" {
		t.Error(diff)
	}
}

func TestJSONIsReadToo(t *testing.T) {
	s := mustParse(t, `{"task":"Say \u00fc \"hi\"","steps":[{"click":{"role":"button","name":"Grüße & <b>","nth":0}},{"expect":{"text":"a: b"}}]}`)[0]
	if s.Task != `Say ü "hi"` || s.Steps[0].Do.Target.Name != "Grüße & <b>" || s.Steps[1].Expect[0].Text != "a: b" {
		t.Errorf("got %+v", s)
	}
}

func TestWrongScriptsAreRefusedWithLineAndFix(t *testing.T) {
	steps := func(s string) string { return "- task: T\n  steps:\n" + s + "    - expect: {text: a}\n" }
	for name, c := range map[string]struct{ text, want string }{
		"empty":             {"", "the file is empty"},
		"two documents":     {"- a\n---\n- b\n", "holds several"},
		"no YAML":           {"- task: [", ":1:"},
		"unquoted colon":    {"- task: a: b\n  steps: []\n", "quotes"},
		"no task":           {"- steps:\n  - expect: {text: a}\n", "task is missing"},
		"checks nothing":    {"- task: T\n  steps:\n    - back: true\n", "checks nothing"},
		"only optional":     {"- task: T\n  steps:\n    - expect: {text: a, optional: true}\n", "checks nothing"},
		"no steps":          {"- task: T\n  steps: []\n", "want 1 to 100 items"},
		"unknown key":       {"- task: T\n  stepps: []\n", `:2: [0].stepps: unknown key (did you mean "steps"?)`},
		"unknown step":      {steps("    - clik: {text: a}\n"), `:3: [0].steps[0].clik: unknown key (did you mean "click"?)`},
		"unknown condition": {steps("    - expect: {texts: a}\n"), `did you mean "text"?`},
		"two in one":        {steps("    - {click: {text: a}, hover: {text: a}}\n"), "want one thing a step"},
		"two conditions":    {steps("    - expect: {text: a, url: b}\n"), "want one condition, got 2"},
		"no condition":      {steps("    - expect: {weight: 2}\n"), "want one condition, got 0"},
		"weight 0":          {steps("    - expect: {text: a, weight: 0}\n"), "above 0"},
		"weight below 0":    {steps("    - expect: {text: a, weight: -1}\n"), "from 0 to 100"},
		"no text":           {steps("    - expect: {text: 12}\n"), `put it in quotes: "12"`},
		"yes for a text":    {steps("    - expect: {text: true}\n"), `put it in quotes: "true"`},
		"null":              {steps("    - expect: {text: }\n"), "want text, got nothing"},
		"blank":             {steps("    - expect: {text: ' '}\n"), "must not be empty"},
		"two ways":          {steps("    - click: {text: a, css: b}\n"), "got 2 of them"},
		"no way":            {steps("    - click: {nth: 1}\n"), "got 0 of them"},
		"mark":              {steps("    - click: {mark: 3}\n"), "unknown key"},
		"name alone":        {steps("    - click: {text: a, name: b}\n"), "name goes with role"},
		"text target":       {steps("    - click: Save\n"), `want a mapping such as {role: …}, got the text "Save"`},
		"point outside":     {steps("    - click: {point: [500, 1001]}\n"), "from 0 to 1000"},
		"point of one":      {steps("    - click: {point: [500]}\n"), "two numbers"},
		"point with nth":    {steps("    - click: {point: [5, 5], nth: 2}\n"), "takes no nth"},
		"type without text": {steps("    - type: {into: {label: a}}\n"), "text is missing"},
		"drag nowhere":      {steps("    - drag: {from: {text: a}}\n"), "either to"},
		"scroll both":       {steps("    - scroll: {by: 3, to: {text: a}}\n"), "either by"},
		"scroll text":       {steps("    - scroll: {by: down}\n"), `want a number from -20000 to 20000, got the text "down"`},
		"upload a path":     {steps("    - upload: {into: {css: input}, file: ../a}\n"), "without folders"},
		"back to":           {steps("    - back: 2\n"), "want true, got 2"},
		"wait too long":     {steps("    - wait: 60001\n"), "from 1 to 60000"},
		"wait in parts":     {steps("    - wait: 1.5\n"), "whole number"},
		"route":             {"- task: T\n  route: shop\n  steps: [{expect: {text: a}}]\n", "begins with /"},
		"ids twice":         {"- {id: a, task: T, steps: [{expect: {text: a}}]}\n- {id: a, task: T, steps: [{expect: {text: a}}]}\n", "there twice"},
		"is and contains":   {steps("    - expect: {value: {of: {css: a}, is: a, contains: a}}\n"), "one of is, contains"},
		"count of nothing":  {steps("    - expect: {count: {is: 3}}\n"), "want of and one of"},
		"count below 0":     {steps("    - expect: {count: {of: {css: a}, is: -1}}\n"), "from 0 to 199"},
		"changed what":      {steps("    - expect: {changed: all}\n"), "want screen or text or dom"},
		"alias":             {"- task: &a T\n  steps: [{expect: {text: *a}}]\n", "anchors (&), aliases (*)"},
		"same key twice":    {"- task: T\n  task: U\n  steps: [{expect: {text: a}}]\n", "already defined"},
		"too many steps":    {steps(strings.Repeat("    - reload: true\n", 100)), "want 1 to 100 items, got 101"},
		"too long a text":   {steps("    - expect: {text: " + strings.Repeat("a", 2001) + "}\n"), "at most 2000 letters"},
		"too long a file":   {strings.Repeat("# comment\n", 30_000), "longer than 262144 bytes"},
		"nested":            {strings.Repeat("[", 100_000), "nested at most"},
		"nested dashes":     {strings.Repeat("- ", 100_000), "nested at most"},
		"no UTF-8":          {"- task: \xff\n", "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("test.yaml", []byte(c.text))
			var fault *vitrine.Fault
			if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
				t.Fatalf("got %v", err)
			}
			if !strings.HasPrefix(fault.Message, "test.yaml:") || !strings.Contains(fault.Message, c.want) {
				t.Errorf("got %s\nwant %s in it", fault.Message, c.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(every)
	f.Add(`{"task":"T","steps":[{"expect":{"text":"a\u2028\u0000b"}}]}`)
	for _, name := range unitSet(f) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		scripts, err := Parse("fuzz.yaml", []byte(text))
		if err != nil {
			return
		}
		written := Write(scripts...)
		again, err := Parse("again.yaml", written)
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if diff := cmp.Diff(scripts, again); diff != "" {
			t.Fatalf("%s\n%s", diff, written)
		}
	})
}

// unitSet is the files of the unit set's scripts.
func unitSet(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../../../testdata/interact/scripts/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	return names
}
