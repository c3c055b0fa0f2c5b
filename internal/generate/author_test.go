package generate_test

import (
	"os"
	"path/filepath"
	"testing"

	"vitrine/internal/generate"
)

// The mean time is of answers that were written now; the means of rounds are of all.
func TestPaceLeavesOutWhatIsFromTheTape(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "o.jsonl")
	must(t, os.WriteFile(name, []byte(`{"id":"a","task_id":"a","seconds":4,"asked":{"prompt":"p"},"loop":{"rounds":3,"versions":5}}
{"id":"b","task_id":"b","seconds":8,"asked":{"prompt":"p"}}
{"id":"c","task_id":"c","seconds":90,"cached":true,"asked":{"prompt":"p"},"loop":{"rounds":2,"versions":3}}
`), 0o644))
	f, err := generate.Open(name, true)
	must(t, err)
	defer func() { must(t, f.Close()) }()
	if p := f.Pace(); p.Timed != 2 || *p.Seconds != 6 || *p.Rounds != 2 || *p.Versions != 3 {
		t.Errorf("%d timed, %v s, %v rounds, %v versions; want 2, 6, 2 and 3", p.Timed, *p.Seconds, *p.Rounds, *p.Versions)
	}
}
