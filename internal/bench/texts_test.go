package bench_test

import (
	"testing"

	"vitrine"
	"vitrine/internal/bench"
	"vitrine/internal/bench/webbench"
	"vitrine/internal/bench/webgenbench"
)

// TestTextsAreWhatIsAsked, which of a project in steps is each step and not its name.
func TestTextsAreWhatIsAsked(t *testing.T) {
	task := vitrine.Task{ID: "shop", Instruction: "A shop", TestCases: []vitrine.TestCase{{Task: "Add a cart", ExpectedResult: "task-1"}, {Task: "Add <b>prices</b>", ExpectedResult: "task-2"}}}
	for want, b := range map[string]bench.Benchmark{
		`{"id":"shop","instruction":"A shop"}` + "\n": webgenbench.Benchmark{},
		`{"id":"shop/task-1","instruction":"Add a cart"}` + "\n" + `{"id":"shop/task-2","instruction":"Add \u003cb\u003eprices\u003c/b\u003e"}` + "\n": webbench.Benchmark{},
	} {
		got, err := bench.Texts(b, []vitrine.Task{task})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", b.Info().Name, got, err, want)
		}
	}
}
