package inputs

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// all reads an input to its end: its items, and what rows cannot be used.
func all(t testing.TB, in *Input) (items []Item, bad []string) {
	t.Helper()
	for item, err := range in.Items() {
		var row *RowError
		switch {
		case errors.As(err, &row):
			bad = append(bad, row.Error())
		case err != nil:
			t.Fatal(err)
		default:
			items = append(items, item)
		}
	}
	return items, bad
}

// readText reads a file of a name.
func readText(t testing.TB, name, text string, s Settings) (items []Item, bad []string) {
	t.Helper()
	in, err := Bytes(name, []byte(text), s)
	must(t, err)
	t.Cleanup(func() { must(t, in.Close()) })
	return all(t, in)
}

func ids(items []Item) string {
	var all []string
	for _, o := range items {
		all = append(all, o.ID)
	}
	return strings.Join(all, " ")
}

func TestLinesOfAnInput(t *testing.T) {
	t.Parallel()
	const a, b = `{"id":"a","output":"x"}`, `{"id":"b","output":""}`
	const wanted = `; wanted the output as "output"`
	for name, test := range map[string]struct {
		input, want string
		bad         []string // the start of each
	}{
		"nothing":                 {"", "", nil},
		"only blank lines":        {"\n \r\n\t\n", "", nil},
		"two":                     {a + "\n" + b + "\n", "a b", nil},
		"no newline at the end":   {a + "\n" + b, "a b", nil},
		"blank lines between":     {"\n" + a + "\n\n  \n" + b + "\n\n", "a b", nil},
		"CRLF":                    {a + "\r\n" + b + "\r\n", "a b", nil},
		"a BOM":                   {"\ufeff" + a + "\n" + b, "a b", nil},
		"a BOM and a blank line":  {"\ufeff\n" + a, "a", nil},
		"NUL around":              {a + "\n\x00\x00\x00\n" + b + "\x00\n", "a b", nil},
		"spaces around":           {"  " + a + "\t\n", "a", nil},
		"broken in the middle":    {a + "\n{\"id\":\"x\", \n" + b, "a b", []string{"in:2:10: found no JSON: unexpected end"}},
		"broken at the end":       {a + "\n{\"id\":\"x\",\"output\":\"…", "a", []string{"in:2:23: found no JSON: unexpected end"}},
		"two objects on a line":   {a + b + "\n", "a b", nil},
		"pretty-printed":          {"{\n\"id\":\"a\",\n\"output\":\"x\"\n}\n" + b, "a b", nil},
		"not an object":           {a + "\n\"text\"\n5\nnull\n[]\n" + b, "a b", []string{"in:2:1: found a string of 4 bytes; wanted an object", "in:3:1: found the number 5", "in:4:1: found null", "in:5:1: found a list"}},
		"a repeated id":           {a + "\n" + b + "\n" + a + "\n" + a, "a b a#2 a#3", nil},
		"a repeated id is there":  {a + "\n" + a + "\n" + `{"id":"a#2","output":"x"}`, "a a#3 a#2", nil},
		"no id":                   {`{"output":"x"}`, "row1-683f6348", nil},
		"the same rows, no ids":   {`{"output":"x"}` + "\n" + `{"output":"x"}`, "row1-683f6348 row2-683f6348", nil},
		"a made id is there":      {`{"output":"x"}` + "\n" + `{"id":"row1-683f6348","output":"y"}`, "row1-683f6348#2 row1-683f6348", nil},
		"empty id":                {`{"id":"","output":"x"}`, "row1-", nil},
		"null id":                 {`{"id":null,"output":"x"}`, "row1-", nil},
		"id of another type":      {`{"id":{"n":1},"output":"x"}`, "row1-", nil},
		"no output":               {`{"id":"a"}`, "", []string{`in:1:1: found an object with "id": a string of 1 bytes` + wanted}},
		"another case":            {`{"ID":"a","Output":"<p>a longer"}`, "", []string{`in:1:11: found an object with "ID": a string of 1 bytes, "Output": a string of 11 bytes` + wanted}},
		"null output":             {`{"id":"a","output":null}`, "", []string{`in:1:1: found an object with "id": a string of 1 bytes, "output": null (output: null)` + wanted}},
		"output is a number":      {`{"id":"a","output":5}`, "", []string{`in:1:1: found an object with "id": a string of 1 bytes, "output": the number 5 (output: the number 5)` + wanted}},
		"model of another type":   {`{"id":"a","output":"x","model":{"name":"m"}}`, "a", nil},
		"meta of another type":    {`{"id":"a","output":"x","meta":"y"}`, "a", nil},
		"unknown kind":            {`{"id":"a","output":"x","kind":"website"}`, "", []string{`in:1:1: found kind "website"; wanted page, project, component, svg or plot; --map kind= takes`}},
		"numeric ids":             {`{"id":1,"output":"x"}` + "\n" + `{"id":1.50,"output":"x"}` + "\n" + `{"id":12345678901234567890,"output":"x"}`, "1 1.50 12345678901234567890", nil},
		"a number and its string": {`{"id":1,"output":"x"}` + "\n" + `{"id":"1","output":"x"}`, "1 1#2", nil},
	} {
		items, bad := readText(t, "in", test.input, Settings{AnyText: false})
		if got := ids(items); got != test.want && (!strings.HasSuffix(test.want, "-") || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
		if len(bad) != len(test.bad) {
			t.Errorf("%s: got bad lines %q, want %q", name, bad, test.bad)
			continue
		}
		for i := range bad {
			if !strings.HasPrefix(bad[i], test.bad[i]) {
				t.Errorf("%s: got %q, want %q", name, bad[i], test.bad[i])
			}
		}
	}
}

func TestFieldsOfAnOutput(t *testing.T) {
	t.Parallel()
	line := `{"id":"a1","output":"<p>\u00fc \ud83c\udf75</p>","instruction":"i","task_id":7,"model":"m","kind":"svg","group_id":8,
		"meta":{"own":1,"both":"meta"},"both":"top","temperature":0.70,"messages":[{"role":"user"}],"nothing":null}`
	got, bad := readText(t, "in.jsonl", strings.ReplaceAll(line, "\n", ""), Settings{})
	want := []Item{{Output: vitrine.Output{
		ID: "a1", Text: "<p>ü 🍵</p>", Instruction: "i", TaskID: "7", Model: "m", Kind: vitrine.KindSVG, GroupID: "8",
		Meta: map[string]json.RawMessage{"own": []byte("1"), "both": []byte(`"meta"`), "temperature": []byte("0.70"), "messages": []byte(`[{"role":"user"}]`), "nothing": []byte("null")},
	}}}
	if diff := cmp.Diff(want, got); diff != "" || bad != nil {
		t.Errorf("bad %q (-want +got):\n%s", bad, diff)
	}
	got, bad = readText(t, "in.jsonl", `{"id":"a","output":"x","instruction":null,"task_id":null,"model":null,"kind":null,"group_id":null,"meta":null}`, Settings{})
	if diff := cmp.Diff([]Item{{Output: vitrine.Output{ID: "a", Text: "x"}}}, got); diff != "" || bad != nil {
		t.Errorf("optional fields that are null: bad %q (-want +got):\n%s", bad, diff)
	}
}

func TestInvalidUTF8IsNoError(t *testing.T) {
	t.Parallel()
	got, bad := readText(t, "in.jsonl", "{\"id\":\"a\",\"output\":\"<p>\xff\xfe caf\xe9</p>\"}\n{\"id\":\"b\",\"output\":\"\\ud800\"}", Settings{})
	if bad != nil || len(got) != 2 || got[0].Text != "<p>\ufffd\ufffd caf\ufffd</p>" || got[1].Text != "\ufffd" {
		t.Errorf("got %+v, bad %q", got, bad)
	}
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	const size = 200 << 20
	got, bad := readText(t, "in.jsonl", `{"id":"long","output":"`+strings.Repeat("x", size)+`"}`+"\n"+`{"id":"b","output":"x"}`, Settings{})
	if bad != nil || ids(got) != "long b" || len(got[0].Text) != size {
		t.Errorf("got %q, bad %q", ids(got), bad)
	}
	got, bad = readText(t, "in.jsonl", strings.Repeat("y", 5<<20)+"\n"+`{"id":"a","output":"x"}`+"\n"+strings.Repeat("z", 3<<20), Settings{Limits: Limits{Row: 2 << 20}})
	if ids(got) != "a" || len(bad) != 2 || !strings.HasPrefix(bad[0], "in.jsonl:1:1: found a line of more than 2 MB") || !strings.HasPrefix(bad[1], "in.jsonl:3:1: found a line") {
		t.Errorf("got %q, bad %q", ids(got), bad)
	}
}

func ExampleInput() {
	in, err := Bytes("outputs.jsonl", []byte(`{"id":"a1","response":"<h1>Tea</h1>","temperature":0.7}`), Settings{})
	if err != nil {
		panic(err)
	}
	defer in.Close()
	fmt.Println(in.Survey.Lines()[0])
	for o, err := range in.Items() {
		fmt.Println(o.ID, o.Text, string(o.Meta["temperature"]), err)
	}
	// Output:
	// input: 1 row of JSONL; output from "response", id from "id"
	// a1 <h1>Tea</h1> 0.7 <nil>
}
