package strictyaml_test

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/strictyaml"
)

func TestOnlyTheFirstMistakeIsKept(t *testing.T) {
	t.Parallel()
	r := strictyaml.Reader{File: "a.yaml", Holds: "a name", Max: 1 << 10}
	root := r.Document([]byte("name: [x]\nlist:\n  - 1\n  - {colour: red, size: 2}\n"))
	for f := range r.Entries(root, "name", "list") {
		switch f.Key {
		case "name":
			if r.Text(f); fmt.Sprint(r.Err) != "a.yaml:1: name: want text, got a list" {
				t.Errorf("got %v", r.Err)
			}
		case "list":
			first := r.Err
			item := r.List(f)[1]
			for range r.Entries(item, "color", "size") {
			}
			if item.Path != "list[1]" || item.Line != 4 || r.Err != first {
				t.Errorf("%+v, %v", item, r.Err)
			}
			r.Err = nil
			var known []string
			for k := range r.Entries(item, "color", "size") {
				known = append(known, k.Path)
			}
			if want := `a.yaml:4: list[1].colour: unknown key (did you mean "color"?); valid here: color, size`; fmt.Sprint(r.Err) != want {
				t.Errorf("got %v\nwant %s", r.Err, want)
			}
			if fmt.Sprint(known) != "[list[1].size]" {
				t.Errorf("yielded %v", known)
			}
		}
	}
}

func TestKindsInWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a:": "nothing", "a: ~": "nothing", "a: x": `the text "x"`, "a: '1'": `the text "1"`, "a: [1]": "a list", "a: {b: 1}": "a mapping",
		"a: 0x10": "0x10", "a: true": "true", "a: .inf": ".inf", "a: !!binary eA==": "a YAML tag",
		"a: " + strings.Repeat("é", 81): `the text "` + strings.Repeat("é", 80) + `…"`,
	} {
		r := strictyaml.Reader{File: "a.yaml", Max: 1 << 10}
		for f := range r.Entries(r.Document([]byte(text)), "a") {
			if got := f.Kind(); got != want {
				t.Errorf("%s: got %s, want %s", text, got, want)
			}
		}
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
}

func TestDidYouMeanOnlyWhatIsClose(t *testing.T) {
	t.Parallel()
	valid := []string{"click", "double_click", "expect", "text"}
	for word, want := range map[string]string{
		"clik": "click", "lick": "click", "doubleclick": "double_click", "texts": "text", "mark": "", "": "", strings.Repeat("x", 1<<20): "",
	} {
		if want != "" {
			want = fmt.Sprintf(" (did you mean %q?)", want)
		}
		if got := strictyaml.DidYouMean(word, valid); got != want {
			t.Errorf("%.20s: got %q, want %q", word, got, want)
		}
	}
}
