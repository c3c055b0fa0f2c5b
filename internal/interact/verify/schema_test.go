package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/interact/script"
)

// node is a JSON Schema as far as ours go.
type node struct {
	Type                 string
	AnyOf                []node
	Ref                  string `json:"$ref"`
	Properties           map[string]node
	Required             []string
	AdditionalProperties *bool
	Items                *node
	Enum                 []any
	Defs                 map[string]node `json:"$defs"`
}

// samples are values of a schema, one for each way through it.
func (n node) samples(defs map[string]node) (all []any) {
	switch {
	case n.Ref != "":
		return defs[strings.TrimPrefix(n.Ref, "#/$defs/")].samples(defs)
	case n.AnyOf != nil:
		for _, one := range n.AnyOf {
			all = append(all, one.samples(defs)...)
		}
		return all
	case n.Enum != nil:
		return n.Enum
	case n.Type == "string":
		return []any{"Some text"}
	case n.Type == "integer":
		return []any{2}
	case n.Type == "number":
		return []any{12.5}
	case n.Type == "array":
		first := n.Items.samples(defs)[0]
		return []any{[]any{first, first}}
	}
	return n.objects(defs)
}

// objects vary one property at a time, the others staying at their first value.
func (n node) objects(defs map[string]node) (all []any) {
	names := n.Required
	for i, vary := range names {
		for j, value := range n.Properties[vary].samples(defs) {
			if i > 0 && j == 0 {
				continue // the first of each are together in one
			}
			object := map[string]any{vary: value}
			for _, other := range names {
				if other != vary {
					object[other] = n.Properties[other].samples(defs)[0]
				}
			}
			all = append(all, object)
		}
	}
	return all
}

// Whatever the schema lets pass in a step is read, and providers get objects that are
// closed with every key required.
func TestTheSchemaSpeaksTheLanguage(t *testing.T) {
	var root node
	if err := json.Unmarshal(planSchema(), &root); err != nil {
		t.Fatalf("%v\n%s", err, planSchema())
	}
	talk := &talk{test: vitrine.TestCase{Task: "T"}}
	steps := root.Defs["step"].samples(root.Defs)
	for _, step := range steps {
		text, err := json.Marshal(step)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := talk.read(fmt.Sprintf(`{"reason":"r","route":"/","steps":[%s,{"expect":{"text":"a"}}]}`, text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if len(steps) < 100 {
		t.Errorf("only %d steps", len(steps))
	}
	closed(t, root)
}

func closed(t *testing.T, n node) {
	t.Helper()
	if n.Type == "object" {
		names := slices.Sorted(mapKeys(n.Properties))
		if n.AdditionalProperties == nil || *n.AdditionalProperties || !slices.Equal(names, slices.Sorted(slices.Values(n.Required))) {
			t.Errorf("an object is open: %+v", n)
		}
	}
	for _, p := range n.Properties {
		closed(t, p)
	}
	for _, one := range n.AnyOf {
		closed(t, one)
	}
	for _, d := range n.Defs {
		closed(t, d)
	}
	if n.Items != nil {
		closed(t, *n.Items)
	}
}

func mapKeys(m map[string]node) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// What does not fit is said in words that a model can act on.
func TestAnswersThatDoNotFit(t *testing.T) {
	talk := &talk{test: vitrine.TestCase{Task: "T"}}
	for answer, want := range map[string]string{
		``:                      "empty",
		`[]`:                    "not an object",
		`{"steps":[],"note":1}`: `unknown field "note"`,
		`{"reason":"r"}`:        "want a list, got nothing",
		`{"steps":"click"}`:     "want a list, got the text",
		`{"steps":[{"clik":{"text":"a"}},{"expect":{"text":"a"}}]}`:              `steps[0].clik: unknown key (did you mean "click"?)`,
		`{"steps":[{"click":{"text":"a","nth":0}}]}`:                             "checks nothing",
		`{"steps":[{"expect":{"text":12}}]}`:                                     `put it in quotes: "12"`,
		`{"steps":[{"expect":{"text":"a"}}],"route":"cart"}`:                     "begins with /",
		`{"steps":[{"click":{"mark":3}},{"expect":{"text":"a"}}]}`:               "unknown key",
		`{"steps":[{"click":{"text":"a"}},{"expect":{"text":"a","weight":-1}}]}`: "from 0 to 100",
	} {
		if _, err := talk.read(answer); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "answer:1") {
			t.Errorf("%s: got %v, want %s", answer, err, want)
		}
	}
}

func TestAnswersWithLettersOfAllKinds(t *testing.T) {
	talk := &talk{test: vitrine.TestCase{Task: "T"}}
	s, err := talk.read(`{"reason":"r","route":"\/a","steps":[{"expect":{"text":"\ud83d\ude00 \u00fc \"<\/b>\" \\ \n\t& #: {x}"}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Steps[0].Expect[0].Text, "😀 ü \"</b>\" \\ \n\t& #: {x}"; got != want || s.Route != "/a" {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever the test case says, the script can be saved and read again.
func TestScriptsOfOddTestCasesCanBeSaved(t *testing.T) {
	for _, task := range []string{"", "  ", "a: b # c\n\t\"d\"", "\xff\x00", strings.Repeat("ü", 5000), "- yes"} {
		talk := &talk{test: vitrine.TestCase{Task: task, ExpectedResult: task, Category: task}}
		s, err := talk.read(`{"reason":"r","route":"/","steps":[{"expect":{"text":"a"}}]}`)
		if err != nil {
			t.Fatal(err)
		}
		again, err := script.Parse("saved.yaml", script.Write(s))
		if err != nil {
			t.Fatalf("%q: %v", task, err)
		}
		if diff := cmp.Diff(s, again[0]); diff != "" {
			t.Errorf("%q: %s", task, diff)
		}
	}
}
