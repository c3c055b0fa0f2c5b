package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"vitrine"
	"vitrine/internal/bench"
)

// counting tests by counting, and ends after some.
type counting struct {
	tests, most int
}

func (c *counting) Test(_ context.Context, _ vitrine.Task, o vitrine.Output) (bench.Measured, error) {
	if c.tests == c.most {
		return bench.Measured{}, vitrine.NewFault("build", vitrine.FaultDiskFull, nil, "full")
	}
	c.tests++
	return passed(float64(len(o.Text)%2), 1), nil
}

// Ended after any number of tests, with half a line at the end, a run goes on to the same,
// and tests nothing twice.
func TestTestsGoOn(t *testing.T) {
	t.Parallel()
	all := tasks(t)
	a, err := bench.Match(outputs(t, `{"id":"a","output":"<p>1</p>"}`, `{"id":"b","output":"<p>22</p>"}`, `{"id":"c","output":"<p>333</p>"}`), all, all)
	must(t, err)
	for most := range 3 {
		r, err := bench.Open(filepath.Join(t.TempDir(), "run"), bench.Header{Benchmark: "small"}, all)
		must(t, err)
		tester := &counting{most: most}
		if _, err := r.Test(context.Background(), tester, all, a, 1, func(int, int) {}); err == nil {
			t.Fatal("the end was not told")
		}
		f, err := os.OpenFile(filepath.Join(r.Dir, "tested.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(`{"id":"c","meas`)
		must(t, err)
		must(t, f.Close())
		tester.most = 9
		for range 2 {
			measured, err := r.Test(context.Background(), tester, all, a, 1, func(int, int) {})
			must(t, err)
			if tester.tests != 3 || len(measured) != 3 || measured["b"].Strict["pass"].Sum != 1 || measured["c"].Strict["pass"].Sum != 0 {
				t.Errorf("after %d: %d tests, %v", most, tester.tests, measured)
			}
		}
	}
}

// parallel counts tests that run at the same time.
type parallel struct{ tests atomic.Int64 }

func (p *parallel) Test(context.Context, vitrine.Task, vitrine.Output) (bench.Measured, error) {
	p.tests.Add(1)
	return passed(1, 1), nil
}

// Each of many answers is tested once by four at the same time, and a run that goes on
// tests those that are left.
func TestTestsRunAtOnce(t *testing.T) {
	t.Parallel()
	all := tasks(t)
	var rows []string
	for i := range 400 {
		rows = append(rows, fmt.Sprintf(`{"id":"o%d","task_id":"a","output":"<p>%d</p>"}`, i, i))
	}
	r, err := bench.Open(filepath.Join(t.TempDir(), "run"), bench.Header{Benchmark: "small"}, all)
	must(t, err)
	tester := &parallel{}
	for _, n := range []int{200, 400} {
		a, err := bench.Match(outputs(t, rows[:n]...), all, all)
		must(t, err)
		measured, err := r.Test(context.Background(), tester, all, a, 4, func(int, int) {})
		must(t, err)
		if len(measured) != n || tester.tests.Load() != int64(n) {
			t.Errorf("%d measured in %d tests, want %d", len(measured), tester.tests.Load(), n)
		}
	}
}
