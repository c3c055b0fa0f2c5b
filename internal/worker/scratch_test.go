package worker

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Workers that start at the same time do not take each other's folders for those of workers
// that were killed; the folder of one that was is gone.
func TestWorkersThatStartTogetherHaveFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := filepath.Join(dir, "vitrine-worker-killed")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	begin := make(chan struct{})
	for range 300 {
		all.Go(func() {
			<-begin
			path, done, err := scratch(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			if err := os.WriteFile(filepath.Join(path, "file"), []byte("x"), 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	close(begin)
	all.Wait()
	if found, _ := filepath.Glob(filepath.Join(dir, scratchPattern)); len(found) > 0 {
		t.Errorf("%v are left", found)
	}
}
