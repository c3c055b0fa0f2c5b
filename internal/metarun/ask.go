// Package metarun asks judges about the items of internal/meta/answers, and keeps what they
// say in a file of the same form, from which it is measured without a call.
package metarun

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"

	"vitrine"
	"vitrine/internal/disk"
	"vitrine/internal/meta/answers"
)

// A Judge answers questions about items that show something.
type Judge interface {
	// Name is that under which answers about an item are kept. It says all that decides them.
	Name(answers.Item) (string, error)
	// Answer asks once. The item, the judge, the repeat and the order are filled in by who
	// asked; a fault that all questions would meet ends the asking, of another one there is
	// no value.
	Answer(context.Context, answers.Question) (answers.Answer, error)
}

// Settings say what is asked and where answers go.
type Settings struct {
	answers.Asking
	File        string // of answers, that is added to
	Concurrency int    // questions at once; 0 is one
	Say         func(format string, args ...any)
}

// Ask asks a judge what it has not answered about items, and adds its answers to the file as
// they come, so that asking goes on where it was ended. Names are those that the judge has in
// the file. Errors are those that the other questions would meet as well.
func Ask(ctx context.Context, known *answers.Set, items []answers.Item, j Judge, s Settings) (names []string, err error) {
	byName := map[string][]answers.Item{}
	for _, i := range items {
		name, err := j.Name(i)
		if err != nil {
			return nil, err
		}
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], i)
	}
	var open []asked
	for _, name := range names {
		for _, q := range known.Unasked(name, byName[name], s.Asking) {
			open = append(open, asked{q, name})
		}
	}
	if len(open) == 0 {
		return names, nil
	}
	s.Say("%d questions to ask, answers go to %s", len(open), s.File)
	out, err := appendTo(s.File)
	if err != nil {
		return nil, err
	}
	defer out.file.Close()
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(max(1, s.Concurrency))
	for _, q := range open {
		work.Go(func() error { return q.ask(inner, j, out) })
	}
	err = work.Wait()
	s.Say("answered %d of %d, %d without a value", out.written, len(open), out.unjudged)
	return names, err
}

// asked is a question with the name of who is asked.
type asked struct {
	answers.Question
	judge string
}

func (q asked) ask(ctx context.Context, j Judge, out *answersFile) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a, err := j.Answer(ctx, q.Question)
	if f := vitrine.AsFault("judge", err); err != nil {
		if ctx.Err() != nil || f.Code.Stops() || f.Code == vitrine.FaultInternal {
			return err
		}
		a.Value, a.Error = nil, f.Message
	}
	a.Item, a.Judge, a.Repeat, a.Swapped = q.Item.ID, q.judge, q.Repeat, q.Swapped
	return out.add(answers.Line{Answer: &a})
}

// answersFile is added to by several at once.
type answersFile struct {
	mu                sync.Mutex
	file              *os.File
	written, unjudged int
}

func appendTo(name string) (*answersFile, error) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, vitrine.NewFault("command", vitrine.FaultUsage, err, "--answers: cannot write "+name).WithFix("name a file in a folder that can be written to")
	}
	return &answersFile{file: f}, nil
}

func (f *answersFile) add(l answers.Line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written++
	if l.Answer != nil && l.Answer.Value == nil {
		f.unjudged++
	}
	_, err = f.file.Write(append(b, '\n'))
	return disk.Fault(err)
}

// Lock keeps other processes from adding to a file of answers until unlock is called, by a
// file beside it: two that asked at once would ask the same questions, and lose what the other
// one wrote. Where no such file can be made there is no lock.
func Lock(name string) (unlock func(), err error) {
	beside := name + ".lock"
	for {
		f, err := os.OpenFile(beside, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return func() {}, nil // who writes answers there says what is wrong
		}
		if err := disk.Lock(f, syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) { // not every file system has locks
			_ = f.Close()
			return nil, vitrine.NewFault("command", vitrine.FaultUsage, nil, "another process is adding to "+name).WithFix("wait until it has ended, or stop it; or name another file with --answers")
		}
		if locked(f, beside) {
			return func() { // removed first: whoever has it open sees that it is gone
				_ = os.Remove(beside)
				_ = f.Close()
			}, nil
		}
		_ = f.Close() // the one before has removed it
	}
}

// locked says whether a file that is open is still the one of that name.
func locked(f *os.File, name string) bool {
	own, err := f.Stat()
	now, gone := os.Stat(name)
	return err == nil && gone == nil && os.SameFile(own, now)
}

// Mend takes out of a file of answers a last line that was not written to its end, and with
// unjudged what could not be answered, so that it is asked again. A file that is not there is
// left so.
func Mend(name string, unjudged bool) error {
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.Fault(err)
	}
	kept := make([]byte, 0, len(b))
	for line := range lines(b) {
		var l answers.Line
		if json.Unmarshal(line, &l) == nil && unjudged && l.Answer != nil && l.Answer.Value == nil {
			continue
		}
		kept = append(kept, line...)
	}
	if len(kept) == len(b) {
		return nil
	}
	return disk.Fault(disk.WriteFile(name, kept, 0o644))
}

// AddItems adds items that are not in the file yet, such as versions that were made to be
// asked about.
func AddItems(name string, known *answers.Set, items []answers.Item) error {
	out, err := appendTo(name)
	if err != nil {
		return err
	}
	defer out.file.Close()
	for _, i := range items {
		if known.Item(i.ID) != nil {
			continue
		}
		if err := out.add(answers.Line{Item: &i}); err != nil {
			return err
		}
	}
	return nil
}

// lines are those of a text that are written to their end.
func lines(b []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for start, n := 0, 0; n < len(b); n++ {
			if b[n] != '\n' {
				continue
			}
			if !yield(b[start : n+1]) {
				return
			}
			start = n + 1
		}
	}
}
