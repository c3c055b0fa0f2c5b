package webgenbench

import (
	"testing"
	"testing/fstest"

	"vitrine/internal/bench"
)

// Its tasks need no test cases, and it has no figure of them.
func TestArena(t *testing.T) {
	t.Parallel()
	tasks, err := Arena{}.Tasks(fstest.MapFS{arenaFile: {Data: []byte(`{"id":"1","prompt":"A clone of a chat app.","category":"Clone Development"}` + "\n")}})
	if err != nil || len(tasks) != 1 || (Arena{}).Groups(tasks[0])["category"][0] != "Clone Development" {
		t.Fatalf("%+v, %v", tasks, err)
	}
	all := bench.Results(Arena{}, tasks, bench.Answers{Models: []string{"m"}}, nil)
	if len(all) != 1 || all[0].Outcome != bench.Missing {
		t.Errorf("%+v", all)
	}
	if got := [2]int{Benchmark{}.Info().Tasks, Arena{}.Info().Tasks}; got != [2]int{101, 119} { // WebGen-R1, Table 5
		t.Errorf("the sets have %v tasks", got)
	}
	keys := map[string]bool{}
	for _, c := range (Arena{}).Columns() {
		keys[c.Key] = true
	}
	for _, key := range []string{"aas", "grade_0", "grade_1", "grade_2", "grade_3", "grade_4", "grade_5", "s_cot", "s_code"} { // Fig. 6 and 13
		if !keys[key] {
			t.Errorf("there is no column %s", key)
		}
	}
	if s := (Arena{}).Scoring(); s.Interact != "none" {
		t.Errorf("sites are operated: %+v", s)
	}
}
