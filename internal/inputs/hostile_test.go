package inputs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vitrine"
)

// grown is by how many bytes the heap is larger after work than before it, garbage
// included.
func grown(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A stream that grows without bound is given up; what was before it is used.
func TestPackedBombs(t *testing.T) { // alone: it looks at the heap
	first := []byte(`{"id":"a","output":"x"}` + "\n")
	for name, b := range map[string][]byte{
		"gzip": gz(t, append(first, make([]byte, 100<<20)...)),
		"zstd": zst(t, append(first, make([]byte, 100<<20)...)),
	} {
		var items []Item
		var bad []string
		allocated := grown(func() {
			items, bad = readText(t, "in.jsonl", string(b), Settings{Limits: Limits{Row: 8 << 20, Ratio: 100}})
		})
		if ids(items) != "a" || len(bad) != 1 || !strings.Contains(bad[0], "it unpacks to more than 100 times its size") {
			t.Errorf("%s: got %q, bad %q", name, ids(items), bad)
		}
		if allocated > 400<<20 {
			t.Errorf("%s: %d MB were allocated", name, allocated>>20)
		}
	}
}

func TestArchiveBombs(t *testing.T) {
	t.Parallel()
	many := make([]string, 0, 600)
	for i := range 300 {
		many = append(many, itoa(i)+".html", pageA)
	}
	for name, test := range map[string]struct {
		b    []byte
		want string
	}{
		"zip of zeros":         {zipped(t, "index.html", strings.Repeat("\x00", 64<<20)), "it unpacks to more than 16 MB"},
		"tar of zeros":         {gz(t, tarred(t, "index.html", strings.Repeat("\x00", 64<<20))), "it unpacks to more than 16 MB"},
		"many entries":         {zipped(t, many...), "it has more than 200 entries"},
		"a zip that is cut":    {zipped(t, "index.html", pageA)[:60], "not a valid zip file"},
		"a tar that is cut":    {tarred(t, "index.html", strings.Repeat("x", 4096))[:1024], "unexpected EOF"},
		"an encrypted entry":   {encrypted(t), "is encrypted"},
		"a zip in a zip":       {zipped(t, "b.zip", string(zipped(t, "c.zip", string(zipped(t, "index.html", pageA))))), "archives in an archive in an archive"},
		"nothing of use in it": {zipped(t, "a.bin", "1"), "without a package.json"},
		"nothing in it":        {zipped(t), "without a package.json"},
	} {
		items, bad := readText(t, "in", string(test.b), Settings{Limits: Limits{Archive: 16 << 20, Files: 200}})
		if len(items) != 0 || len(bad) != 1 || !strings.Contains(bad[0], test.want) {
			t.Errorf("%s: got %v, bad %q, want %q", name, items, bad, test.want)
		}
	}
}

func encrypted(t testing.TB) []byte {
	t.Helper()
	b := zipped(t, "index.html", pageA)
	b[6] |= 1 // the flag in the entry, and in the directory
	b[bytes.Index(b, []byte("PK\x01\x02"))+8] |= 1
	return b
}

// Links, devices and FIFOs of an archive or a folder are left out, and nothing waits
// for them.
func TestEntriesThatAreNoFiles(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range []tar.Header{
		{Name: "index.html", Typeflag: tar.TypeReg, Size: int64(len(pageA)), Mode: 0o644}, {Name: "a", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "b", Typeflag: tar.TypeLink, Linkname: "../x"}, {Name: "c", Typeflag: tar.TypeFifo}, {Name: "d", Typeflag: tar.TypeBlock}, {Name: "e/", Typeflag: tar.TypeDir},
	} {
		must(t, w.WriteHeader(&h))
		if h.Size > 0 {
			_, err := io.WriteString(w, pageA)
			must(t, err)
		}
	}
	must(t, w.Close())
	in, err := Bytes("in.tar", out.Bytes(), Settings{})
	must(t, err)
	items, bad := all(t, in)
	if got := sitesIn(t, items)["in"]; got != "page index.html" || bad != nil || !strings.Contains(strings.Join(in.Survey.Notes, " "), "4 entries are left out") {
		t.Errorf("got %q, bad %q, notes %q", got, bad, in.Survey.Notes)
	}
	var z bytes.Buffer
	zw := zip.NewWriter(&z)
	h := &zip.FileHeader{Name: "index.html"}
	h.SetMode(os.ModeSymlink | 0o777)
	entry, err := zw.CreateHeader(h)
	must(t, err)
	_, err = io.WriteString(entry, "/etc/passwd")
	must(t, err)
	must(t, zw.Close())
	if items, bad := readText(t, "in.zip", z.String(), Settings{}); len(items) != 0 || len(bad) != 1 {
		t.Errorf("a page that is a link: got %v, bad %q", items, bad)
	}
}

func TestFolderWithLinks(t *testing.T) {
	t.Parallel()
	outside := put(t, "index.html", pageB, "secret.txt", "secret")
	dir := put(t, "index.html", pageA)
	must(t, os.Symlink(outside, filepath.Join(dir, "out")))
	must(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "secret.txt")))
	must(t, os.Symlink(dir, filepath.Join(dir, "again")))
	items, bad := openAll(t, dir, Settings{})
	if len(items) != 1 || len(items[0].Artifact.Files) != 1 || bad != nil {
		t.Errorf("got %v, bad %q", sitesIn(t, items), bad)
	}
}

// Nesting, widths and lengths that cost many times their size are refused.
func TestRowsThatAreBombs(t *testing.T) { // alone: it looks at the heap
	deep := strings.Repeat(`{"response":`, 4000) + `"x"` + strings.Repeat("}", 4000)
	for name, row := range map[string]string{
		"10⁶ brackets":          strings.Repeat("[", 1e6) + strings.Repeat("]", 1e6),
		"10⁶ brackets, open":    strings.Repeat(`{"output":`, 1e6),
		"10⁶ fields":            "{" + strings.TrimSuffix(strings.Repeat(`"a":1,"b`+"`"+`":2,`, 2), ",") + manyFields(1e6) + "}",
		"10⁶ elements":          `{"completions":[` + strings.TrimSuffix(strings.Repeat("0,", 1e6), ",") + "]}",
		"deep but well-formed":  deep,
		"nested lists of rows":  strings.Repeat(`{"a":[`, 3000) + `{"output":"x"}` + strings.Repeat("]}", 3000),
		"a string that is JSON": `{"messages":"` + strings.Repeat("[", 9e3) + strings.Repeat("]", 9e3) + `"}`,
	} {
		allocated := grown(func() {
			items, bad := readText(t, "in.jsonl", row, Settings{})
			if len(items) != 0 || len(bad) != 1 {
				t.Errorf("%s: got %d items, bad %.300q", name, len(items), bad)
			}
		})
		if allocated > 1<<30 {
			t.Errorf("%s: %d MB were allocated for %d MB", name, allocated>>20, len(row)>>20)
		}
	}
}

func manyFields(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"f` + itoa(i) + `":0`)
	}
	return b.String()
}

func TestBrokenTables(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text, want string
		bad        []string
	}{
		"a quote inside":        {"id,output\na,x\nb,y \"z\"\nc,w\n", "a c", []string{`in.csv:3:5: found a broken row: bare " in non-quoted-field`}},
		"too many cells":        {"id,output\na,x,y\nb,z\n", "b", []string{"in.csv:2:1: found 3 cells; wanted 2"}},
		"columns of one name":   {"id,output,output\na,x,y\n", "a", nil},
		"lines in a cell":       {"id,output\na,\"x\n\ny\"\n\nb,z", "a b", nil},
		"a quote without end":   {"id,output\na,x\nb,\"y\nc,z", "a", []string{`in.csv:4:`}},
		"a quote without bound": {"id,output\na,x\nb,\"" + strings.Repeat("y\n", 1<<20), "a", []string{"in.csv:2:1: found damaged CSV: a row that does not end"}},
		"only a header":         {"id,output\n", "", nil},
	} {
		items, bad := readText(t, "in.csv", test.text, Settings{Limits: Limits{Row: 1 << 20}})
		if ids(items) != test.want || len(bad) != len(test.bad) || len(bad) > 0 && !strings.HasPrefix(bad[0], test.bad[0]) {
			t.Errorf("%s: got %q, bad %q", name, ids(items), bad)
		}
	}
}

// A Parquet file that lies about itself is damage, never a crash.
func TestParquetThatLies(t *testing.T) {
	t.Parallel()
	whole := parquetFile(t)
	footer := binary.LittleEndian.Uint32(whole[len(whole)-8:])
	for i := len(whole) - 8 - int(footer); i < len(whole); i += 3 {
		for _, value := range []byte{0x7f, 0xff} {
			b := bytes.Clone(whole)
			b[i] = value
			in, err := Bytes("in.parquet", b, Settings{})
			if f := vitrine.AsFault("x", err); err != nil && f.Code != vitrine.FaultUsage {
				t.Fatalf("byte %d as %d: %v", i, value, err)
			}
			if err == nil {
				readToEnd(t, in)
			}
		}
	}
	for _, b := range []string{"PAR1", "PAR1PAR1", "PAR1\xff\xff\xff\x7fPAR1", string(whole[:len(whole)/2])} {
		if items, bad := readText(t, "in", b, Settings{}); len(items) != 0 || len(bad) != 1 || !strings.Contains(bad[0], "damaged Parquet") {
			t.Errorf("%.20q: got %v, bad %q", b, items, bad)
		}
	}
}

// readToEnd reads what may be broken; anything but errors about rows fails.
func readToEnd(t testing.TB, in *Input) {
	t.Helper()
	n, seen := 0, map[string]bool{}
	for item, err := range in.Items() {
		var row *RowError
		switch {
		case err != nil && !errors.As(err, &row):
			t.Fatal(err)
		case err != nil:
			continue
		case item.ID == "" || seen[item.ID]:
			t.Fatalf("the id %q is empty or was there before", item.ID)
		}
		seen[item.ID] = true
		n++
	}
	if n > in.Survey.Outputs {
		t.Fatalf("%d outputs, and %d in the survey", n, in.Survey.Outputs)
	}
	must(t, in.Close())
}

func TestForeignFiles(t *testing.T) {
	t.Parallel()
	for _, f := range foreign {
		_, err := Bytes("in", append([]byte(f.magic), make([]byte, 64)...), Settings{})
		if fault := vitrine.AsFault("x", err); fault.Code != vitrine.FaultUsage || fault.Fix == "" {
			if f.magic[0] != 0x1f && f.magic[0] != 0x28 { // unpacked first, and damaged
				t.Errorf("%s: got %v", f.name, err)
			}
		}
	}
	if _, err := Bytes("in", gz(t, gz(t, []byte("x"))), Settings{}); err == nil || !strings.Contains(err.Error(), "a gzip file in a packed file") {
		t.Errorf("packed twice: got %v", err)
	}
	if _, err := Bytes("in", zipped(t, "[Content_Types].xml", "x"), Settings{}); err == nil || !strings.Contains(err.Error(), "Office") {
		t.Errorf("a spreadsheet: got %v", err)
	}
}

// A file of any length is read row by row.
func TestStreaming(t *testing.T) { // alone: it looks at the heap
	name := filepath.Join(t.TempDir(), "large.jsonl")
	f, err := os.Create(name)
	must(t, err)
	row := []byte(`{"output":"` + strings.Repeat("x", 1<<20) + `"}` + "\n")
	for range 96 {
		_, err = f.Write(row)
		must(t, err)
	}
	must(t, f.Close())
	in, err := Open(name, Settings{})
	must(t, err)
	var held runtime.MemStats
	n := 0
	for _, err := range in.Items() {
		must(t, err)
		if n++; n == 80 {
			runtime.GC()
			runtime.ReadMemStats(&held)
		}
	}
	if n != 96 || held.HeapAlloc > 48<<20 {
		t.Errorf("%d rows, %d MB held", n, held.HeapAlloc>>20)
	}
	must(t, in.Close())
}
