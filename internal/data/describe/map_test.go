package describe_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vitrine"
	"vitrine/internal/data/describe"
	"vitrine/internal/data/embed"
	"vitrine/internal/data/embed/embedtest"
)

// TestRowsAreDrawnByAField wants two kinds of rows in two colours, the many fields beyond the
// palette as one, and the same page again.
func TestRowsAreDrawnByAField(t *testing.T) {
	dir := t.TempDir()
	tables := filepath.Join(dir, "embedders")
	if err := embedtest.Write(embed.Default(tables)); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i := range 30 {
		fmt.Fprintf(&rows, `{"id":"r%d","instruction":"low game","meta":{"kind":"<b>games</b>"}}`+"\n", i)
		fmt.Fprintf(&rows, `{"id":"s%d","instruction":"lower shop","meta":{"kind":"shops"}}`+"\n", i)
	}
	for i := range 9 {
		fmt.Fprintf(&rows, `{"id":"t%d","instruction":"lower game","meta":{"kind":"rare %d"}}`+"\n", i, i)
	}
	rows.WriteString(`{"id":"none","instruction":"low"}` + "\n" + `{"id":"no text","meta":{"kind":"games"}}` + "\n")
	s := describe.Settings{Path: write(t, dir, "in.jsonl", rows.String()), Map: "meta.kind", Embedders: tables}
	m := run(t, s).Map
	if m == nil || len(m.Dots) != 70 || m.Rows != 70 {
		t.Fatalf("%+v, want 70 rows with a text", m)
	}
	last := m.Groups[len(m.Groups)-1]
	if len(m.Groups) != 9 || m.Groups[0].Dots != 30 || m.Groups[1].Dots != 30 || m.Groups[0].Color == m.Groups[1].Color || last.Name != "4 others" || last.Dots != 4 {
		t.Errorf("%+v", m.Groups)
	}
	var first, again bytes.Buffer
	if err := describe.WriteHTML(&first, run(t, s)); err != nil {
		t.Fatal(err)
	}
	if err := describe.WriteHTML(&again, run(t, s)); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("again, the page is another: %v", err)
	}
	for text, want := range map[string]int{"<circle cx=": 70 + 9, "<b>games": 0, "r0, &lt;b&gt;games&lt;/b&gt;: low game": 1, "none, (none): low": 1, "NaN": 0} {
		if n := strings.Count(first.String(), text); n != want {
			t.Errorf("%q is %d times on the page, want %d", text, n, want)
		}
	}
}

func TestMapsThatCannotBeDrawn(t *testing.T) {
	dir := t.TempDir()
	in := write(t, dir, "in.jsonl", `{"id":"a","instruction":"low"}`+"\n")
	_, err := describe.Run(context.Background(), describe.Settings{Path: in, Map: "kind", Embedders: dir})
	if f := vitrine.AsFault("", err); err == nil || f.Code != vitrine.FaultUsage || !strings.Contains(f.Fix, "vitrine data embedder --sync") {
		t.Errorf("without a table: %v", err)
	}
	if err := embedtest.Write(embed.Default(dir)); err != nil {
		t.Fatal(err)
	}
	if m := run(t, describe.Settings{Path: in, Map: "kind", Embedders: dir}).Map; m == nil || len(m.Dots) != 1 || m.Dots[0].X != "400.0" {
		t.Errorf("one row: %+v", m)
	}
	if m := run(t, describe.Settings{Path: write(t, dir, "no.jsonl", `{"id":"a","kind":"x"}`+"\n"), Map: "kind", Embedders: dir}).Map; m != nil {
		t.Errorf("rows without a text: %+v", m)
	}
}

// TestOfManyRowsSomeAreDrawn draws 2,000 of more, each once. Their vectors are equal, which takes no time.
func TestOfManyRowsSomeAreDrawn(t *testing.T) {
	dir := t.TempDir()
	if err := embedtest.Write(embed.Default(dir)); err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&rows, `{"id":"r%d","instruction":"low"}`+"\n", i)
	}
	m := run(t, describe.Settings{Path: write(t, dir, "in.jsonl", rows.String()), Map: "kind", Embedders: dir}).Map
	seen, late := map[string]bool{}, 0
	for _, d := range m.Dots {
		seen[d.Text] = true
	}
	for i := 2000; i < 2500; i++ {
		if seen[fmt.Sprintf("r%d, (none): low", i)] {
			late++
		}
	}
	if len(seen) != 2000 || m.Rows != 2500 || late < 300 {
		t.Errorf("%d different rows of %d, %d of the last 500", len(seen), m.Rows, late)
	}
}
