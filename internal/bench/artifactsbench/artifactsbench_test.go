package artifactsbench

import (
	"testing"
	"testing/fstest"
)

// An index may be text, and a file may begin with a mark of byte order.
func TestFilesThatOtherProgramsWrote(t *testing.T) {
	t.Parallel()
	const rest = `"question":"A clock","class":"SVG","difficulty":"easy","checklist":[{"title":"a","description":"b","maxScore":10}]}` + "\n"
	for _, content := range []string{`{"index":57,` + rest, "\ufeff" + `{"index":57,` + rest, `{"index":"a57",` + rest} {
		tasks, err := Benchmark{}.Tasks(fstest.MapFS{file: {Data: []byte(content)}})
		if err != nil || len(tasks) != 1 || tasks[0].Subcategories[0] != "easy" {
			t.Errorf("%q: %+v, %v", content[:14], tasks, err)
		}
	}
}
