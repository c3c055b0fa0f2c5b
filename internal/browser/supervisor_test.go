package browser

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestDeadBrowserIsReplacedAndItsPageRunAgain(t *testing.T) {
	sup := supervisor(t, Settings{})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		runs++
		if runs == 1 {
			_ = syscall.Kill(-p.proc.sealed.Pid, syscall.SIGKILL)
		}
		for {
			if err := p.Eval(ctx, `1`, nil); err != nil || runs == 2 {
				return err
			}
		}
	})
	if err != nil || runs != 2 {
		t.Errorf("got %v after %d runs, want success after 2", err, runs)
	}
	wantCount(t, sup, map[string]int{}, map[string]int{EndDied: 1, EndAlone: 1})
}

// wantCount holds what a supervisor counts against what is not 0.
func wantCount(t *testing.T, sup *Supervisor, living, ended map[string]int) {
	t.Helper()
	gotLiving, gotEnded := sup.Count()
	for _, all := range []map[string]int{gotLiving, gotEnded} {
		maps.DeleteFunc(all, func(_ string, n int) bool { return n == 0 })
	}
	if !maps.Equal(gotLiving, living) || !maps.Equal(gotEnded, ended) {
		t.Errorf("living %v, ended %v, want %v and %v", gotLiving, gotEnded, living, ended)
	}
}

func TestBrowsersAreCounted(t *testing.T) {
	sup := supervisor(t, Settings{RecyclePages: 1})
	living, ended := sup.Count()
	if len(living) != 3 || len(ended) != 4 {
		t.Errorf("%v and %v lack a state or a reason: a series that comes and goes cannot be watched", living, ended)
	}
	wantCount(t, sup, map[string]int{}, map[string]int{})
	nothing := func(context.Context, *Page) error { return nil }
	err := show(t, sup, `<!doctype html>`, func(context.Context, *Page) error {
		wantCount(t, sup, map[string]int{StateServing: 1}, map[string]int{})
		if err := show(t, sup, `<!doctype html>`, nothing); err != nil { // one page more than it is to serve
			return err
		}
		sup.starts.Wait()
		wantCount(t, sup, map[string]int{StateServing: 1, StateLeaving: 1}, map[string]int{})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantCount(t, sup, map[string]int{StateServing: 1}, map[string]int{EndRecycled: 1})
}

// A renderer may be killed from outside, and a page be late by what runs beside it: it
// gets a second chance, on a browser of its own, and no other browser is replaced.
func TestASecondChanceIsAlone(t *testing.T) {
	for _, failure := range []error{ErrPageCrashed, fmt.Errorf("%w: %w", ErrContended, ErrDeadline)} {
		sup := supervisor(t, Settings{})
		var shares []bool
		pids := map[int]bool{}
		err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
			pids[p.proc.sealed.Pid] = true
			if shares = append(shares, p.Shared); p.Shared {
				return failure
			}
			return p.Eval(ctx, `1`, nil)
		})
		if err != nil || len(pids) != 2 || !slices.Equal(shares, []bool{true, false}) {
			t.Errorf("%v: got %v on %d browsers, shared %t, want success on the second, which is not", failure, err, len(pids), shares)
		}
		err = show(t, sup, `<!doctype html>`, func(_ context.Context, p *Page) error {
			if !pids[p.proc.sealed.Pid] {
				t.Errorf("%v: the first browser was replaced", failure)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A page that never has company does not share.
func TestOnePageAtATimeIsAlone(t *testing.T) {
	err := show(t, supervisor(t, Settings{Pages: 1}), `<!doctype html>`, func(_ context.Context, p *Page) error {
		if p.Shared {
			t.Error("it is said to share its browser")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A page whose first browser died and which then crashes a renderer, alone, is to blame.
func TestAPageThatFailsTwiceInDifferentWaysIsToBlame(t *testing.T) {
	sup := supervisor(t, Settings{})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(context.Context, *Page) error {
		runs++
		if runs == 1 {
			return ErrClosed
		}
		return ErrPageCrashed
	})
	if !errors.Is(err, ErrKillsBrowser) || runs != 2 {
		t.Errorf("got %v after %d runs, want ErrKillsBrowser after 2", err, runs)
	}
}

// Without its zygote a browser answers, but shows no page any more.
func TestABrowserThatLostAPartIsNotAlive(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 4 * time.Second})
	runs := 0
	err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
		if runs++; runs == 2 {
			return p.Eval(ctx, `1`, nil)
		}
		below(p.proc.sealed.Pid, func(child int) {
			if command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child)); strings.Contains(string(command), "--type=zygote") {
				_ = syscall.Kill(child, syscall.SIGKILL)
			}
		})
		if p.Alive(ctx).Browser {
			t.Error("the browser is called alive")
		}
		return ErrDeadline
	})
	if err != nil || runs != 2 {
		t.Errorf("got %v after %d runs, want success after 2", err, runs)
	}
}

// Browsers give way to fresh ones while pages go on, and all are gone at the end.
func TestRecyclingAndConcurrency(t *testing.T) {
	sup := supervisor(t, Settings{Pages: 3, Browsers: 2, RecyclePages: 4})
	pids := map[int]bool{}
	var mu sync.Mutex
	used := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(pids)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for n := 0; n < 300 && used() < 5; n++ {
				err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
					mu.Lock()
					pids[p.proc.sealed.Pid] = true
					mu.Unlock()
					return p.Eval(ctx, `1`, nil)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if len(pids) < 5 {
		t.Errorf("900 pages at 4 a browser used %d browsers", len(pids))
	}
	sup.Close()
	for pid := range pids {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("browser %d is still there after Close", pid)
		}
	}
}

// Two pages share a browser that one of them kills: the other is run again and
// knows nothing of it, however often its neighbour does so.
func TestNeighboursOfAKillerAreUnharmed(t *testing.T) {
	sup := supervisor(t, Settings{Pages: 4})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
				if i == 0 {
					_ = syscall.Kill(-p.proc.sealed.Pid, syscall.SIGKILL)
				}
				for range 40 {
					if err := p.Eval(ctx, `new Promise(done => setTimeout(done, 5))`, nil); err != nil {
						return err
					}
				}
				return nil
			})
			if i == 0 && !errors.Is(err, ErrKillsBrowser) || i > 0 && err != nil {
				t.Errorf("page %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// A browser that does not answer any more costs each of its pages one retry.
func TestSilentBrowserIsReplaced(t *testing.T) {
	sup := supervisor(t, Settings{CommandDeadline: 4 * time.Second})
	var stopped sync.Once
	var wg sync.WaitGroup
	var both sync.WaitGroup
	both.Add(2)
	for i := range 2 {
		wg.Go(func() {
			runs := 0
			err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
				if runs++; runs == 1 {
					both.Done()
					both.Wait()
					stopped.Do(func() { stopBelow(p.proc.sealed.Pid) })
				}
				return p.Eval(ctx, `1`, nil)
			})
			if err != nil || runs > 2 {
				t.Errorf("page %d: %v after %d runs", i, err, runs)
			}
		})
	}
	wg.Wait()
	wantCount(t, sup, map[string]int{}, map[string]int{EndSilent: 1, EndAlone: 2})
}

// stopBelow stops every process below one.
func stopBelow(pid int) { below(pid, func(child int) { _ = syscall.Kill(child, syscall.SIGSTOP) }) }

// below does something to every process below one, the deepest first.
func below(pid int, do func(child int)) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		pids, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(pids)) {
			child, _ := strconv.Atoi(field)
			below(child, do)
			do(child)
		}
	}
}

// A browser past its memory is replaced when a page of it closes.
func TestRecyclingByMemory(t *testing.T) {
	sup := supervisor(t, Settings{RecycleBytes: 1 << 20})
	pids := map[int]bool{}
	for n := 0; n < 200 && len(pids) < 3; n++ {
		err := show(t, sup, `<!doctype html>`, func(ctx context.Context, p *Page) error {
			pids[p.proc.sealed.Pid] = true
			return p.Eval(ctx, `new Promise(done => setTimeout(done, 20))`, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(pids) < 3 {
		t.Errorf("%d browsers served 200 pages", len(pids))
	}
}
