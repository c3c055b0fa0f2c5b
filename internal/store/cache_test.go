package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
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
func leftovers(t testing.TB, c Cache) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(c.Dir, "tmp-*"))
	must(t, err)
	return left
}

func TestCacheGivesWhatWasPut(t *testing.T) {
	t.Parallel()
	c := Cache{Dir: filepath.Join(t.TempDir(), "made", "on", "demand")}
	must(t, os.MkdirAll(c.Dir, 0o755))
	files := map[string]string{"a.json": "1", "frames/b.png": "2", "frames/deep/c": ""}
	key := Key("site", 1)
	if _, ok := c.Get("capture", key); ok {
		t.Error("an empty cache has the key")
	}
	dir := folder(t, files)
	must(t, c.Put("capture", key, dir))
	must(t, os.RemoveAll(dir)) // what is kept does not depend on where it came from
	kept, ok := c.Get("capture", key)
	if !ok {
		t.Fatal("the key is not there")
	}
	if diff := cmp.Diff(files, tree(t, kept)); diff != "" {
		t.Errorf("(-put +got):\n%s", diff)
	}
	if _, ok := c.Get("build", key); ok {
		t.Error("another stage has the key")
	}
	must(t, c.PutFile("build", key, "site.json", []byte("{}")))
	if kept, ok := c.Get("build", key); !ok || tree(t, kept)["site.json"] != "{}" {
		t.Error("the single file is not there")
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder is %v, want one that others can read", info.Mode())
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestFirstStays(t *testing.T) {
	t.Parallel()
	c := Cache{Dir: t.TempDir()}
	key := Key("x")
	var all sync.WaitGroup
	for i := range 8 {
		dir := folder(t, map[string]string{"who": fmt.Sprint(i), "also": fmt.Sprint(i)})
		all.Go(func() {
			if err := c.Put("capture", key, dir); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	kept, ok := c.Get("capture", key)
	first := tree(t, kept)
	if !ok || len(first) != 2 || first["who"] != first["also"] {
		t.Fatalf("got %v, want the folder of one of them", first)
	}
	must(t, c.Put("capture", key, folder(t, map[string]string{"who": "late"})))
	if diff := cmp.Diff(first, tree(t, kept)); diff != "" {
		t.Errorf("a later one took its place:\n%s", diff)
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestNothingHalfIsKept(t *testing.T) {
	t.Parallel()
	c := Cache{Dir: t.TempDir()}
	key := Key("x")
	if err := c.Put("capture", key, filepath.Join(t.TempDir(), "gone")); err == nil {
		t.Error("a folder that is not there was kept")
	}
	if _, ok := c.Get("capture", key); ok {
		t.Error("the key is there after a failure")
	}
	if left := leftovers(t, c); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestZeroCacheKeepsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	var c Cache
	must(t, c.Put("capture", Key("x"), folder(t, map[string]string{"a": "1"})))
	must(t, c.PutFile("build", Key("x"), "a", nil))
	if _, ok := c.Get("capture", Key("x")); ok {
		t.Error("it kept something")
	}
	if here := tree(t, "."); len(here) > 0 {
		t.Errorf("it wrote %v", here)
	}
}

func TestKeysTellPartsApart(t *testing.T) {
	t.Parallel()
	seen := map[string][]any{}
	for _, parts := range [][]any{{"a", "b"}, {"ab"}, {"a b"}, {"a", []string{"b"}}, {[]string{"a", "b"}}, {"b", "a"}, {}, {""}, {nil}, {0}, {"0"}, {map[string]int{"a": 1}}} {
		key := Key(parts...)
		if other, there := seen[key]; there {
			t.Errorf("%v and %v have one key", parts, other)
		}
		if len(key) != 32 || strings.Trim(key, "0123456789abcdef") != "" {
			t.Errorf("key %q is no plain name", key)
		}
		seen[key] = parts
	}
	if Key("a", map[string]int{"x": 1, "y": 2}) != Key("a", map[string]int{"y": 2, "x": 1}) {
		t.Error("equal parts have two keys")
	}
}
