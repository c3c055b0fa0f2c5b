package train

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"vitrine/internal/disk"
)

// Watch says what a run folder gains, from its beginning on, until its last stage is done.
// It looks every so often. It reads alone: the training may be on another machine that
// shares the folder, as long as file locks work there. An error is a fault: the folder
// holds no training, or nobody trains in it any more and it is not done.
func Watch(ctx context.Context, dir string, every time.Duration, say func(Progress)) error {
	kept, err := read(dir)
	if err != nil {
		return err
	}
	w := watcher{dir: dir, recipe: kept.Recipe, said: map[string]int{}}
	for {
		trains := w.trains() // before the look, so that what came last is seen
		news, err := w.look()
		if err != nil {
			return err
		}
		for _, p := range news {
			say(p)
		}
		switch {
		case w.done():
			return nil
		case !trains && len(news) == 0:
			return refuse("nobody trains in "+dir+", and it is not done", "vitrine train resume "+dir+" goes on with it")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

type watcher struct {
	dir    string
	recipe *Recipe
	said   map[string]int // lines of a file that were said
}

// look is what came since the last look: steps, outputs of the stages that sample, alarms.
func (w *watcher) look() (news []Progress, err error) {
	for _, s := range w.recipe.Stages {
		outputs, err := lines[output](filepath.Join(w.dir, s.Name+".jsonl"))
		if err != nil {
			return nil, err
		}
		if n := len(outputs); n > w.said[s.Name] {
			w.said[s.Name] = n
			news = append(news, Progress{Stage: s.Name, Step: n, Of: max(n, s.Limit*s.Samples), Reward: meanReward(outputs)})
		}
	}
	for _, file := range []string{"curves.jsonl", "alarms.jsonl"} {
		all, err := lines[Progress](filepath.Join(w.dir, file))
		if err != nil {
			return nil, err
		}
		news = append(news, all[min(w.said[file], len(all)):]...)
		w.said[file] = len(all)
	}
	return news, nil
}

// meanReward is nil where no output was judged.
func meanReward(outputs []output) *float64 {
	sum, n := 0.0, 0
	for _, o := range outputs {
		if o.Reward != nil {
			sum, n = sum+*o.Reward, n+1
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}

// done says whether the last stage is.
func (w *watcher) done() bool {
	_, err := os.Stat(filepath.Join(w.dir, w.recipe.Stages[len(w.recipe.Stages)-1].Name+".done"))
	return err == nil
}

// trains says whether a process holds the lock of the folder; also where that cannot be told.
func (w *watcher) trains() bool {
	lock, err := os.Open(filepath.Join(w.dir, "lock"))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		return true
	}
	defer lock.Close()
	return disk.Lock(lock, syscall.LOCK_SH|syscall.LOCK_NB) != nil
}
