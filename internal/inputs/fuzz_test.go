package inputs

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
)

func FuzzInput(f *testing.F) {
	f.Add([]byte("{\"id\":\"a\",\"output\":\"x\"}\n\n{\"id\":1,\"output\":\"y\",\"z\":[]}"), "in.jsonl")
	f.Add([]byte("\ufeff{\r\n[]\n\x00\xff"), "in")
	f.Add([]byte("[{\"id\":\"a\",\"output\":\"x\"},{\"id\":\"a\",\"output\":null}]"), "in.json")
	f.Add([]byte("id,output\na,\"x\ny\"\nb,\"z"), "in.csv")
	f.Add(zipped(f, "index.html", pageA, "../x", "y"), "in.zip")
	f.Add(gz(f, tarred(f, "a/index.html", pageA)), "in.tgz")
	f.Add(zst(f, []byte(`{"output":"x"}`)), "in.zst")
	f.Add(utf16Text(binary.LittleEndian, true, `{"output":"x"}`), "in")
	f.Add(parquetFile(f), "in.parquet")
	for _, shape := range shapes {
		f.Add([]byte(shape.row), "in.jsonl")
	}
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		in, err := Bytes(name, b, Settings{AnyText: len(b)%2 == 0, Limits: Limits{Row: 1 << 20, Site: 1 << 20, Archive: 1 << 20, Unpacked: 8 << 20}})
		if err != nil {
			if fault := vitrine.AsFault("x", err); fault.Code != vitrine.FaultUsage {
				t.Fatal(err)
			}
			return
		}
		_ = in.Survey.Lines()
		readToEnd(t, in)
	})
}

// Whatever the names of an archive are, what comes out stays inside of it.
func FuzzArchive(f *testing.F) {
	f.Add("index.html", "../x", "a/b.html", true)
	f.Add("/etc/passwd", `C:\x`, "a\x00b", false)
	f.Add("a/../../b", "a//b/./c.html", "\xff", true)
	f.Fuzz(func(t *testing.T, a, b, c string, asZip bool) {
		var packed []byte
		if asZip && strings.HasSuffix(a+"/"+b+"/"+c, "/") || strings.HasSuffix(a, "/") || strings.HasSuffix(b, "/") {
			return // a folder has no content
		}
		if asZip {
			packed = zipped(t, a, pageA, b, pageB, c, "x", "index.html", pageA)
		} else {
			var out bytes.Buffer
			w := tar.NewWriter(&out)
			for _, name := range []string{a, b, c, "index.html"} {
				if w.WriteHeader(&tar.Header{Name: name, Size: 1, Typeflag: tar.TypeReg}) == nil {
					_, _ = w.Write([]byte("x"))
				}
			}
			if w.Close() != nil {
				return
			}
			packed = out.Bytes()
		}
		items, _ := readText(t, "in.zip", string(packed), Settings{})
		for _, item := range items {
			if item.Artifact == nil {
				continue
			}
			for _, file := range item.Artifact.Files {
				if !filepath.IsLocal(file.Path) || strings.Contains(file.Path, `\`) {
					t.Fatalf("%q leaves the archive", file.Path)
				}
			}
		}
	})
}

// Whatever a row is, it is an output with a text that the row holds, or an error that
// says something.
func FuzzRecord(f *testing.F) {
	for _, shape := range shapes {
		f.Add(shape.row, "output=a.0.b")
	}
	f.Fuzz(func(t *testing.T, text, pair string) {
		m, err := ParseMapping([]string{pair})
		if err != nil {
			m = nil
		}
		drafts, err := readRecord(row{at: Position{File: "in", Line: 1, Column: 1}, value: []byte(text)}, m)
		var bad *RowError
		switch {
		case err != nil && (!errors.As(err, &bad) || bad.Found == "" || bad.Line < 1):
			t.Fatalf("got %v", err)
		case err == nil && len(drafts) == 0:
			t.Fatal("neither an output nor an error")
		}
	})
}
