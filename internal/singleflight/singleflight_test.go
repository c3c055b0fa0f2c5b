package singleflight

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func own(v int) (int, error) { return v, nil }

func TestOneWorksForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f Group[int]
		var worked, shared, standing atomic.Int32
		release := make(chan struct{})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				v, other, err := f.Do(t.Context(), "key", func() (int, error) {
					worked.Add(1)
					standing.Add(1)
					<-release
					return 7, nil
				}, func(v int) (int, error) {
					if standing.Load() != 1 {
						t.Error("the worker left before all had their answer")
					}
					return v + 1, nil
				})
				if !other {
					standing.Add(-1)
				} else {
					shared.Add(1)
				}
				if want := map[bool]int{false: 7, true: 8}[other]; v != want || err != nil {
					t.Errorf("got %d, %v, want %d", v, err, want)
				}
			})
		}
		synctest.Wait() // all but one wait for it
		close(release)
		all.Wait()
		if worked.Load() != 1 || shared.Load() != 7 {
			t.Errorf("%d worked and %d took a share, want 1 and 7", worked.Load(), shared.Load())
		}
	})
}

func TestKeysDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	var f Group[int]
	v, _, err := f.Do(t.Context(), "a", func() (int, error) {
		v, shared, err := f.Do(t.Context(), "b", func() (int, error) { return 1, nil }, own)
		if shared {
			t.Error("another key's answer was taken")
		}
		return v + 1, err
	}, own)
	if v != 2 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestErrorIsEverybodys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f Group[int]
		broken := errors.New("broken")
		worked := 0
		release := make(chan struct{})
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, _, err := f.Do(t.Context(), "key", func() (int, error) {
					worked++
					<-release
					return 0, broken
				}, own)
				if !errors.Is(err, broken) {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		close(release)
		all.Wait()
		if worked != 1 {
			t.Errorf("%d worked, want 1", worked)
		}
	})
}

func TestStoppedWorkerFailsNobodyElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f Group[int]
		ctx, stop := context.WithCancel(t.Context())
		first := make(chan error, 1)
		go func() {
			_, _, err := f.Do(ctx, "key", func() (int, error) {
				<-ctx.Done()
				return 0, ctx.Err()
			}, own)
			first <- err
		}()
		synctest.Wait()
		var worked atomic.Int32
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				v, _, err := f.Do(t.Context(), "key", func() (int, error) {
					worked.Add(1)
					return 7, nil
				}, own)
				if v != 7 || err != nil {
					t.Errorf("one who waited got %d, %v", v, err)
				}
			})
		}
		synctest.Wait()
		stop()
		all.Wait()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("the stopped worker got %v", err)
		}
		if n := worked.Load(); n < 1 || n > 3 {
			t.Errorf("%d of those who waited worked", n)
		}
	})
}

func TestWhoWaitsMayLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var f Group[int]
		release := make(chan struct{})
		worker := make(chan error, 1)
		go func() {
			_, _, err := f.Do(t.Context(), "key", func() (int, error) {
				<-release
				return 1, nil
			}, own)
			worker <- err
		}()
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, _, err := f.Do(ctx, "key", nil, own); !errors.Is(err, context.Canceled) {
			t.Errorf("one who left got %v", err)
		}
		close(release)
		if err := <-worker; err != nil {
			t.Errorf("the worker got %v", err)
		}
	})
}

func TestPanicLeavesNobodyWaiting(t *testing.T) {
	t.Parallel()
	var f Group[int]
	func() {
		defer func() { _ = recover() }()
		_, _, _ = f.Do(t.Context(), "key", func() (int, error) { panic("bug") }, own)
	}()
	if v, _, err := f.Do(t.Context(), "key", func() (int, error) { return 7, nil }, own); v != 7 || err != nil {
		t.Errorf("after a panic: %d, %v", v, err)
	}
}
