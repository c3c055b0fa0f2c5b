package inputs_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vitrine"
	"vitrine/internal/inputs"
)

func TestStandardInputThatIsNotGivenIsRefused(t *testing.T) {
	var fault *vitrine.Fault
	if _, err := inputs.OpenRecords([]string{"-"}, inputs.Settings{}); !errors.As(err, &fault) || fault.Code != vitrine.FaultUsage || fault.Fix == "" {
		t.Errorf("%v", err)
	}
}

// TestRecordsAreRowsWithAnIDOfTheirOwn reads rows of each sort, twice.
func TestRecordsAreRowsWithAnIDOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	lines := write("a.jsonl", `{"id":"1","instruction":"a shop"}
{"id":"1","prompt":"a blog","extra":[1]}
{"id":"p","prompt":"x","chosen":"<p>good</p>","rejected":"<p>bad</p>"}
{"id":"o","instruction":"y","output":"<p>page</p>"}
[1]
{}
`)
	table := write("b.csv", "id,instruction\nq,a game\n")
	records, err := inputs.OpenRecords([]string{lines, table}, inputs.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	want := []string{
		`1|a shop||{"id":"1","instruction":"a shop"}`,
		`1#2|a blog||{"id":"1#2","prompt":"a blog","extra":[1]}`,
		`p|x|<p>good</p>|{"id":"p","prompt":"x","chosen":"<p>good</p>","rejected":"<p>bad</p>"}`,
		`o|y|<p>page</p>|{"id":"o","instruction":"y","output":"<p>page</p>"}`,
		`q|a game||{"id":"q","instruction":"a game"}`,
	}
	for range 2 {
		var got []string
		bad := 0
		for r, err := range records.All() {
			var row *inputs.RowError
			if errors.As(err, &row) {
				bad++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.ID+"|"+r.Instruction+"|"+r.Text+"|"+string(r.Row))
		}
		if !slices.Equal(got, want) || bad != 2 {
			t.Errorf("%d bad rows, want 2; records\n%q\nwant\n%q", bad, got, want)
		}
	}
	if _, err := inputs.OpenRecords([]string{lines, filepath.Join(dir, "none")}, inputs.Settings{}); err == nil {
		t.Error("a file that is not there is opened")
	}
}
