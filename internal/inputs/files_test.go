package inputs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"vitrine"
)

const pageA, pageB = `<!doctype html><title>A</title><h1>A</h1>`, `<!doctype html><title>B</title><h1>B</h1>`

func gz(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(b)
	must(t, err)
	must(t, z.Close())
	return out.Bytes()
}

func zst(t testing.TB, b []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	must(t, err)
	return z.EncodeAll(b, nil)
}

// zipped is an archive of name, content pairs.
func zipped(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for pair := range slices.Chunk(pairs, 2) {
		w, err := z.Create(pair[0])
		must(t, err)
		_, err = w.Write([]byte(pair[1]))
		must(t, err)
	}
	must(t, z.Close())
	return out.Bytes()
}

func tarred(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for pair := range slices.Chunk(pairs, 2) {
		must(t, w.WriteHeader(&tar.Header{Name: pair[0], Mode: 0o644, Size: int64(len(pair[1])), Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(pair[1]))
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

type message struct {
	Role    string `parquet:"role"`
	Content string `parquet:"content"`
}

type parquetRow struct {
	UID       string    `parquet:"uid"`
	Prompt    []message `parquet:"prompt,list"`
	Responses []string  `parquet:"responses,list"`
	Score     float64   `parquet:"score"`
}

func parquetFile(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[parquetRow](&out, parquet.Compression(&parquet.Zstd))
	for _, uid := range []string{"a", "b"} {
		_, err := w.Write([]parquetRow{{uid, []message{{"user", "i"}}, []string{"x", "y"}, 0.5}})
		must(t, err)
		must(t, w.Flush())
	}
	must(t, w.Close())
	return out.Bytes()
}

func utf16Text(order binary.AppendByteOrder, bom bool, s string) []byte {
	var b []byte
	if bom {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

// Every format, in every packing, under a name that says nothing.
func TestFormats(t *testing.T) {
	t.Parallel()
	const lines = `{"uid":"a","prompt":"i","responses":["x","y"]}` + "\n" + `{"uid":"b","prompt":"i","responses":["x","y"]}`
	want := []string{"a.1|i||x", "a.2|i||y", "b.1|i||x", "b.2|i||y"}
	for name, b := range map[string][]byte{
		"JSONL":                  []byte(lines),
		"JSON":                   []byte("[\n" + strings.Replace(lines, "\n", ",\n", 1) + "\n]"),
		"JSON, a comma too much": []byte("[" + strings.Replace(lines, "\n", ",", 1) + ",]"),
		"objects over lines":     []byte(strings.ReplaceAll(strings.ReplaceAll(lines, `,"`, ",\n \""), `{"`, "{\n \"")),
		"a list in an object":    []byte(`{"version": 1, "rows": [` + strings.Replace(lines, "\n", ",", 1) + `]}`),
		"CSV":                    []byte("uid,prompt,responses\n" + `a,i,"[""x"",""y""]"` + "\n" + `b,i,"[""x"",""y""]"` + "\n"),
		"CSV with semicolons":    []byte("uid;prompt;responses\r\n" + `a;i;"[""x"",""y""]"` + "\r\n" + `b;i;"[""x"",""y""]"`),
		"TSV with a BOM":         []byte("\ufeffuid\tprompt\tresponses\n" + `a` + "\ti\t" + `"[""x"",""y""]"` + "\n" + `b` + "\ti\t" + `"[""x"",""y""]"`),
		"Parquet":                parquetFile(t),
		"UTF-16LE":               utf16Text(binary.LittleEndian, true, lines),
		"UTF-16BE":               utf16Text(binary.BigEndian, true, lines),
		"UTF-16LE without a BOM": utf16Text(binary.LittleEndian, false, lines),
		"zip":                    zipped(t, "data/rows.jsonl", lines),
		"tar":                    tarred(t, "rows.json", "["+strings.Replace(lines, "\n", ",", 1)+"]"),
	} {
		for packing, packed := range map[string][]byte{"": b, "gzip": gz(t, b), "zstd": zst(t, b)} {
			items, bad := readText(t, "in", string(packed), Settings{})
			if diff := cmp.Diff(want, summaries(items)); diff != "" || bad != nil {
				t.Errorf("%s %s: bad %q (-want +got):\n%s", name, packing, bad, diff)
			}
		}
	}
}

// sitesIn reads an archive of sites: id, kind and the paths of each.
func sitesIn(t testing.TB, items []Item) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, o := range items {
		if o.Artifact == nil {
			all[o.ID] = "text"
			continue
		}
		paths := []string{string(o.Artifact.Kind)}
		for _, f := range o.Artifact.Files {
			paths = append(paths, f.Path)
		}
		all[o.ID] = strings.Join(paths, " ")
	}
	return all
}

func TestArchivesOfSites(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pairs []string
		want  map[string]string
	}{
		"a project":                 {[]string{"package.json", "{}", "src/main.tsx", "1", "node_modules/x/i.js", "1", ".env.local", "KEY"}, map[string]string{"in": "project package.json src/main.tsx"}},
		"in one folder":             {[]string{"shop/package.json", "{}", "shop/index.html", pageA}, map[string]string{"in": "project index.html package.json"}},
		"a static site":             {[]string{"index.html", pageA, "b.html", pageB}, map[string]string{"in": "page b.html index.html"}},
		"two projects":              {[]string{"a/package.json", "{}", "b/c/index.html", pageA}, map[string]string{"in/a": "project package.json", "in/b/c": "page index.html"}},
		"pages":                     {[]string{"a.html", pageA + `<img src="i.png">`, "b.html", pageB, "i.png", "1"}, map[string]string{"in/a.html": "page index.html i.png", "in/b.html": "page index.html"}},
		"of Windows":                {[]string{`shop\index.html`, pageA, `shop\img\a.png`, "1"}, map[string]string{"in": "page img/a.png index.html"}},
		"of a Mac":                  {[]string{"index.html", pageA, "__MACOSX/._index.html", "x"}, map[string]string{"in": "page index.html"}},
		"names that leave":          {[]string{"index.html", pageA, "../x.html", "x", "/etc/passwd", "x", "a/../../y", "x", `C:\z`, "x", `..\..\w`, "x"}, map[string]string{"in": "page index.html"}},
		"one name twice":            {[]string{"index.html", "first", "index.html", pageA}, map[string]string{"in": "page index.html"}},
		"names that differ in case": {[]string{"index.html", pageA, "Index.html", pageB}, map[string]string{"in": "page Index.html index.html"}},
	} {
		for format, b := range map[string][]byte{"zip": zipped(t, test.pairs...), "tar": tarred(t, test.pairs...), "tar.gz": gz(t, tarred(t, test.pairs...)), "tar.zst": zst(t, tarred(t, test.pairs...))} {
			items, bad := readText(t, "in."+format, string(b), Settings{})
			if diff := cmp.Diff(test.want, sitesIn(t, items)); diff != "" || bad != nil {
				t.Errorf("%s as %s: bad %q (-want +got):\n%s", name, format, bad, diff)
			}
		}
	}
}

// put writes files of name, content pairs below a new folder.
func put(t testing.TB, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for pair := range slices.Chunk(pairs, 2) {
		name := filepath.Join(dir, filepath.FromSlash(pair[0]))
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(pair[1]), 0o644))
	}
	return dir
}

func openAll(t testing.TB, name string, s Settings) (items []Item, bad []string) {
	t.Helper()
	in, err := Open(name, s)
	must(t, err)
	t.Cleanup(func() { must(t, in.Close()) })
	return all(t, in)
}

func TestFolders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pairs []string
		want  map[string]string
	}{
		"projects":           {[]string{"a/package.json", "{}", "a/src/x.ts", "1", "b/index.html", pageA, "readme.md", "x"}, map[string]string{"a": "project package.json src/x.ts", "b": "page index.html"}},
		"nested":             {[]string{"m1/t1/index.html", pageA, "m2/t1/index.html", pageB}, map[string]string{"m1/t1": "page index.html", "m2/t1": "page index.html"}},
		"pages":              {[]string{"a.html", pageA, "b.htm", pageB, "c.tsx", "1"}, map[string]string{"a.html": "page index.html", "b.htm": "page index.html", "c.tsx": "component page.tsx"}},
		"archives":           {[]string{"a.zip", string(zipped(t, "package.json", "{}")), "b.tar.gz", string(gz(t, tarred(t, "x/index.html", pageA)))}, map[string]string{"a": "project package.json", "b": "page index.html"}},
		"shards":             {[]string{"0.jsonl", `{"id":"a","output":"x"}`, "1.jsonl.gz", string(gz(t, []byte(`{"id":"b","output":"x"}`)))}, map[string]string{"a": "text", "b": "text"}},
		"pages, not records": {[]string{"a.html", pageA, "meta.json", `{"id":"a","output":"x"}`}, map[string]string{"a.html": "page index.html"}},
	} {
		items, bad := openAll(t, put(t, test.pairs...), Settings{})
		if diff := cmp.Diff(test.want, sitesIn(t, items)); diff != "" || bad != nil {
			t.Errorf("%s: bad %q (-want +got):\n%s", name, bad, diff)
		}
	}
}

// A page is served with what it names of its folder, without leaving it.
func TestPageAndItsFolder(t *testing.T) {
	t.Parallel()
	outside := put(t, "secret.txt", "secret", "deep/x.png", "secret")
	dir := put(t, "page.html", `<!doctype html><link href=style.css rel=stylesheet><img src="img/a%20b.png?x#y" srcset="one.png 1x, two.png 2x">
		<script type="module">import './app.js'; const n = 3; new Image().src = `+"`frames/${n}.png`"+`; fetch("../secret.txt"); fetch('linked/x.png'); fetch("leak.txt"); fetch(".env"); fetch("pipe"); fetch("pipe.png"); fetch("https://x.test/far.png")</script>
		<a href="/root.html">r</a><a href="node_modules/x/i.js">n</a>`,
		"style.css", `@import "more.css"; h1 { background: url(img/bg.png) }`, "more.css", "1", "img/a b.png", "1", "img/bg.png", "1", "one.png", "1", "two.png", "1",
		"app.js", `import "./lib/l.js"`, "lib/l.js", `export const u = "deep.json"`, "lib/deep.json", "1", "frames/1.png", "1", "frames/2.png", "1", "root.html", pageB,
		".env", "KEY", "node_modules/x/i.js", "1", "diary.txt", "not named", "far.png", "1")
	must(t, os.Symlink(outside, filepath.Join(dir, "linked")))
	must(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "leak.txt")))
	must(t, os.Symlink("/dev/zero", filepath.Join(dir, "pipe.png")))
	items, bad := openAll(t, filepath.Join(dir, "page.html"), Settings{})
	want := "page index.html app.js frames/1.png frames/2.png img/a b.png img/bg.png lib/deep.json lib/l.js more.css one.png root.html style.css two.png"
	if got := sitesIn(t, items)["page.html"]; got != want || bad != nil {
		t.Errorf("bad %q, got\n%s, want\n%s", bad, got, want)
	}
}

// A folder of any size around a page costs nothing.
func TestPageInALargeFolder(t *testing.T) {
	t.Parallel()
	dir := put(t, "page.html", `<!doctype html><script>const all = "many/"</script><img src="big.bin"><img src="many/1.png">`, "many/1.png", "1")
	for i := range 3 * maxNamed {
		must(t, os.WriteFile(filepath.Join(dir, "many", itoa(i)+".txt"), nil, 0o644))
	}
	f, err := os.Create(filepath.Join(dir, "big.bin"))
	must(t, err)
	must(t, f.Truncate(1<<40)) // without a byte on disk
	must(t, f.Close())
	items, bad := openAll(t, filepath.Join(dir, "page.html"), Settings{})
	if got := sitesIn(t, items)["page.html"]; got != "page index.html many/1.png" || bad != nil {
		t.Errorf("got %s, bad %q", got, bad)
	}
}

func TestStandardInputOfEachSort(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"JSONL": []byte(`{"id":"a","output":"x"}`), "packed": zst(t, []byte(`{"id":"a","output":"x"}`)), "an archive": zipped(t, "index.html", pageA), "a page": []byte(pageA), "an answer": []byte("Here it is:\n```html\n<p>\n```"),
	} {
		items, bad := openAll(t, "-", Settings{Stdin: bytes.NewReader(b)})
		if len(items) != 1 || bad != nil {
			t.Errorf("%s: got %v, bad %q", name, items, bad)
		}
	}
}

func TestMapping(t *testing.T) {
	t.Parallel()
	m, err := ParseMapping([]string{"output=reply.parts.1", "id=meta.n", "instruction=q", "model=", "task_id=t"})
	must(t, err)
	items, bad := readText(t, "in.jsonl", `{"reply":{"parts":["w","x"]},"meta":{"n":7},"q":[{"role":"user","content":"i"}],"model":"m","t":5,"output":"not this"}`, Settings{Map: m})
	if diff := cmp.Diff([]string{"7|i||x"}, summaries(items)); diff != "" || bad != nil || items[0].TaskID != "5" {
		t.Errorf("bad %q, %+v (-want +got):\n%s", bad, items, diff)
	}
	_, bad = readText(t, "in.jsonl", `{"other":"x"}`, Settings{Map: m})
	if len(bad) != 1 || !strings.Contains(bad[0], `wanted "reply.parts.1", which --map output= names`) {
		t.Errorf("got %q", bad)
	}
	for _, pairs := range [][]string{{"reply"}, {"outputs=x"}, {"output="}, {"id=a", "id=b"}} {
		if _, err := ParseMapping(pairs); err == nil {
			t.Errorf("%q is taken", pairs)
		}
	}
}

func TestFilesInARow(t *testing.T) {
	t.Parallel()
	items, bad := readText(t, "in.jsonl", `{"id":"a","files":{"package.json":"{}","src/x.ts":"1","../y":"2"}}`+"\n"+`{"id":"b","files":[{"path":"index.html","content":"<p>"}]}`, Settings{})
	if diff := cmp.Diff(map[string]string{"a": "project package.json src/x.ts", "b": "page index.html"}, sitesIn(t, items)); diff != "" || bad != nil {
		t.Errorf("bad %q (-want +got):\n%s", bad, diff)
	}
}

func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	items, _ := readText(t, "in.jsonl", `{"custom_id":"a","response":{"body":{"choices":[{"message":{"content":"x"}}],"usage":{"completion_tokens":7}}},"seed":1}`, Settings{})
	want := map[string]json.RawMessage{"output_tokens": []byte("7"), "seed": []byte("1")}
	if diff := cmp.Diff(want, items[0].Meta); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	items, _ = readText(t, "in.jsonl", `{"id":"a","prompt":"i","completions":["x","y"]}`, Settings{})
	if items[0].GroupID != "a" || items[1].GroupID != "a" || items[0].Kind != vitrine.KindUnknown {
		t.Errorf("got %+v", items)
	}
}
