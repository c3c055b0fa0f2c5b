package report

import (
	"encoding/json"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine"
	"vitrine/internal/runs"
)

const oddID = `../"odd" <id> & 漢 #1?`

// poisoned is a sample with hostile text in every string that it can hold.
func poisoned() book {
	b := whole(sample(0))
	poison(reflect.ValueOf(&b.sample))
	poison(reflect.ValueOf(b.evidence))
	poison(reflect.ValueOf(b.artifact))
	poison(reflect.ValueOf(b.judgement))
	good := sample(0)
	b.sample.ID, b.sample.Status, b.sample.Evidence = hostile, good.Status, ""
	b.sample.Parts = map[string]float64{hostile: 1}
	b.sample.Scores = map[string]float64{hostile: 1}
	b.sample.Meta = map[string]json.RawMessage{hostile: json.RawMessage(`"` + strings.NewReplacer(`"`, `\"`).Replace(hostile) + `"`)}
	for i := range b.sample.Findings {
		b.sample.Findings[i].Status = good.Findings[i].Status
	}
	clean := gathered()
	for i := range b.evidence.Views {
		b.evidence.Views[i].Thumb, b.evidence.Views[i].Frames = clean.Views[i].Thumb, clean.Views[i].Frames
	}
	return b
}

func poisonedHeader() runs.Header {
	h := header()
	recipe := h.RecipeSpec
	poison(reflect.ValueOf(&h))
	h.RecipeSpec = recipe
	return h
}

// various is a run with every outcome, unjudged samples, an odd id, hostile text
// everywhere, evidence that is gone and samples that have none.
func various(t testing.TB) string {
	t.Helper()
	odd := whole(sample(1))
	odd.sample.ID = oddID
	books := []book{poisoned(), odd}
	for i := range 70 {
		b := whole(sample(i))
		if i%5 == 4 {
			b.evidence = nil
		}
		books = append(books, b)
	}
	return shared(t, "various", func(dir string) {
		writeRunTo(t, dir, poisonedHeader(), books...)
		must(t, os.RemoveAll(filepath.Join(dir, "evidence", "sample-0001")))
		must(t, os.Remove(filepath.Join(dir, "evidence", "sample-0002", "frames", "index@desktop@0.png")))
	})
}

var reference = regexp.MustCompile(` (?:href|src)="([^"]*)"`)

// links yields every place that an HTML file names, also inside noscript. In text
// no quote is left unescaped.
func links(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	must(t, err)
	var out []string
	for _, m := range reference.FindAllStringSubmatch(string(b), -1) {
		out = append(out, html.UnescapeString(m[1]))
	}
	return out
}

// resolve returns the file behind a link, "" if it is an anchor on its own page.
func resolve(t *testing.T, page, ref string) string {
	t.Helper()
	u, err := url.Parse(ref)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") {
		t.Errorf("%s: %q leaves the report", page, ref)
		return ""
	}
	if u.Path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
}

func TestEveryLinkLeadsToAFileOfTheRun(t *testing.T) {
	t.Parallel()
	dir := various(t)
	pages, err := filepath.Glob(filepath.Join(dir, "report", "s", "*.html"))
	must(t, err)
	if len(pages) != 72 {
		t.Errorf("%d sample pages, want 72", len(pages))
	}
	for _, page := range append(pages, filepath.Join(dir, "report.html")) {
		all := links(t, page)
		if len(all) < 4 {
			t.Errorf("%s has only the links %q", page, all)
		}
		for _, ref := range all {
			if file := resolve(t, page, ref); file != "" {
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s: %q: %v", page, ref, err)
				}
			}
		}
	}
}

// rows reads the index back as the gallery script does.
func readIndex(t *testing.T, dir string) index {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "report", "index.js"))
	must(t, err)
	text := strings.TrimSuffix(strings.TrimPrefix(string(b), "window.vitrineIndex = "), ";\n")
	var ix index
	must(t, json.Unmarshal([]byte(text), &ix))
	return ix
}

func TestIndexNamesPagesAndPicturesThatExist(t *testing.T) {
	t.Parallel()
	dir := various(t)
	ix := readIndex(t, dir)
	pictures := 0
	for _, row := range ix.Rows {
		if _, err := os.Stat(filepath.Join(dir, "report", "s", row[1].(string)+".html")); err != nil {
			t.Error(err)
		}
		if thumb := row[5].(string); thumb != "" {
			pictures++
			if _, err := os.Stat(resolve(t, filepath.Join(dir, "report.html"), thumb)); err != nil {
				t.Error(err)
			}
		}
	}
	// 72 samples, 14 without evidence, one whose evidence is gone.
	if len(ix.Rows) != 72 || pictures != 57 {
		t.Errorf("%d rows with %d pictures, want 72 with 57", len(ix.Rows), pictures)
	}
}

func TestNoScriptListHasEverySample(t *testing.T) {
	t.Parallel()
	dir := writeRun(t, header(), whole(sample(0)), whole(sample(1)), book{sample: sample(9)})
	must(t, Write(dir))
	want := []string{"report/s/sample-0000.html", "report/s/sample-0001.html", "report/s/sample-0009.html"}
	got := slices.DeleteFunc(links(t, filepath.Join(dir, "report.html")), func(s string) bool { return !strings.HasPrefix(s, "report/s/") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestReportIsReplacedAndOnlyTheNewestLineCounts(t *testing.T) {
	t.Parallel()
	again := sample(0)
	again.Attempt, again.Reward = 2, num(4.5)
	dir := writeRun(t, header(), whole(sample(0)), whole(sample(1)), whole(again))
	stale := filepath.Join(dir, "report", "s", "stale.html")
	must(t, os.MkdirAll(filepath.Dir(stale), 0o755))
	must(t, os.WriteFile(stale, nil, 0o644))
	must(t, Write(dir))
	must(t, Write(dir))
	var got []string
	must(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if d.IsDir() && rel == "evidence" {
			return fs.SkipDir
		}
		if !d.IsDir() {
			got = append(got, rel)
		}
		return err
	}))
	want := []string{
		"report.html", "report/gallery.js", "report/index.js", "report/report.css", "report/s/sample-0000.html", "report/s/sample-0001.html",
		"report/sample.js", "run.json", "samples.jsonl",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if rows := readIndex(t, dir).Rows; len(rows) != 2 || rows[0][4] != 4.5 {
		t.Errorf("rows %v, want two and the second attempt's reward", rows)
	}
}

func TestWriteOfAFolderThatIsNoRun(t *testing.T) {
	t.Parallel()
	f := vitrine.AsFault("x", Write(t.TempDir()))
	if f.Code != vitrine.FaultUsage || f.Fix == "" {
		t.Errorf("got %+v, want a usage fault that says what to do", f)
	}
}

func TestBigFilesAreCut(t *testing.T) {
	t.Parallel()
	b := whole(sample(0))
	b.artifact.Files = []vitrine.File{{Path: "big.js", Content: strings.Repeat("ü", 150<<10)}}
	for range 400 {
		b.artifact.Files = append(b.artifact.Files, vitrine.File{Path: "small.js", Content: "1"})
	}
	dir := writeRun(t, header(), b)
	must(t, Write(dir))
	page, err := os.ReadFile(filepath.Join(dir, pageOf(b.sample.ID)))
	must(t, err)
	for _, want := range []string{`102.4 kB more in <a href="../../evidence/sample-0000/artifact.json">`, `101 files more in <a href`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(string(page), "ü"); n != 100<<10 {
		t.Errorf("%d characters shown, want %d", n, 100<<10)
	}
}

func TestThousandSamples(t *testing.T) {
	var books []book
	for i := range 1000 {
		next := book{sample: sample(i)}
		if i < 100 {
			next = whole(sample(i))
		}
		books = append(books, next)
	}
	dir := writeRun(t, header(), books...)
	must(t, Write(dir))
	open(t, vitrine.Desktop, dir, "report.html", func(tab tab) {
		if n := ask[int](tab, `document.querySelectorAll('#cards > li').length`); n != 60 {
			t.Errorf("%d cards on the first page, want 60", n)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	var books []book
	for i := range 100 {
		books = append(books, whole(sample(i)))
	}
	dir := writeRun(b, header(), books...)
	for b.Loop() {
		must(b, Write(dir))
	}
}
