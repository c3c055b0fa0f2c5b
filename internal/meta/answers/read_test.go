package answers

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

const one = `{"item":{"id":"1","kind":"unit"}}` + "\n"

func TestWhatCannotBeRead(t *testing.T) {
	for name, tt := range map[string]struct{ lines, want string }{
		"nothing":              {"", "there are no items"},
		"no JSON":              {one + "yes", "line 2: invalid character"},
		"two in a line":        {`{"item":{"id":"1","kind":"unit"},"label":{}}`, "line 1: want one of item, label and answer"},
		"none in a line":       {`{}`, "want one of item, label and answer"},
		"no id":                {`{"item":{"kind":"unit"}}`, "an item needs an id"},
		"no kind":              {`{"item":{"id":"1"}}`, `the kind of item 1 is ""; want pair, unit, rating or class`},
		"two of one id":        {one + `{"item":{"id":"1","kind":"pair"}}`, "line 2: there are two items with the id 1 that differ"},
		"two tasks":            {`{"item":{"id":"1","kind":"unit","task":"a"}}` + "\n" + `{"item":{"id":"1","kind":"unit","task":"b"}}`, `item 1 is said to be of "a" and of "b"`},
		"a label without who":  {one + `{"label":{"item":"1","value":true}}`, "a label needs item, rater and value"},
		"an answer of nobody":  {one + `{"answer":{"item":"1","value":true}}`, "an answer needs item and judge"},
		"a label that is none": {one + `{"label":{"item":"1","rater":"a","value":"yes"}}`, `label of item 1 by a: "yes" is no answer about a unit`},
		"an answer that is":    {one + `{"answer":{"item":"1","judge":"a","value":7}}`, `answer about item 1 by a: "7" is no answer about a unit`},
		"a verdict":            {`{"item":{"id":"1","kind":"pair","truth":"C"}}`, `"C" is no answer about a pair; want A, B or tie`},
		"a text for a rating":  {`{"item":{"id":"1","kind":"rating","truth":"5"}}`, `"5" is no rating`},
		"an empty category":    {`{"item":{"id":"1","kind":"class","truth":""}}`, "the category is empty"},
		"a list":               {`{"item":{"id":"1","kind":"class","truth":[1]}}`, "a value is [1]"},
		"confidence":           {one + `{"answer":{"item":"1","judge":"a","value":true,"confidence":95}}`, "is 95; want 0 to 1"},
		"seconds of a judge":   {one + `{"answer":{"item":"1","judge":"a","value":true,"seconds":-1}}`, "took -1 seconds; want 0 or more"},
		"seconds of a person":  {one + `{"label":{"item":"1","rater":"a","value":true,"seconds":-1}}`, "took -1 seconds; want 0 or more"},
		"a cost":               {one + `{"answer":{"item":"1","judge":"a","value":true,"usd":-1}}`, "cost -1 USD; want 0 or more"},
		"a field misspelt":     {`{"item":{"id":"1","kind":"unit","trtuh":true}}`, `line 1: the form has no field "trtuh"`},
		"a kind of line":       {`{"itme":{"id":"1","kind":"unit"}}`, `the form has no field "itme"`},
		"a split":              {`{"item":{"id":"1","kind":"unit","split":"train"}}`, `the split of item 1 is "train"; want fit or test`},
		"what stood first":     {one + `{"label":{"item":"1","rater":"a","value":true,"first":"left"}}`, `first of the label of item 1 by a is "left"; want A or B`},
		"lengths":              {`{"item":{"id":"1","kind":"pair","lengths":[1]}}`, "item 1 has 1 lengths"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(tt.lines)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// A mark before the first line, as some editors set it, is no part of it.
func TestAByteOrderMarkIsNoPartOfALine(t *testing.T) {
	if s, err := Read(strings.NewReader("\ufeff" + one)); err != nil || len(s.questions) != 1 {
		t.Errorf("%v, error %v", s, err)
	}
}

// What does not count is said in a line each, and the rest counts.
func TestWhatDoesNotCountIsNoted(t *testing.T) {
	s := read(t,
		`{"item":{"id":"1","kind":"unit","category":"rare"}}`, `{"item":{"id":"2","kind":"unit"}}`, `{"item":{"id":"3","kind":"unit"}}`, "",
		`{"label":{"item":"1","rater":"ann","value":true}}`, `{"label":{"item":"1","rater":"ann","value":true}}`,
		`{"label":{"item":"2","rater":"ann","value":true}}`, `{"label":{"item":"2","rater":"ann","value":false}}`,
		`{"label":{"item":"3","rater":"ann","value":true}}`, `{"label":{"item":"3","rater":"bob","value":true}}`,
		`{"label":{"item":"9","rater":"ann","value":true}}`, `{"answer":{"item":"8","judge":"j","value":true}}`,
		`{"answer":{"item":"1","judge":"j","value":true}}`,
	)
	want := []string{
		"categories with one item alone: 1, the first is rare",
		"duplicates that say the same again: 1; each counts once",
		"labels or answers of items that are not there: 2, the first of 9; they do not count",
		"labels or answers that contradict another one of the same rater or judge on the same item: 2; none of them counts",
		"raters who labelled one item alone: 1, the first is bob",
	}
	if !slices.Equal(s.Notes, want) {
		t.Errorf("notes:\n%s", strings.Join(s.Notes, "\n"))
	}
	f := Judges(s, nil, nil, 1)
	if one := find(t, f, "j", "rare", "accuracy"); one.N != 1 || one.Value.Value != 1 || one.Value.Low > 0.21 {
		t.Errorf("of one item it is %+v %+v", one, one.Value)
	}
	if one := find(t, f, "j", "", "kappa with people"); one.Value != nil {
		t.Errorf("kappa of one category is %+v", one.Value)
	}
}

// Where all are ties, what is not defined is null.
func TestAllTies(t *testing.T) {
	s := read(t, `{"item":{"id":"1","kind":"pair","truth":"tie"}}`, `{"item":{"id":"2","kind":"pair","truth":"tie"}}`,
		`{"label":{"item":"1","rater":"a","value":"tie"}}`, `{"label":{"item":"1","rater":"b","value":"tie"}}`,
		`{"answer":{"item":"1","judge":"j","value":"tie"}}`, `{"answer":{"item":"2","judge":"j","value":"tie"}}`)
	f, people := Judges(s, nil, nil, 1), Raters(s, 1)
	for _, null := range []Figure{
		find(t, f, "j", "", "agreement without ties"), find(t, f, "j", "", "kappa with people"),
		find(t, people, "", "", "Krippendorff's alpha"), find(t, people, "", "", "Fleiss' kappa"), find(t, people, "", "", "pairwise agreement without ties"),
	} {
		if null.Value != nil {
			t.Errorf("%s is %+v", null.Name, *null.Value)
		}
	}
	want(t, f, "j", "", "agreement", 1)
}

func TestTruthOfLabels(t *testing.T) {
	say := func(kind Kind, values ...*Value) *Value {
		i := item{Item: Item{Kind: kind}}
		for _, v := range values {
			i.labels = append(i.labels, Label{Value: v})
		}
		return i.truth()
	}
	for name, tt := range map[string]struct{ got, want *Value }{
		"three of five":              {say(Pair, Text("B"), Text("A"), Text("B"), Text("tie"), Text("B")), Text("B")},
		"two and two of five":        {say(Pair, Text("A"), Text("A"), Text("B"), Text("B"), Text("tie")), Text("tie")},
		"half of four":               {say(Pair, Text("A"), Text("A"), Text("B"), Text("tie")), Text("tie")},
		"majority":                   {say(Pair, Text("A"), Text("B"), Text("A")), Text("A")},
		"no majority about a pair":   {say(Pair, Text("A"), Text("B")), Text("tie")},
		"no majority about a unit":   {say(Unit, Bool(true), Bool(false)), nil},
		"mean":                       {say(Rating, Number(2), Number(5)), Number(3.5)},
		"nothing":                    {say(Rating), nil},
		"more than half of a number": {say(Class, Text("x"), Text("y"), Text("x"), Text("x")), Text("x")},
	} {
		if !equal(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}

// Whatever can be read can be tabulated, and written as it was.
func FuzzRead(f *testing.F) {
	f.Add(one + `{"label":{"item":"1","rater":"a","value":true}}` + "\n" + `{"answer":{"item":"1","judge":"j","value":null,"swapped":true}}`)
	f.Add(`{"item":{"id":"1","kind":"rating","truth":1e300,"lengths":[2]}}` + "\n" + `{"answer":{"item":"1","judge":"j","value":-1e308,"repeat":-3}}`)
	f.Add(`{"item":{"id":"1","kind":"pair","lengths":[2,1]}}` + "\n" + `{"answer":{"item":"1","judge":"j","value":"A","swapped":true}}`)
	f.Add(`{"item":{"id":"1","kind":"class"}}` + "\n" + `{"answer":{"item":"1","judge":"j","value":"A","repeat":2}}` + "\n" + `{"answer":{"item":"1","judge":"k","value":"B"}}`)
	f.Fuzz(func(t *testing.T, lines string) {
		s, err := Read(strings.NewReader(lines))
		if err != nil {
			return
		}
		cards := Cards(s, nil, 1)
		for _, figures := range []Figures{Between(s, nil, 1), Rank(s, nil, 1)} {
			if err := Print(&bytes.Buffer{}, figures); err != nil {
				t.Error(err)
			}
		}
		for _, err := range []error{WriteHTML(&bytes.Buffer{}, cards), WriteMarkdown(&bytes.Buffer{}, cards)} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}
