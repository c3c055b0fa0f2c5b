package queue

import (
	"context"
	"fmt"
	"strings"
	"sync"
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
