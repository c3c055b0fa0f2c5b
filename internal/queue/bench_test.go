package queue

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkDo measures what the queue itself costs for a job of 50 kB, 64 at once,
// with workers that answer right away.
func BenchmarkDo(b *testing.B) {
	q, err := Open(b.Context(), Settings{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	all.Go(func() { q.Announce(ctx, "w", 4, func() int { return 0 }) })
	for range 4 {
		all.Go(func() {
			for t, err := q.Take(ctx); err == nil; t, err = q.Take(ctx) {
				if err := t.Done(ctx, scored(t.Job)); err != nil && ctx.Err() == nil {
					b.Error(err)
				}
			}
		})
	}
	text := strings.Repeat("<p>words</p>", 50_000/12)
	slots := make(chan struct{}, 64)
	var asked sync.WaitGroup
	b.ResetTimer()
	for i := range b.N {
		slots <- struct{}{}
		asked.Go(func() {
			j := job(fmt.Sprint(i))
			j.Output.Text = text
			if _, err := q.Do(ctx, j); err != nil {
				b.Error(err)
			}
			<-slots
		})
	}
	asked.Wait()
	b.StopTimer()
	cancel()
	all.Wait()
}

// BenchmarkKept says what a judgement that is kept costs in memory: the index of the
// queue. The blocks that are written to hold up to 8 MB more, however many there are.
func BenchmarkKept(b *testing.B) {
	q := start(b, Settings{})
	serve(b, q, 8, scored)
	text := strings.Repeat("x", 10_000) // as long as a page is
	var jobs atomic.Int64
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			j := job(fmt.Sprintf("%032d", jobs.Add(1)))
			j.Output.Text = text
			if _, err := q.Do(b.Context(), j); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(heap()-before)/float64(b.N), "B-kept/op")
}
