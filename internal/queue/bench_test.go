package queue

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// BenchmarkDo measures what the queue itself costs for a job of 50 kB, 64 at once, with
// workers that answer right away; and what a judgement that is kept costs in memory, with
// the blocks that are written to, 8 MB at most, however many there are.
func BenchmarkDo(b *testing.B) {
	q := start(b, Settings{})
	stop := serve(b, q, 4, scored)
	text := strings.Repeat("<p>words</p>", 50_000/12)
	slots := make(chan struct{}, 64)
	var asked sync.WaitGroup
	before := heap()
	b.ResetTimer()
	for i := range b.N {
		slots <- struct{}{}
		asked.Go(func() {
			j := job(fmt.Sprint(i))
			j.Output.Text = text
			if _, err := q.Do(b.Context(), j); err != nil {
				b.Error(err)
			}
			<-slots
		})
	}
	asked.Wait()
	b.StopTimer()
	stop()
	b.ReportMetric(float64(heap()-before)/float64(b.N), "B-kept/op")
}

// heap is how much is in use, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
