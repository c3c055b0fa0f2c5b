package cache

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vitrine/internal/evidence/evidencetest"
)

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	return dir
}

// leftovers are the half-made folders of a cache.
func leftovers(t testing.TB, c Results) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(c.Dir, "tmp-*"))
	must(t, err)
	return left
}

// named is a key of one part.
func named(part any) Key { return Key{"capture", map[string]any{"part": part}} }

func TestCacheGivesWhatWasPut(t *testing.T) {
	t.Parallel()
	c := Results{Dir: filepath.Join(t.TempDir(), "made", "on", "demand")}
	files := map[string]string{"a.json": "1", "frames/b.png": "2", "frames/deep/c": ""}
	var answer string
	if _, ok := c.Get(named(1), &answer); ok {
		t.Error("an empty cache has the key")
	}
	dir := folder(t, files)
	must(t, c.Put(named(1), "small", dir))
	must(t, os.RemoveAll(dir)) // what is kept does not depend on where it came from
	kept, ok := c.Get(named(1), &answer)
	if !ok || answer != "small" {
		t.Fatalf("the key is there: %v, with the answer %q", ok, answer)
	}
	if diff := cmp.Diff(files, evidencetest.Tree(t, kept)); diff != "" {
		t.Errorf("(-put +got):\n%s", diff)
	}
	if _, ok := c.Get(Key{"build", named(1).Parts}, nil); ok {
		t.Error("another stage has the key")
	}
	if info, err := os.Stat(filepath.Dir(kept)); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder is %v, want one that others can read", info.Mode())
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestFirstStays(t *testing.T) {
	t.Parallel()
	c := Results{Dir: t.TempDir()}
	var all sync.WaitGroup
	for i := range 8 {
		dir := folder(t, map[string]string{"who": fmt.Sprint(i)})
		all.Go(func() {
			if err := c.Put(named("x"), fmt.Sprint(i), dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var answer, later string
	kept, ok := c.Get(named("x"), &answer)
	if first := evidencetest.Tree(t, kept); !ok || len(first) != 1 || first["who"] != answer {
		t.Fatalf("got %q and %v, want answer and folder of one of them", answer, first)
	}
	must(t, c.Put(named("x"), "late", folder(t, map[string]string{"who": "late"})))
	if c.Get(named("x"), &later); later != answer || evidencetest.Tree(t, kept)["who"] != answer {
		t.Errorf("a later one took its place: %q, %v", later, evidencetest.Tree(t, kept))
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestNothingHalfIsKept(t *testing.T) {
	t.Parallel()
	c := Results{Dir: t.TempDir()}
	if err := c.Put(named("x"), nil, filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a folder that is not there was kept")
	}
	if _, ok := c.Get(named("x"), nil); ok {
		t.Error("the key is there after a failure")
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestBrokenEntryIsMadeAnew(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]map[string]string{
		"no record": {"files/a": "old"}, "a torn record": {"record.json": `{"made":"20`, "files/a": "old"}, "an older layout": {"site.json": "{}"},
	} {
		c := Results{Dir: t.TempDir()}
		entry := c.entry(named("x"))
		must(t, os.MkdirAll(filepath.Dir(entry), 0o755))
		must(t, os.Rename(folder(t, broken), entry))
		if _, ok := c.Get(named("x"), nil); ok {
			t.Errorf("%s: taken for an answer", name)
		}
		must(t, c.Put(named("x"), "new", folder(t, map[string]string{"a": "new"})))
		var answer string
		if kept, ok := c.Get(named("x"), &answer); !ok || answer != "new" || evidencetest.Tree(t, kept)["a"] != "new" {
			t.Errorf("%s: got %v, %q, want the new answer", name, ok, answer)
		}
	}
}

func TestZeroCacheKeepsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	var c Results
	must(t, c.Put(named("x"), "answer", folder(t, map[string]string{"a": "1"})))
	if _, ok := c.Get(named("x"), nil); ok {
		t.Error("it kept something")
	}
	if here := evidencetest.Tree(t, "."); len(here) > 0 {
		t.Errorf("it wrote %v", here)
	}
}

func TestKeysTellPartsApart(t *testing.T) {
	t.Parallel()
	seen := map[string]any{}
	for _, part := range []any{"a", "b", []string{"a"}, []string{"a", "b"}, []string{"b", "a"}, []string{"a b"}, []string{}, "", nil, 0, "0", 1.5, map[string]int{"a": 1}} {
		hash := named(part).Hash()
		if other, there := seen[hash]; there {
			t.Errorf("%v and %v have one key", part, other)
		}
		if len(hash) != 32 || strings.Trim(hash, "0123456789abcdef") != "" {
			t.Errorf("key %q is no plain name", hash)
		}
		seen[hash] = part
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
