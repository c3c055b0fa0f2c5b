package export_test

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"vitrine"
	"vitrine/internal/data/export"
	"vitrine/internal/data/pictures"
)

// exported writes rows into a folder of their own, and gives the folder of the export.
func exported(t *testing.T, text string, s export.Settings) (string, export.Result) {
	t.Helper()
	dir := t.TempDir()
	s.Files, s.Out = []string{filepath.Join(dir, "rows.jsonl")}, filepath.Join(dir, "out")
	if err := os.WriteFile(s.Files[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := export.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return s.Out, all[0]
}

// members are the files of an archive, by their names.
func members(t *testing.T, name string) (names []string, content map[string]string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	content = map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names, content
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, content[h.Name] = append(names, h.Name), string(b)
	}
}

// TestRowsOfAWebdatasetLieTogether, whatever their ids are, a thousand an archive.
func TestRowsOfAWebdatasetLieTogether(t *testing.T) {
	var b strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&b, `{"id":"../a.b/%d","instruction":"A shop %d"}`+"\n", i, i)
	}
	b.WriteString(`{"id":"none"}` + "\n")
	out, res := exported(t, b.String(), export.Settings{As: "webdataset"})
	if res.Rows != 1001 || res.Dropped["no instruction"] != 1 {
		t.Errorf("%+v", res)
	}
	names, content := members(t, res.File)
	if len(names) != 2000 || names[0] != "00000000.json" || names[1] != "00000000.txt" || content["00000000.txt"] != "A shop 0" || !strings.Contains(content["00000999.json"], `"id":"../a.b/999"`) {
		t.Errorf("%d files, the first are %v", len(names), names[:2])
	}
	if names, _ := members(t, filepath.Join(out, "rows-000001.tar")); len(names) != 2 || names[0] != "00001000.json" {
		t.Errorf("the second archive holds %v", names)
	}
	card, err := os.ReadFile(filepath.Join(out, "README.md"))
	if err != nil || !strings.Contains(string(card), "| rows-000001.tar |") || !strings.Contains(string(card), "1 rows left out: no instruction") {
		t.Errorf("data card, %v:\n%s", err, card)
	}
}

func TestPicturesOfAWebdatasetAreThoseOfTheRows(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "plot.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewGray(image.Rect(0, 0, 7, 5))), f.Close(), os.WriteFile(filepath.Join(dir, "bad.png"), []byte("no picture"), 0o600)); err != nil {
		t.Fatal(err)
	}
	found, err := pictures.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	rows := `{"id":"a","instruction":"x","plot":"bad.png"}
{"id":"b","instruction":"x","plot":"plot.png"}
{"id":"c","instruction":"x"}
`
	_, res := exported(t, rows, export.Settings{As: "webdataset", Pictures: found})
	names, content := members(t, res.File)
	img, err := png.Decode(strings.NewReader(content["00000000.png"]))
	if err != nil || img.Bounds().Dx() != 7 || len(names) != 3 || res.Rows != 1 || res.Dropped["no picture"] != 2 {
		t.Errorf("%v, %+v, %v", names, res, err)
	}
}

// TestRowsForTheHubKeepTheirFields: columns are of what all rows hold in a field.
func TestRowsForTheHubKeepTheirFields(t *testing.T) {
	rows := `{"id":"a","big":18446744073709551615,"n":1,"x":1,"both":true,"good":true,"tests":[{"task":"t"}],"odd":"s","license":"MIT","instruction":"caf\u00e9"}
{"id":"b","n":2,"x":1.5,"both":"no","good":null,"odd":3,"huge":1e999,"meta":{"license":"MIT"}}
[1]
{"id":"c","caf` + "\xe9" + `":"y"}
`
	out, res := exported(t, rows, export.Settings{As: "hf"})
	if res.Rows != 3 || res.Dropped["unusable row"] != 1 || res.Licences["MIT"] != 2 || res.Licences["not stated"] != 1 {
		t.Errorf("%+v", res)
	}
	type row struct {
		N     *int64   `parquet:"n,optional"`
		X     *float64 `parquet:"x,optional"`
		Good  *bool    `parquet:"good,optional"`
		Tests *string  `parquet:"tests,optional"`
		Odd   *string  `parquet:"odd,optional"`
		Big   *string  `parquet:"big,optional"`
		Both  *string  `parquet:"both,optional"`
	}
	all, err := parquet.ReadFile[row](res.File)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	if a, b := all[0], all[1]; *a.N != 1 || *a.X != 1 || *b.X != 1.5 || !*a.Good || b.Good != nil || *a.Tests != `[{"task":"t"}]` || *a.Odd != `"s"` || *b.Odd != "3" || *a.Big != "18446744073709551615" || *a.Both != "true" || *b.Both != `"no"` || all[2].N != nil {
		t.Errorf("%+v %+v", a, b)
	}
	card, err := os.ReadFile(filepath.Join(out, "README.md"))
	if err != nil || !strings.HasPrefix(string(card), "---\nconfigs:\n") || !strings.Contains(string(card), "path: data/train-00000-of-00001.parquet") || !strings.Contains(string(card), "| MIT | 2 |") {
		t.Errorf("data card, %v:\n%s", err, card)
	}
}

// TestBadRowsAreCountedInEveryShape: broken bytes, a long line, missing columns, one row.
func TestBadRowsAreCountedInEveryShape(t *testing.T) {
	rows := "{\"id\":\"a\",\"instruction\":\"caf\xe9\",\"output\":\"<p>\xff</p>\",\"chosen\":\"\xff\",\"rejected\":\"y\"}\n{\"id\":\n[]\n{\"name\":\"x\"}\n" +
		`{"id":"long","instruction":"` + strings.Repeat("x", 1<<20) + `"}` + "\n"
	for _, as := range export.Shapes {
		_, res := exported(t, rows, export.Settings{As: as})
		lost := 0
		for _, n := range res.Dropped {
			lost += n
		}
		if res.Rows < 1 || res.Rows+lost != 5 || res.Dropped["unusable row"] != 2 {
			t.Errorf("%s: %+v, want every row written or counted", as, res)
		}
	}
	var wide strings.Builder
	wide.WriteString(`{"id":"a"`)
	for i := range 300 {
		fmt.Fprintf(&wide, `,"f%d":1`, i)
	}
	wide.WriteString("}")
	for text, as := range map[string]string{wide.String(): "hf", "[1]\n[2]": "hf", `{"id":"a"}`: "webdataset", "": "hf", "\n": "sft"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "rows.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := export.Run(context.Background(), export.Settings{Files: []string{file}, As: as, Out: filepath.Join(dir, "out")})
		var fault *vitrine.Fault
		if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
			t.Errorf("%s of %.20s: %v", as, text, err)
		}
	}
}

// TestAnExportInPlaceOfALargerOneLeavesNothingOfIt: neither archives nor splits.
func TestAnExportInPlaceOfALargerOneLeavesNothingOfIt(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	for name, n := range map[string]int{"train": 2500, "validation": 1} {
		files[name] = filepath.Join(dir, name+".jsonl")
		if err := os.WriteFile(files[name], []byte(strings.Repeat(`{"instruction":"A shop"}`+"\n", n)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	write := func(as string, files ...string) {
		t.Helper()
		if _, err := export.Run(context.Background(), export.Settings{Files: files, As: as, Out: out}); err != nil {
			t.Fatal(err)
		}
	}
	write("webdataset", files["train"])
	write("hf", files["train"], files["validation"])
	if err := os.WriteFile(files["train"], []byte(`{"instruction":"A shop"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	write("webdataset", files["train"])
	write("hf", files["train"])
	tars, _ := filepath.Glob(filepath.Join(out, "*.tar"))
	splits, _ := filepath.Glob(filepath.Join(out, "data", "*"))
	if len(tars) != 1 || len(splits) != 1 {
		t.Errorf("%v, %v: want one archive and one split", tars, splits)
	}
}

// TestLicencesOfStrangersAreBounded in length and in number.
func TestLicencesOfStrangersAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `{"instruction":"x","license":"%d%s"}`+"\n", i, strings.Repeat("ü", 5000))
	}
	_, res := exported(t, b.String(), export.Settings{As: "hf"})
	if len(res.Licences) != 101 || res.Licences["others"] != 200 {
		t.Errorf("%d licences, %d others", len(res.Licences), res.Licences["others"])
	}
	for name := range res.Licences {
		if len([]rune(name)) > 101 {
			t.Errorf("a licence of %d characters", len([]rune(name)))
		}
	}
}

// TestLlamaFactoryIsToldWhereRowsLie holds the columns and tags of each shape.
func TestLlamaFactoryIsToldWhereRowsLie(t *testing.T) {
	for as, want := range map[string]string{
		"sharegpt":     `{"rows":{"file_name":"rows.jsonl","formatting":"sharegpt","columns":{"messages":"conversations"}}}`,
		"sharegpt-dpo": `{"rows":{"file_name":"rows.jsonl","formatting":"sharegpt","ranking":true,"columns":{"messages":"conversations","chosen":"chosen","rejected":"rejected"}}}`,
		"sft":          `{"rows":{"file_name":"rows.jsonl","formatting":"sharegpt","columns":{"messages":"messages"},"tags":{"role_tag":"role","content_tag":"content","user_tag":"user","assistant_tag":"assistant"}}}`,
	} {
		out, _ := exported(t, `{"id":"a","instruction":"x","output":"y","chosen":"y","rejected":"z"}`, export.Settings{As: as})
		b, err := os.ReadFile(filepath.Join(out, "dataset_info.json"))
		if err != nil || !json.Valid(b) || compact(t, string(b)) != compact(t, want) {
			t.Errorf("%s: %s, %v", as, b, err)
		}
	}
}
