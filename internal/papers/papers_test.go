package papers

import (
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

var update = flag.Bool("update", false, "write docs/papers.md")

// root is the repository.
const root = "../.."

func load(t *testing.T) []Paper {
	t.Helper()
	papers, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return papers
}

func TestThePageIsWrittenFromTheTable(t *testing.T) {
	t.Parallel()
	const name = root + "/docs/papers.md"
	want := Page(load(t))
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("docs/papers.md is not what the table says (%v): go test ./internal/papers -update", err)
	}
}

func TestRowsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, p := range load(t) {
		for _, r := range p.Rows {
			if lacks := absent(os.DirFS(root), r); lacks != "" {
				t.Errorf("%s: %s", r.ID, lacks)
			}
		}
	}
}

// absent says which file or test of a row is not in the repository.
func absent(repository fs.FS, r Row) string {
	if r.Code != "" {
		if _, err := fs.Stat(repository, r.Code); err != nil {
			return "no code at " + r.Code
		}
	}
	if r.Test == "" {
		return "no test"
	}
	file, test, named := strings.Cut(r.Test, ":")
	source, err := fs.ReadFile(repository, file)
	if !named || err != nil || !strings.HasSuffix(file, "_test.go") || !strings.Contains(string(source), "func "+test+"(t *testing.T)") {
		return "no test " + r.Test
	}
	return ""
}

func TestWhatIsNotThereIsFound(t *testing.T) {
	t.Parallel()
	repository := fstest.MapFS{
		"a/a.go":      {Data: []byte("package a")},
		"a/a_test.go": {Data: []byte("func TestA(t *testing.T) {\n")},
	}
	for want, r := range map[string]Row{
		"":                              {Code: "a", Test: "a/a_test.go:TestA"},
		"no code at a/b.go":             {Code: "a/b.go", Test: "a/a_test.go:TestA"},
		"no test a/a_test.go:Test":      {Code: "a/a.go", Test: "a/a_test.go:Test"},
		"no test a/b_test.go:TestA":     {Test: "a/b_test.go:TestA"},
		"no test":                       {Code: "a/a.go"},
		"no test a/a_test.go":           {Test: "a/a_test.go"},
		"no test a/a.go:TestA":          {Test: "a/a.go:TestA"},
		"no test a/a_test.go:TestA/one": {Test: "a/a_test.go:TestA/one"},
	} {
		if got := absent(repository, r); got != want {
			t.Errorf("%+v: got %q, want %q", r, got, want)
		}
	}
}

const header = "title: T\nabout: A.\nrows:\n"

// rowOf is a row in YAML, with some of its lines replaced; an empty one is left out.
func rowOf(change map[string]string) string {
	begin, text := "  - ", ""
	for _, key := range []string{"id", "section", "what", "state", "code", "test", "note"} {
		value := map[string]string{
			"id": "relook-x", "section": "§1", "what": "W.", "state": "published", "code": "a.go", "test": "a_test.go:TestA",
		}[key]
		if v, ok := change[key]; ok {
			value = v
		}
		if value != "" {
			text += begin + key + ": " + value + "\n"
			begin = "    "
		}
	}
	return text
}

func TestMistakesInATableAreNamed(t *testing.T) {
	t.Parallel()
	if p, err := parse("relook", []byte(header+rowOf(nil))); err != nil || len(p.Rows) != 1 || p.Rows[0].Paper != "relook" {
		t.Fatalf("got %+v, %v", p, err)
	}
	for want, text := range map[string]string{
		"relook.yaml:10: rows[1]: id relook-x is there twice":                      header + rowOf(nil) + rowOf(nil),
		`want published or ours or decided or partly or missing, got "fine"`:       header + rowOf(map[string]string{"state": "fine"}),
		"rows[0]: want test: a row that is published names the test that holds it": header + rowOf(map[string]string{"test": ""}),
		"want test: a row that is ours names the test that holds it":               header + rowOf(map[string]string{"state": "ours", "note": "N.", "test": ""}),
		"want test: a row that is decided names the test that holds it":            header + rowOf(map[string]string{"state": "decided", "note": "N.", "test": ""}),
		"want code: a row that is published names what does it":                    header + rowOf(map[string]string{"code": ""}),
		"want note: a row that is partly says what differs, or is missing":         header + rowOf(map[string]string{"state": "partly"}),
		"want note: a row that is missing says what differs, or is missing":        header + rowOf(map[string]string{"state": "missing"}),
		"want section: every row has one":                                          header + rowOf(map[string]string{"section": ""}),
		`id "aescoder-x" does not begin with relook-`:                              header + rowOf(map[string]string{"id": "aescoder-x"}),
		`rows[0].sate: unknown key (did you mean "state"?)`:                        header + rowOf(nil) + "    sate: ours\n",
		"vitrine: only a row that is published has a profile of ours by its side":  header + rowOf(map[string]string{"state": "ours", "note": "N."}) + "    vitrine: V.\n",
		"relook.yaml:1: want title, about and rows":                                "title: T\nrows:\n" + rowOf(nil),
	} {
		if _, err := parse("relook", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	papers := load(t)
	all, err := Select(papers, "", nil)
	if err != nil || len(all) < 30 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	some, err := Select(papers, "relook", []string{"partly", "missing"})
	if err != nil || len(some) == 0 {
		t.Fatalf("%d rows, %v", len(some), err)
	}
	for _, r := range some {
		if r.Paper != "relook" || r.State != Partly && r.State != Missing {
			t.Errorf("got %s, %s", r.ID, r.State)
		}
	}
	if none, err := Select(papers, "", []string{}); err != nil || len(none) != len(all) {
		t.Errorf("without a state: %d rows, %v", len(none), err)
	}
	if _, err := Select(papers, "rellok", nil); err == nil || err.Error() != `command: there is no paper "rellok" (did you mean "relook"?)` {
		t.Errorf("got %v", err)
	}
	if _, err := Select(papers, "", []string{"partial"}); err == nil || !strings.HasPrefix(err.Error(), `command: there is no state "partial"`) {
		t.Errorf("got %v", err)
	}
}

func TestPrint(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	rows := []Row{
		{ID: "relook-a", Section: "§1", What: strings.Repeat("word ", 30), State: Partly, Code: "a.go", Note: strings.Repeat("note ", 20)},
		{ID: "relook-longer", Section: "§2", What: "W.", State: Missing},
	}
	if err := Print(&out, rows); err != nil {
		t.Fatal(err)
	}
	want := `relook-a       partly     §1
    ` + repeated("word", 19) + `
    ` + repeated("word", 11) + `
    code  a.go
    note  ` + repeated("note", 18) + `
          note note
relook-longer  missing    §2
    W.

2 rows: 1 partly, 1 missing
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := Print(&out, nil); err != nil || out.String() != "0 rows\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func repeated(word string, n int) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }

func TestAPageStaysATable(t *testing.T) {
	t.Parallel()
	p := []Paper{{ID: "relook", Title: "ReLook", About: "A.", Rows: []Row{{ID: "relook-a", Section: "§1", What: "a | b, <c>, d_e * f", State: Ours, Code: "a.go", Test: "a_test.go:TestA", Note: "N."}}}}
	want := "| `relook-a` | §1 | a \\| b, &lt;c&gt;, d\\_e \\* f | ours | [a.go](../a.go)<br>`a_test.go:TestA` | N. |\n"
	if page := Page(p); !strings.HasSuffix(page, want) || !strings.Contains(page, "| ours | otherwise, on purpose; the note says why | 1 |\n") {
		t.Errorf("got %s", page)
	}
	for _, line := range strings.Split(Page(load(t)), "\n") {
		if borders := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "| `") && borders != 7 {
			t.Errorf("%d borders in %s", borders, line)
		}
	}
}

func TestDifferencesOfTheProfiles(t *testing.T) {
	t.Parallel()
	table := load(t)
	all, err := Differences(table, "")
	if err != nil || len(all) < 8 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	some, err := Differences(table, "webdevjudge")
	if err != nil || len(some) == 0 || len(some) >= len(all) {
		t.Errorf("%d of %d rows are of webdevjudge, %v", len(some), len(all), err)
	}
	var text strings.Builder
	if err := PrintDifferences(&text, some); err != nil || !strings.Contains(text.String(), "webdevjudge-temperature  B.1\n    published  Temperature 0") || !strings.Contains(text.String(), "\n    vitrine    It is left") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if _, err := Differences(table, "webdevjudje"); err == nil || !strings.Contains(err.Error(), "webdevjudge") {
		t.Errorf("an unknown paper: %v", err)
	}
}
