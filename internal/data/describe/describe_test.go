package describe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/dedup"
	"vitrine/internal/data/describe"
	"vitrine/internal/data/flow"
	"vitrine/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Run(m)) }

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func run(t *testing.T, s describe.Settings) *describe.Description {
	t.Helper()
	d, err := describe.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
	return d
}

func field(t *testing.T, f describe.File, path string) describe.Field {
	t.Helper()
	for _, x := range f.Fields {
		if x.Path == path {
			return x
		}
	}
	t.Fatalf("no field %s in %+v", path, f.Fields)
	return describe.Field{}
}

const lamps = "Please implement a web shop for lamps. Visitors browse lamps by room, filter them by price, put them into a cart and pay. Use linen for the background and teal for the components."

// TestARunIsDescribedStepByStep holds counts, examples and similarities of a run.
func TestARunIsDescribedStepByStep(t *testing.T) {
	dir := t.TempDir()
	rows := fmt.Sprintf(`{"id":"a","instruction":%q,"kind":"shop"}
{"id":"b","instruction":%q,"kind":"shop"}
{"id":"c","instruction":"A game of chess against the computer, with a clock.","kind":"game"}
{"id":"d","instruction":"Trains, written about weekly.","kind":"blog"}
`, lamps, strings.ReplaceAll(lamps, "teal", "navy"))
	p, err := flow.Parse([]byte("name: x\nabout: things\ninputs: {in: rows}\nsteps: [{name: unique, dedup: {}}, {name: kinds, filter: {field: kind, one_of: [shop, game]}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if _, err := flow.Run(context.Background(), flow.Settings{Pipeline: p, Out: out, Inputs: map[string][]string{"in": {write(t, dir, "in.jsonl", rows)}}, Say: t.Logf}); err != nil {
		t.Fatal(err)
	}
	d := run(t, describe.Settings{Path: out, Examples: 2, Near: true})
	unique, kinds := d.Steps[1], d.Steps[2]
	if d.Pipeline != "x" || len(d.Steps) != 3 || unique.Read != 4 || unique.Kept != 3 || kinds.Dropped != 1 {
		t.Fatalf("%+v", d)
	}
	e := unique.Reasons[0].Examples[0]
	if e.ID != "b" || e.DuplicateOf != "a" || !strings.Contains(e.Text, "navy") || !strings.Contains(e.OfText, "teal") || unique.Similarity.Max != *e.Similarity {
		t.Errorf("example %+v, similarity %+v", e, unique.Similarity)
	}
	var text strings.Builder
	if err := describe.WriteText(&text, d); err != nil {
		t.Fatal(err)
	}
	if lines := text.String(); !strings.Contains(lines, "navy") || !strings.Contains(lines, "teal") {
		t.Errorf("the lines of a near duplicate do not show in what it differs:\n%s", lines)
	}
	if r := kinds.Reasons[0]; r.Rows != 1 || r.Examples[0].ID != "d" || r.Examples[0].Text != "Trains, written about weekly." || kinds.Similarity != nil {
		t.Errorf("reason %+v", r)
	}
	if d.Cost != nil || d.Files[0].Rows != 2 || d.Files[0].Near.Dropped != 0 {
		t.Errorf("cost %v, files %+v: want no cost, two rows and no near duplicates among them", d.Cost, d.Files)
	}
}

func TestFieldsAreCountedByWhatTheyHold(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, `{"id":"r%d","reward":%d,"kind":"%s","meta":{"license":"MIT"},"tests":[1,2],"odd":%s}`+"\n", i, i, []string{"shop", "blog"}[i%4/3], []string{`"x"`, "1"}[i%2])
	}
	b.WriteString(`{"id":"last","reward":null,"instruction":"ünï"}` + "\n")
	f := run(t, describe.Settings{Path: write(t, dir, "rows.jsonl", b.String())}).Files[0]
	reward := field(t, f, "reward")
	if q := reward.Distribution; reward.Kind != "number" || reward.Missing != 1 || q.Median != 9.5 || q.P25 != 4.75 || q.Mean != 9.5 || q.Min != 0 || q.Max != 19 || len(q.Bins) != 20 || q.Bins[0] != 1 {
		t.Errorf("reward %+v %+v", reward, q)
	}
	if kind := field(t, f, "kind"); kind.Kind != "category" || kind.Values[0] != (describe.Value{Value: "shop", Rows: 15}) {
		t.Errorf("kind %+v", kind)
	}
	if x := field(t, f, "instruction"); x.Kind != "text" || x.Rows != 1 || x.Distribution.Max != 3 {
		t.Errorf("instruction %+v: want one text of three characters", x)
	}
	if x := field(t, f, "tests"); x.Kind != "list" || x.Distribution.Max != 2 || len(x.Distribution.Bins) != 1 {
		t.Errorf("tests %+v", x)
	}
	if x := field(t, f, "odd"); x.Kind != "mixed" || x.Distribution != nil {
		t.Errorf("odd %+v", x)
	}
	field(t, f, "meta.license")
}

// TestTruthValuesAreACategory also in one row, and a path that a row has twice counts once.
func TestTruthValuesAreACategory(t *testing.T) {
	f := run(t, describe.Settings{Path: write(t, t.TempDir(), "rows.jsonl", `{"id":"a","good":true,"a":{"b":1},"a.b":2}`)}).Files[0]
	if x := field(t, f, "good"); x.Kind != "category" || x.Distribution != nil || len(x.Values) != 1 || x.Values[0] != (describe.Value{Value: "true", Rows: 1}) {
		t.Errorf("good %+v", x)
	}
	if x := field(t, f, "a.b"); x.Rows != 1 || x.Missing != 0 {
		t.Errorf("a.b %+v", x)
	}
}

// TestAnyRowsAreDescribed: what is bad in a file is counted, and breaks nothing.
func TestAnyRowsAreDescribed(t *testing.T) {
	var wide strings.Builder
	for i := range 100 {
		fmt.Fprintf(&wide, `,"f%03d":1`, i)
	}
	for name, c := range map[string]struct {
		text                              string
		rows, unusable, repaired, ignored int
	}{
		"broken UTF-8":    {"{\"id\":\"a\",\"instruction\":\"caf\xe9\"}\n", 1, 0, 1, 0},
		"no objects":      {"[1]\n{\"id\":\n{\"id\":\"a\"}\n", 1, 2, 0, 0},
		"huge numbers":    {`{"id":"a","n":1e308}` + "\n" + `{"id":"b","n":-1e308}`, 2, 0, 0, 0},
		"all equal":       {strings.Repeat(`{"id":"a","instruction":"x","n":1}`+"\n", 3), 3, 0, 0, 0},
		"many fields":     {`{"id":"a"` + wide.String() + "}", 1, 0, 0, 37},
		"a 5 MB line":     {`{"id":"a","instruction":"` + strings.Repeat("x", 5<<20) + `"}`, 1, 0, 0, 0},
		"markup and \x1b": {`{"id":"<script>alert(1)</script>","kind":"\u001b[2J<img src=x>"}` + "\n" + `{"id":"b","kind":"\u001b[2J<img src=x>"}`, 2, 0, 0, 0},
	} {
		t.Run(strings.Fields(name)[0], func(t *testing.T) {
			d := run(t, describe.Settings{Path: write(t, t.TempDir(), "rows.jsonl", c.text), Pictures: 1})
			if f := d.Files[0]; f.Rows != c.rows || f.Unusable != c.unusable || f.Repaired != c.repaired || f.Ignored != c.ignored {
				t.Errorf("%+v, want %d, %d, %d, %d", f, c.rows, c.unusable, c.repaired, c.ignored)
			}
			var page, text bytes.Buffer
			if err := errors.Join(describe.WriteHTML(&page, d), describe.WriteText(&text, d)); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(page.String(), "<img") || strings.Contains(page.String(), "<script") || strings.Contains(text.String(), "\x1b") {
				t.Error("what rows hold is not escaped")
			}
		})
	}
	_, err := describe.Run(context.Background(), describe.Settings{Path: t.TempDir()})
	var fault *vitrine.Fault
	if !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestPicturesOfRowsAreShown: of files below the folder alone, and no more than asked for.
func TestPicturesOfRowsAreShown(t *testing.T) {
	dir := t.TempDir()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1000, 30))); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "outside.png", b.String())
	write(t, data, "plot.png", b.String())
	write(t, data, "damaged.png", "no picture")
	rows := `{"id":"a","plot":"plot.png","reward":0.123456}
{"id":"b","plot":"../outside.png"}
{"id":"c","plot":"damaged.png"}
{"id":"d","plot":"gone.png"}
{"id":"e","plot":"plot.png"}
`
	d := run(t, describe.Settings{Path: write(t, data, "rows.jsonl", rows), Pictures: 1})
	if len(d.Thumbs) != 1 || d.Thumbs[0].ID != "a" || d.Thumbs[0].Reward != "0.1235" || d.Unpictured != 2 {
		t.Errorf("%d thumbnails, %d more", len(d.Thumbs), d.Unpictured)
	}
	var page bytes.Buffer
	if err := describe.WriteHTML(&page, d); err != nil || !strings.Contains(page.String(), `<img src="data:image/jpeg;base64,`) {
		t.Errorf("no picture on the page, %v", err)
	}
}

// TestNoRowsHaveNoNearDuplicates, such as what is left of a run that dropped everything.
func TestNoRowsHaveNoNearDuplicates(t *testing.T) {
	d := run(t, describe.Settings{Path: write(t, t.TempDir(), "kept.jsonl", ""), Near: true})
	if n := d.Files[0].Near; n == nil || n.Dropped != 0 {
		t.Errorf("%+v, want none found", n)
	}
}

func TestFoldersOfDedupAreDescribed(t *testing.T) {
	dir := t.TempDir()
	in := write(t, dir, "in.jsonl", `{"id":"a","instruction":"a chess game"}`+"\n"+`{"id":"b","instruction":"a  chess game"}`+"\n")
	if _, err := dedup.Run(context.Background(), dedup.Settings{Files: []string{in}, Out: filepath.Join(dir, "out"), Thresholds: dedup.Defaults}); err != nil {
		t.Fatal(err)
	}
	d := run(t, describe.Settings{Path: filepath.Join(dir, "out"), Examples: 1})
	if s := d.Steps[0]; s.Read != 2 || s.Kept != 1 || s.Reasons[0].Reason != dedup.ReasonExact || s.Reasons[0].Examples[0].OfText != "a chess game" {
		t.Errorf("%+v", s)
	}
	write(t, filepath.Join(dir, "out"), dedup.DroppedFile, `{"id":`)
	var fault *vitrine.Fault
	if _, err := describe.Run(context.Background(), describe.Settings{Path: filepath.Join(dir, "out")}); !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage {
		t.Errorf("a damaged file: %v", err)
	}
}
