package answer

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExtractFindsTheOneObject(t *testing.T) {
	t.Parallel()
	const want = `{"grade":4}`
	for name, text := range map[string]string{
		"alone":               `{"grade":4}`,
		"spaced":              "\n { \"grade\" : 4 }\n",
		"byte order mark":     "\ufeff{\"grade\":4}",
		"fenced":              "```json\n{\"grade\": 4}\n```",
		"prefixed":            `Here is my answer: {"grade":4}`,
		"suffixed":            `{"grade":4} I hope this helps.`,
		"in Markdown":         "**Answer**\n\n> {\"grade\":4}\n",
		"doubled":             `{"grade":4}{"grade":4}`,
		"doubled and fenced":  "{\"grade\":4}\n```json\n{ \"grade\": 4 }\n```",
		"after thoughts":      "<think>maybe {\"grade\":2}? no</think>\n{\"grade\":4}",
		"beside placeholders": `I replaced {name} and {{ title }} by words. {"grade":4}`,
	} {
		got, err := Extract(text)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
}

func TestExtractKeepsBracesAndQuotesInStrings(t *testing.T) {
	t.Parallel()
	const object = `{"feedback":"a } brace, a \"quote\" and { another"}`
	got, err := Extract("Well: " + object + " and so on")
	if err != nil || string(got) != object {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestExtractNeverGuesses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "empty"},
		"blanks":                {" \n", "empty"},
		"words":                 {"I would give it a 4.", "no JSON object"},
		"a number":              {"4", "not an object"},
		"a list of objects":     {`[{"grade":4}]`, "not an object"},
		"two that differ":       {`{"grade":4} or rather {"grade":5}`, "differ"},
		"a draft and the real":  {"Draft:\n{\"grade\":2}\nFinal:\n{\"grade\":4}", "differ"},
		"cut off":               {`{"analysis":"it is`, "cut off"},
		"cut off after another": {`{"grade":4} {"grade":`, "cut off"},
		"unfinished thoughts":   {`<think>{"grade":4}`, "within <think>"},
		"NaN":                   {`{"grade":NaN}`, "malformed"},
		"a comment":             {`{"grade":4 /* good */}`, "malformed"},
		"single quotes":         {`{'grade':4}`, "no JSON object"},
		"a trailing comma":      {`{"grade":4,}`, "malformed"},
		"an object in a broken": {`{"draft": x {"grade":4}}`, "malformed"},
		"fields without braces": {`"grade": 4`, "no JSON object"},
	} {
		got, err := Extract(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %s and error %v, want one with %q", name, got, err, c.want)
		}
	}
}

func TestExtractOfMuchIsLinear(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("{", 1<<20), strings.Repeat(`{"a":`, 1<<18), strings.Repeat(`{} `, 1<<15), strings.Repeat(`{"a`, 1<<18)} {
		_, _ = Extract(text) // ends: a quadratic reading would not within the test's time
	}
}

var grade = Object(
	Field{"analysis", Text(10)},
	Field{"grade", Integer(0, 5)},
	Field{"share", Number(0, 1)},
	Field{"verdict", Choice("A", "B")},
	Field{"sure", Bool()},
	Field{"list", List(Text(5), 2)},
)

const good = `{"analysis":"fine","grade":4,"share":0.5,"verdict":"A","sure":true,"list":["x"]}`

func TestCheckTakesWhatFits(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		good,
		strings.Replace(good, `"grade":4`, `"grade":4.0`, 1), // JSON has one kind of number
		strings.Replace(good, `"grade":4`, `"grade":0`, 1),
		strings.Replace(good, `["x"]`, `[]`, 1),
	} {
		if err := grade.Check([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestCheckNamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	for change, want := range map[[2]string]string{
		{`"grade":4`, `"grade":"4"`}:                      `grade: want an integer, got the string "4"`,
		{`"grade":4`, `"grade":"35-40"`}:                  `grade: want an integer, got the string "35-40"`,
		{`"grade":4`, `"grade":"8/10"`}:                   `grade: want an integer, got the string "8/10"`,
		{`"grade":4`, `"grade":3.5`}:                      "grade: 3.5 is no whole number",
		{`"grade":4`, `"grade":6`}:                        "grade: 6 is out of range, want 0 to 5",
		{`"grade":4`, `"grade":-1`}:                       "grade: -1 is out of range",
		{`"grade":4`, `"grade":1e999`}:                    "grade: 1e999 is out of range",
		{`"grade":4`, `"grade":null`}:                     "grade: want an integer, got null",
		{`"grade":4`, `"grade":[4]`}:                      "grade: want an integer, got an array",
		{`"grade":4`, `"grade":4,"grade":5`}:              "grade: this key is there twice",
		{`"grade":4`, `"grade":4,"bonus":1`}:              "bonus: unknown key",
		{`"grade":4,`, ``}:                                "grade: missing",
		{`"grade":4`, `"Grade":4`}:                        "Grade: unknown key; grade: missing",
		{`"share":0.5`, `"share":true`}:                   "share: want a number, got a boolean",
		{`"verdict":"A"`, `"verdict":"a"`}:                `verdict: "a" is none of A, B`,
		{`"verdict":"A"`, `"verdict":"A is better"`}:      "is none of",
		{`"sure":true`, `"sure":"true"`}:                  "sure: want a boolean",
		{`"sure":true`, `"sure":1`}:                       "sure: want a boolean",
		{`"analysis":"fine"`, `"analysis":" "`}:           "analysis: must not be empty",
		{`"analysis":"fine"`, `"analysis":"0123456789a"`}: "analysis: has 11 characters, want at most 10",
		{`["x"]`, `["x","y","z"]`}:                        "list: has 3 items, want at most 2",
		{`["x"]`, `["x",1]`}:                              "list[1]: want a string",
		{`["x"]`, `{"x":1}`}:                              "list: want an array",
	} {
		raw := strings.Replace(good, change[0], change[1], 1)
		if raw == good {
			t.Fatalf("%q is not in the answer", change[0])
		}
		if err := grade.Check([]byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", change[1], err, want)
		}
	}
}

func TestCheckOfWhatIsNoObject(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{``, `4`, `null`, `"{}"`, `{`, `{}x`, `[` + strings.Repeat("[", 20000)} {
		if err := grade.Check([]byte(raw)); err == nil {
			t.Errorf("%.20q fits", raw)
		}
	}
}

func TestManyProblemsAreBounded(t *testing.T) {
	t.Parallel()
	raw := "{"
	for i := range 100 {
		raw += `"k` + strings.Repeat("x", i) + `":1,`
	}
	err := grade.Check([]byte(raw + `"z":1}`))
	if err == nil || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "more") {
		t.Errorf("got %v", err)
	}
}

// The schema is what providers get: it must be JSON in the subset that they take,
// with every key required and none besides.
func TestSchemaIsStrict(t *testing.T) {
	t.Parallel()
	var got struct {
		Type                 string
		Required             []string
		AdditionalProperties *bool
		Properties           map[string]struct {
			Type, Description string
			Enum              []string
			Items             map[string]any
		}
	}
	if err := json.Unmarshal(grade.Schema(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Type != "object" || len(got.Required) != 6 || got.AdditionalProperties == nil || *got.AdditionalProperties {
		t.Errorf("not strict: %s", grade.Schema())
	}
	if p := got.Properties["grade"]; p.Type != "integer" || !strings.Contains(p.Description, "0 to 5") {
		t.Errorf("grade is %+v", p)
	}
	if p := got.Properties["verdict"]; len(p.Enum) != 2 {
		t.Errorf("verdict is %+v", p)
	}
	if strings.Contains(string(grade.Schema()), "minimum") {
		t.Error("bounds as keywords: Anthropic refuses them")
	}
}

// An endpoint that enforces the schema must be able to say null.
func TestAChoiceThatMayBeNull(t *testing.T) {
	t.Parallel()
	s := Choice("up", "down").OrNull()
	if want := `{"type":["string","null"],"enum":["up","down",null]}`; string(s.Schema()) != want {
		t.Errorf("got %s, want %s", s.Schema(), want)
	}
	if s.Check([]byte("null")) != nil || s.Check([]byte(`"up"`)) != nil || s.Check([]byte(`"null"`)) == nil {
		t.Error("the check does not agree with the schema")
	}
}

func TestAShapeMayHoldItself(t *testing.T) {
	t.Parallel()
	var node Shape
	node = Object(Field{"name", Text(5)}, Field{"children", ListOf(&node, 3).OrNull()})
	if err := node.Check([]byte(`{"name":"a","children":[{"name":"b","children":null}]}`)); err != nil {
		t.Error(err)
	}
	err := node.Check([]byte(`{"name":"a","children":[{"name":"b","children":[{"name":"c"}]}]}`))
	if err == nil || !strings.Contains(err.Error(), "children[0].children[0].children: missing") {
		t.Errorf("got %v", err)
	}
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{good, "```json\n" + good + "\n```", good + good, `{"a":{"b":[1,"}"]}}`, `x {y} {"a":1`, "<think>a</think>{}", "\ufeff{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Extract(text)
		if err != nil {
			return
		}
		if !json.Valid(got) || got[0] != '{' {
			t.Errorf("%q gave %q, which is no JSON object", text, got)
		}
		again, err := Extract("words " + string(got) + "\n```")
		if err != nil || string(again) != string(got) {
			t.Errorf("%q gave %q, then %q, %v", text, got, again, err)
		}
		_ = grade.Check(got)
	})
}
