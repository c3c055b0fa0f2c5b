package dedup_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"vitrine"
	"vitrine/internal/data/dedup"
	"vitrine/internal/inputs"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

// pages are our own pages, by their names.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("../../../testdata/honest/pages/*.html")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	all := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".html")] = string(b)
	}
	return all
}

// write makes a file of JSON lines.
func write(t *testing.T, rows ...any) string {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return writeText(t, b.String())
}

func writeText(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func run(t *testing.T, s dedup.Settings) (*dedup.Summary, []dedup.Verdict) {
	t.Helper()
	s.Out = t.TempDir()
	if s.Thresholds == (dedup.Thresholds{}) {
		s.Thresholds = dedup.Defaults
	}
	sum, err := dedup.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return sum, verdicts(t, filepath.Join(s.Out, dedup.DroppedFile))
}

func verdicts(t *testing.T, name string) (all []dedup.Verdict) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(bytes.NewReader(b)); dec.More(); {
		var v dedup.Verdict
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

type row map[string]any

var (
	script = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	style  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	attrs  = regexp.MustCompile(`<(\w+) ([\w-]+="[^"]*") ([\w-]+="[^"]*")`)
	local  = regexp.MustCompile(`\b(?:let|const|var|function) ([A-Za-z]\w{2,})\b`)
	color  = regexp.MustCompile(`(?i)#[0-9a-f]{3,6}\b`)
	named  = regexp.MustCompile(`\b(darkorange|white|papayawhip|teal|navy|linen|black|silver)\b`)
)

// plants are ways in which a page is written otherwise and stays the same page.
var plants = map[string]func(string) string{
	"renamed variables": func(page string) string {
		return script.ReplaceAllStringFunc(page, func(code string) string {
			for _, m := range local.FindAllStringSubmatch(code, -1) {
				if !strings.Contains(script.ReplaceAllString(page, ""), m[1]) { // not what markup calls
					code = regexp.MustCompile(`([^.\w'"-])`+m[1]+`\b`).ReplaceAllString(code, "${1}my_"+m[1])
				}
			}
			return code
		})
	},
	"reordered attributes": func(page string) string { return attrs.ReplaceAllString(page, `<$1 $3 $2`) },
	"translated comments": func(page string) string {
		page = strings.ReplaceAll(page, "<body>", "<body>\n<!-- Hier beginnt die Seite, die der Besucher sieht -->")
		return script.ReplaceAllString(page, "<script>\n// Zustand der Anwendung und alle Ereignisse\n/* mehr dazu */$1</script>")
	},
	"changed colours": func(page string) string {
		return color.ReplaceAllString(named.ReplaceAllString(page, "tomato"), "#102030")
	},
	"minified": func(page string) string {
		small := func(loader api.Loader, open, end string) func(string) string {
			return func(code string) string {
				inner := strings.TrimSuffix(strings.TrimPrefix(code, open), end)
				made := api.Transform(inner, api.TransformOptions{Loader: loader, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true})
				return open + string(made.Code) + end
			}
		}
		page = script.ReplaceAllStringFunc(page, small(api.LoaderJS, "<script>", "</script>"))
		page = style.ReplaceAllStringFunc(page, small(api.LoaderCSS, "<style>", "</style>"))
		return regexp.MustCompile(`>\s+<`).ReplaceAllString(page, "><")
	},
}

// TestPlantedDuplicatesAreFound plants each of our pages in each way among all of them,
// as the table of docs/data/dedup.md has it.
func TestPlantedDuplicatesAreFound(t *testing.T) {
	if d := dedup.Defaults; d.Text != 0.85 || d.Review != 0.80 || d.DOM != 0.90 || d.Code != 0.90 {
		t.Errorf("the thresholds are not ReLook's: %+v", d)
	}
	all := pages(t)
	for name, plant := range plants {
		t.Run(name, func(t *testing.T) {
			var rows []any
			for id, page := range all {
				rows = append(rows, row{"id": id, "output": page})
			}
			planted := 0
			for id, page := range all {
				if changed := plant(page); changed != page {
					planted++
					rows = append(rows, row{"id": id + "+", "output": changed})
				}
			}
			sum, dropped := run(t, dedup.Settings{Files: []string{write(t, rows...)}})
			found := 0
			for _, v := range dropped {
				if v.ID != v.DuplicateOf+"+" {
					t.Errorf("%s is taken for %s by %s (%v)", v.ID, v.DuplicateOf, v.Reason, v.Similarity)
					continue
				}
				found++
			}
			t.Logf("%s: %d of %d found, %v", name, found, planted, sum.Reasons)
			if found != planted || planted == 0 {
				t.Errorf("%d of %d planted pages were found", found, planted)
			}
		})
	}
}

// words are n words that differ by their first letter from those of another letter.
func words(letter string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", letter, i)
	}
	return b.String()
}

// TestEachGroundDropsAPage has pairs of pages that are alike on one ground alone. Structure is
// one only with half of the code in common, unless --overlap is 0.
func TestEachGroundDropsAPage(t *testing.T) {
	const few, many = "<h1>%s</h1><ul><li>a<li>b<li>c</ul>", "<header><nav><a>x</a></nav></header><main><h1>%s</h1><form><label>y</label><input><select><option>z</select></form></main><footer><small>n</small></footer>"
	code := "<script>" + strings.ReplaceAll(words("call.f", 80), " ", "();") + "</script>"
	for _, c := range []struct {
		name, one, other string
		overlap          float64
		reason           string
	}{
		{"tags", fmt.Sprintf(many, words("k", 60)+words("p", 12)), fmt.Sprintf(many, words("k", 60)+words("q", 12)), 0.5, dedup.ReasonDOM},
		{"trees", fmt.Sprintf(few, words("k", 60)+words("p", 12)), fmt.Sprintf(few, words("k", 60)+words("q", 12)), 0.5, dedup.ReasonTree},
		{"code", "<div><p><b>x</b></p></div>" + code, "<section><i>x</i></section>" + code, 0.5, dedup.ReasonCode},
		{"tags without code in common", fmt.Sprintf(many, words("p", 90)), fmt.Sprintf(many, words("q", 90)), 0.5, ""},
		{"trees without code in common", fmt.Sprintf(few, words("p", 90)), fmt.Sprintf(few, words("q", 90)), 0.5, ""},
		{"tags alone", fmt.Sprintf(many, words("p", 90)), fmt.Sprintf(many, words("q", 90)), 0, dedup.ReasonDOM},
		{"trees alone", fmt.Sprintf(few, words("p", 90)), fmt.Sprintf(few, words("q", 90)), 0, dedup.ReasonTree},
	} {
		thresholds := dedup.Defaults
		thresholds.Overlap = c.overlap
		file := write(t, row{"id": "a", "output": "<!doctype html>" + c.one}, row{"id": "b", "output": "<!doctype html>" + c.other})
		_, dropped := run(t, dedup.Settings{Files: []string{file}, Thresholds: thresholds})
		reason := ""
		if len(dropped) == 1 && dropped[0].ID == "b" {
			reason = dropped[0].Reason
		}
		if reason != c.reason {
			t.Errorf("%s: dropped %+v, want %q", c.name, dropped, c.reason)
		}
	}
}

const lamp = "Please implement a web shop for lamps. Visitors browse lamps by room, filter them by price, put them into a cart and pay. Use linen for the background and teal for the components."

func TestTextsAreDroppedKeptAndShown(t *testing.T) {
	rows := []any{
		row{"id": "a", "instruction": lamp},
		row{"id": "b", "instruction": strings.ReplaceAll(lamp, "teal", "navy")},
		row{"id": "c", "instruction": "  " + strings.ReplaceAll(lamp, " ", "\n ")},
		row{"id": "d", "instruction": "Build a game of chess against the computer, with a clock and a list of moves."},
	}
	_, dropped := run(t, dedup.Settings{Files: []string{write(t, rows...)}})
	if len(dropped) != 2 || dropped[0].ID != "b" || dropped[0].Reason != dedup.ReasonText || dropped[0].Similarity <= 0.85 || dropped[0].DuplicateOf != "a" {
		t.Errorf("dropped %+v, want b for its text and c", dropped)
	}
	if len(dropped) == 2 && (dropped[1].Reason != dedup.ReasonExact || dropped[1].Similarity != 1) {
		t.Errorf("dropped %+v, want c as the same", dropped[1])
	}
	thresholds := dedup.Defaults
	thresholds.Text = 0.999
	sum, dropped := run(t, dedup.Settings{Files: []string{write(t, rows...)}, Thresholds: thresholds})
	if sum.Review != 1 || sum.Kept != 3 || len(dropped) != 1 {
		t.Errorf("%+v: want b kept and shown to a person", sum)
	}
	review := verdicts(t, filepath.Join(sum.Out, dedup.ReviewFile))
	if len(review) != 1 || review[0].ID != "b" || review[0].DuplicateOf != "a" || review[0].Reason != dedup.ReasonText {
		t.Errorf("for review %+v", review)
	}
}

func TestRowsStayAsTheyAreAndInTheirOrder(t *testing.T) {
	text := `{"instruction":"one thing","z":1,"a":{"b":[1,2]}}` + "\n" + `{"id": 7, "instruction": "another page", "é": "ü"}` + "\n"
	sum, _ := run(t, dedup.Settings{Files: []string{writeText(t, text)}})
	kept, err := os.ReadFile(filepath.Join(sum.Out, dedup.KeptFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(kept)), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], `{"id":"row1-`) || !strings.HasSuffix(lines[0], `","instruction":"one thing","z":1,"a":{"b":[1,2]}}`) ||
		lines[1] != `{"id": 7, "instruction": "another page", "é": "ü"}` {
		t.Errorf("kept:\n%s", kept)
	}
}

func TestWhatIsLikeABenchmarkGoes(t *testing.T) {
	bench := write(t, row{"id": "000001", "prompt": lamp})
	train := write(t, row{"id": "x", "instruction": strings.ReplaceAll(lamp, "teal", "navy")}, row{"id": "y", "instruction": "A blog about trains"}, row{"id": "z", "instruction": "A blog about trains"})
	sum, dropped := run(t, dedup.Settings{Files: []string{train}, Against: []string{bench}})
	if len(dropped) != 1 || dropped[0].ID != "x" || dropped[0].DuplicateOf != "000001" || dropped[0].Benchmark != filepath.Base(bench) {
		t.Errorf("dropped %+v, want x alone", dropped)
	}
	if sum.Kept != 2 || sum.Benchmarks[filepath.Base(bench)] != 1 {
		t.Errorf("%+v: records are not to be compared with each other", sum)
	}
}

// TestPagesWrittenToATaskOfABenchmarkGo, though the benchmark has no page to be like.
func TestPagesWrittenToATaskOfABenchmarkGo(t *testing.T) {
	page := "<!doctype html><h1>Lamps</h1><p>All of them</p>"
	bench := write(t, row{"id": "1", "instruction": lamp}, row{"id": "2", "name": "no task"})
	train := write(t, row{"id": "x", "instruction": lamp, "output": page}, row{"id": "y", "instruction": "A blog about trains", "output": page}, row{"id": "z", "output": page})
	var said []string
	sum, dropped := run(t, dedup.Settings{Files: []string{train}, Against: []string{bench}, Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }})
	if len(dropped) != 1 || dropped[0].ID != "x" || dropped[0].Reason != dedup.ReasonText || dropped[0].Similarity != 1 {
		t.Errorf("dropped %+v, want x for its text", dropped)
	}
	if sum.Without != 1 || len(said) != 1 || !strings.Contains(said[0], "1 of 2 rows") {
		t.Errorf("%+v, %q: want z and the row that is no task told of", sum, said)
	}
}

// TestABenchmarkThatNothingCanBeLikeIsRefused: that nothing was found would tell of nothing.
func TestABenchmarkThatNothingCanBeLikeIsRefused(t *testing.T) {
	train := write(t, row{"id": "x", "instruction": lamp})
	for _, s := range []dedup.Settings{
		{Against: []string{write(t, row{"id": "1", "task": lamp})}},
		{Against: []string{write(t, row{"id": "1", "instruction": lamp})}, By: []string{dedup.ByDOM, dedup.ByCode}},
	} {
		s.Files, s.Out, s.Thresholds = []string{train}, t.TempDir(), dedup.Defaults
		_, err := dedup.Run(context.Background(), s)
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
			t.Errorf("by %v: %v, want it refused", s.By, err)
		}
	}
}

func TestBadInputIsCountedOrRefused(t *testing.T) {
	long := `{"id":"long","instruction":"` + strings.Repeat("a page about lamps and books ", 50<<20/29) + `"}`
	for name, c := range map[string]struct {
		text                                       string
		kept, dropped, unusable, repaired, without int
	}{
		"broken UTF-8":    {"{\"id\":\"a\",\"instruction\":\"caf\xe9 site\"}\n{\"id\":\"b\",\"instruction\":\"something else\"}\n", 2, 0, 0, 1, 0},
		"a 50 MB line":    {long + "\n" + `{"id":"b","instruction":"a chess game"}`, 2, 0, 0, 0, 0},
		"columns missing": {`{"id":"a","name":"x"}` + "\n" + `{"id":"b","instruction":"a chess game"}`, 2, 0, 0, 0, 1},
		"no JSON":         {`{"id":"a","instruction":"a chess game"}` + "\n" + `{"id":` + "\n[1]\n", 1, 0, 2, 0, 0},
		"one item":        {`{"id":"a","instruction":"a chess game"}`, 1, 0, 0, 0, 0},
		"all equal":       {strings.Repeat(`{"id":"a","instruction":"a chess game"}`+"\n", 500), 1, 499, 0, 0, 0},
		"all nearly so":   {nearly(500), 3, 497, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := run(t, dedup.Settings{Files: []string{writeText(t, c.text)}})
			if s.Kept != c.kept || s.Dropped != c.dropped || s.Unusable != c.unusable || s.Repaired != c.repaired || s.Without != c.without {
				t.Errorf("%+v, want %d, %d, %d, %d, %d", s, c.kept, c.dropped, c.unusable, c.repaired, c.without)
			}
		})
	}
	_, err := dedup.Run(context.Background(), dedup.Settings{Files: []string{writeText(t, "[1]\n[2]\n")}, Out: t.TempDir(), Thresholds: dedup.Defaults})
	var fault *vitrine.Fault
	if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
		t.Errorf("rows without any object: %v", err)
	}
}

func nearly(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"instruction":%q}`+"\n", lamp+strings.Repeat("!", i%70))
	}
	return b.String()
}

func TestIDsAreOneEachOverSeveralFiles(t *testing.T) {
	a, b := write(t, row{"id": "1", "instruction": "a chess game"}), write(t, row{"id": "1", "instruction": "a shop for books"})
	sum, _ := run(t, dedup.Settings{Files: []string{a, b}, Reading: inputs.Settings{}})
	kept, err := os.ReadFile(filepath.Join(sum.Out, dedup.KeptFile))
	if err != nil || !bytes.Contains(kept, []byte(`"1#2"`)) {
		t.Errorf("kept %s, %v", kept, err)
	}
}
