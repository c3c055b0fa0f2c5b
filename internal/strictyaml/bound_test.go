package strictyaml_test

import (
	"fmt"
	"strings"
	"testing"

	"vitrine/internal/strictyaml"
)

// Bombs are small files that a parser or decoder would need memory or time without
// end for.
func bombs() map[string]string {
	laughs, before := "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n", "a"
	for _, name := range strings.Split("bcdefghijklm", "") {
		laughs += fmt.Sprintf("%s: &%s [%s]\n", name, name, strings.TrimSuffix(strings.Repeat("*"+before+", ", 10), ", "))
		before = name
	}
	return map[string]string{
		"a billion laughs":     laughs,
		"an alias of itself":   "a: &a [*a]\n",
		"a merge":              "a: &a {x: 1}\nb:\n  <<: *a\n",
		"an anchor alone":      "a: &a 1\n",
		"lists in lists":       strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"lists never closed":   strings.Repeat("[", 100_000),
		"mappings in mappings": strings.Repeat("{a: ", 50_000) + strings.Repeat("}", 50_000),
		"over many lines":      strings.Repeat("[\n", 50_000),
		"dashes":               strings.Repeat("- ", 50_000) + "x",
		"question marks":       strings.Repeat("? ", 50_000) + "x",
		"too long":             strings.Repeat("# \n", 100_000),
		"no UTF-8":             "a: \xff\n",
	}
}

func TestBombsAreRefusedBeforeTheyAreParsed(t *testing.T) {
	t.Parallel()
	for name, bomb := range bombs() {
		if _, err := strictyaml.Check([]byte(bomb), 256<<10); err == nil || len(err.Error()) > 200 {
			t.Errorf("%s: %v", name, err)
		}
		r := strictyaml.Reader{File: "a.yaml", Holds: "a name", Max: 256 << 10}
		if f := r.Document([]byte(bomb)); f.Node != nil || !strings.HasPrefix(fmt.Sprint(r.Err), "a.yaml:") {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
}

func TestOrdinaryFilesPass(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"", "a: 1\n", "text: \"5 * 3 & 4\"\n", "text: a & b *c*\n", "text: |\n  * a point\n  & more\n  [x] {y}\n",
		"a: [[[[[1]]]]]\n", "- - - x\n", "when: a < b\n", "# *a &b <<\na: 'it''s &c'\n",
	} {
		if line, err := strictyaml.Check([]byte(file), 1<<10); err != nil {
			t.Errorf("%q: line %d: %v", file, line, err)
		}
	}
	if line, err := strictyaml.Check([]byte("a: 1\nb: *c\n"), 1<<10); err == nil || line != 2 {
		t.Errorf("an alias: line %d, %v", line, err)
	}
}
