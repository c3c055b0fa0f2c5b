package flow

import (
	"context"
	"errors"
	"iter"
	"sync"

	"vitrine/internal/inputs"
)

// A rowSeq gives rows. A [*inputs.RowError] is about one row, any other error is the last.
type rowSeq = iter.Seq2[inputs.Record, error]

// A future is a row that is worked on.
type future[T any] struct {
	row  inputs.Record
	done chan struct{} // closed when the rest is there
	made T
	err  error
}

// inOrder does work on rows, n at once, and takes what came of them in the order of the
// rows. At most 4n rows are held. It returns when nothing is under way any more; the
// error is that of take, of reading, or of the context.
func inOrder[T any](ctx context.Context, n int, rows rowSeq, do func(context.Context, inputs.Record) (T, error), take func(inputs.Record, T, error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	defer working.Wait()
	defer cancel()
	line, slots := make(chan *future[T], 4*n), make(chan struct{}, n)
	var reading error
	working.Go(func() {
		defer close(line)
		for r, err := range rows {
			var bad *inputs.RowError
			if err != nil && !errors.As(err, &bad) {
				reading = err
				return
			}
			f := &future[T]{row: r, done: make(chan struct{}), err: err}
			select {
			case line <- f:
			case <-ctx.Done():
				return
			}
			if err != nil {
				close(f.done)
				continue
			}
			slots <- struct{}{} // given back by who works, who ends with the context
			working.Go(func() {
				defer close(f.done)
				f.made, f.err = do(ctx, f.row)
				<-slots
			})
		}
	})
	for f := range line {
		<-f.done
		if err := take(f.row, f.made, f.err); err != nil {
			return err
		}
	}
	return errors.Join(reading, ctx.Err())
}
