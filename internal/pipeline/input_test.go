package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// readAll reads an input to its end: the ids of the outputs, and the bad lines.
func readAll(t testing.TB, r io.Reader) (outputs []vitrine.Output, bad []string) {
	t.Helper()
	in := NewInput(r)
	for {
		o, err := in.Next()
		var line *LineError
		switch {
		case errors.As(err, &line):
			bad = append(bad, line.Error())
		case err == io.EOF:
			return outputs, bad
		case err != nil:
			t.Fatal(err)
		default:
			outputs = append(outputs, o)
		}
	}
}

func ids(outputs []vitrine.Output) string {
	var all []string
	for _, o := range outputs {
		all = append(all, o.ID)
	}
	return strings.Join(all, " ")
}

func TestLinesOfAnInput(t *testing.T) {
	t.Parallel()
	const a, b = `{"id":"a","output":"x"}`, `{"id":"b","output":""}`
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
		"spaces around":           {"  " + a + "\t\n", "a", nil},
		"broken in the middle":    {a + "\n{\"id\":\"x\", \n" + b, "a b", []string{"line 2: not JSON at byte"}},
		"broken at the end":       {a + "\n{\"id\":\"x\",\"output\":\"…", "a", []string{"line 2: not JSON at byte"}},
		"two objects on a line":   {a + b + "\n", "", []string{"line 1: not JSON at byte 24"}},
		"pretty-printed":          {"{\n\"id\":\"a\"}\n" + b, "b", []string{"line 1: not JSON", "line 2: not JSON"}},
		"not an object":           {"[" + a + "]\n\"text\"\n5\nnull\n" + b, "b", []string{"line 1: not a JSON object but array", "line 2: not a JSON object but string", "line 3: not a JSON object but number", `line 4: needs "id" and "output"`}},
		"duplicate id":            {a + "\n" + b + "\n" + a, "a b", []string{`line 3: the id "a" was used on line 1 already`}},
		"no id":                   {`{"output":"x"}`, "", []string{`line 1: needs "id" and "output"`}},
		"empty id":                {`{"id":"","output":"x"}`, "", []string{`line 1: needs "id" and "output"`}},
		"no output":               {`{"id":"a"}`, "", []string{`line 1: needs "id" and "output"`}},
		"another case":            {`{"ID":"a","Output":"x"}`, "", []string{`line 1: needs "id" and "output"`}},
		"null id":                 {`{"id":null,"output":"x"}`, "", []string{`line 1: "id" must be a string, got null`}},
		"null output":             {`{"id":"a","output":null}`, "", []string{`line 1: "output" must be a string, got null`}},
		"output of another type":  {`{"id":"a","output":["x"]}`, "", []string{`line 1: "output" must be a string, got ["x"]`}},
		"output is a number":      {`{"id":"a","output":5}`, "", []string{`line 1: "output" must be a string, got 5`}},
		"id of another type":      {`{"id":{"n":1},"output":"x"}`, "", []string{`line 1: "id" must be a string, got {"n":1}`}},
		"model of another type":   {`{"id":"a","output":"x","model":7}`, "", []string{`line 1: "model" must be a string, got 7`}},
		"meta of another type":    {`{"id":"a","output":"x","meta":"y"}`, "", []string{`line 1: "meta" must be an object, got "y"`}},
		"two fields are wrong":    {`{"id":"a","output":1,"model":2,"kind":3}`, "", []string{`line 1: "output" must be a string`}},
		"unknown kind":            {`{"id":"a","output":"x","kind":"website"}`, "", []string{`line 1: kind "website" is not one of page, project, component, svg, plot`}},
		"numeric ids":             {`{"id":1,"output":"x"}` + "\n" + `{"id":1.50,"output":"x"}` + "\n" + `{"id":12345678901234567890,"output":"x"}`, "1 1.50 12345678901234567890", nil},
		"a number and its string": {`{"id":1,"output":"x"}` + "\n" + `{"id":"1","output":"x"}`, "1", []string{`line 2: the id "1" was used on line 1 already`}},
	} {
		outputs, bad := readAll(t, iotest.OneByteReader(strings.NewReader(test.input)))
		if got := ids(outputs); got != test.want {
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
	got, bad := readAll(t, strings.NewReader(strings.ReplaceAll(line, "\n", "")))
	want := []vitrine.Output{{
		ID: "a1", Text: "<p>ü 🍵</p>", Instruction: "i", TaskID: "7", Model: "m", Kind: vitrine.KindSVG, GroupID: "8",
		Meta: map[string]json.RawMessage{"own": []byte("1"), "both": []byte(`"meta"`), "temperature": []byte("0.70"), "messages": []byte(`[{"role":"user"}]`), "nothing": []byte("null")},
	}}
	if diff := cmp.Diff(want, got); diff != "" || bad != nil {
		t.Errorf("bad %q (-want +got):\n%s", bad, diff)
	}
	got, bad = readAll(t, strings.NewReader(`{"id":"a","output":"x","instruction":null,"task_id":null,"model":null,"kind":null,"group_id":null,"meta":null}`))
	if diff := cmp.Diff([]vitrine.Output{{ID: "a", Text: "x"}}, got); diff != "" || bad != nil {
		t.Errorf("optional fields that are null: bad %q (-want +got):\n%s", bad, diff)
	}
}

func TestInvalidUTF8IsNoError(t *testing.T) {
	t.Parallel()
	got, bad := readAll(t, strings.NewReader("{\"id\":\"a\",\"output\":\"<p>\xff\xfe caf\xe9</p>\"}\n{\"id\":\"b\",\"output\":\"\\ud800\"}"))
	if bad != nil || len(got) != 2 || got[0].Text != "<p>\ufffd\ufffd caf\ufffd</p>" || got[1].Text != "\ufffd" {
		t.Errorf("got %q, bad %q", got, bad)
	}
}

func TestLongLines(t *testing.T) {
	t.Parallel()
	const size = 50 << 20
	line := `{"id":"long","output":"` + strings.Repeat("x", size) + `"}`
	got, bad := readAll(t, io.MultiReader(strings.NewReader(line), strings.NewReader("\n"+`{"id":"b","output":"x"}`)))
	if bad != nil || ids(got) != "long b" || len(got[0].Text) != size {
		t.Errorf("got %q, bad %q", ids(got), bad)
	}
	in := NewInput(strings.NewReader(strings.Repeat("y", 5<<20) + "\n" + `{"id":"a","output":"x"}` + "\n" + strings.Repeat("z", 3<<20)))
	in.max = 2 << 20
	for i, want := range []string{"line 1: longer than 2 MB", "", "line 3: longer than 2 MB", "EOF"} {
		o, err := in.Next()
		if want == "" && (err != nil || o.ID != "a") || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("call %d: got %q, %v, want %q", i, o.ID, err, want)
		}
	}
}

func TestReadErrorIsNoBadLine(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	in := NewInput(io.MultiReader(strings.NewReader(`{"id":"a","output":"x"}`+"\n{"), iotest.ErrReader(broken)))
	if o, err := in.Next(); err != nil || o.ID != "a" {
		t.Fatalf("got %v, %v", o, err)
	}
	if _, err := in.Next(); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func FuzzInput(f *testing.F) {
	f.Add("{\"id\":\"a\",\"output\":\"x\"}\n\n{\"id\":1,\"output\":\"y\",\"z\":[]}")
	f.Add("\ufeff{\r\n[]\n\x00\xff")
	f.Add(`{"id":"a","output":"x","meta":{"a":1},"a":2,"kind":"page"}` + "\n" + `{"id":"a","output":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		in := NewInput(strings.NewReader(text))
		lines, seen, last := strings.Count(text, "\n")+1, map[string]bool{}, 0
		for calls := 0; ; calls++ {
			o, err := in.Next()
			if err == io.EOF {
				return
			}
			var bad *LineError
			switch {
			case errors.As(err, &bad):
				if bad.Line <= last || bad.Line > lines || bad.Message == "" {
					t.Fatalf("line %d after %d of %d: %q", bad.Line, last, lines, bad.Message)
				}
				last = bad.Line
			case err != nil:
				t.Fatal(err)
			case o.ID == "" || seen[o.ID]:
				t.Fatalf("the id %q is empty or was there before", o.ID)
			default:
				seen[o.ID] = true
				if _, err := json.Marshal(o); err != nil {
					t.Fatal(err)
				}
			}
			if calls > lines {
				t.Fatal("more answers than lines")
			}
		}
	})
}

func ExampleInput() {
	in := NewInput(strings.NewReader(`{"id":"a1","output":"<h1>Tea</h1>","temperature":0.7}`))
	o, err := in.Next()
	fmt.Println(o.ID, o.Text, string(o.Meta["temperature"]), err)
	// Output: a1 <h1>Tea</h1> 0.7 <nil>
}
