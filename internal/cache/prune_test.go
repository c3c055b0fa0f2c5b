package cache

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vitrine"
)

// now is when the tests of pruning take place.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func daysAgo(n int) time.Time { return now.Add(-time.Duration(n) * 24 * time.Hour) }

// stock fills a cache folder: what was used how many days ago. Each result weighs
// about 10 kB, each folder of packages 100 kB.
func stock(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	c := Results{Dir: filepath.Join(root, ResultsDir)}
	age := func(path string, days int) { must(t, os.Chtimes(path, daysAgo(days), daysAgo(days))) }
	put := func(k Key, answer any, days int) {
		must(t, c.Put(k, answer, folder(t, map[string]string{"frames/a.png": strings.Repeat("x", 10_000)})))
		age(filepath.Join(c.entry(k), recordFile), days)
	}
	place := func(name string, days int) {
		dir := filepath.Join(root, filepath.FromSlash(name))
		must(t, os.MkdirAll(dir, 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "index.html"), make([]byte, 100_000), 0o644))
		age(dir, days)
	}
	put(Key{"capture", map[string]any{"site": "old"}}, nil, 40)
	put(Key{"capture", map[string]any{"site": "new"}}, nil, 1)
	put(Key{"build", map[string]any{"files": "a"}}, vitrine.Site{Hash: "used"}, 50)
	put(Key{"build", map[string]any{"files": "b"}}, vitrine.Site{Hash: "used"}, 2)
	put(Key{"build", map[string]any{"files": "c"}}, vitrine.Site{Failure: &vitrine.BuildFailure{}}, 60)
	place("packages/sites/used", 90) // looked at two days ago, by its newest build
	place("packages/sites/orphan", 45)
	place("packages/deps/set", 3)
	must(t, os.WriteFile(filepath.Join(root, "packages/deps/set/tree.json"), nil, 0o644))
	age(filepath.Join(root, "packages/deps/set"), 3)
	place("packages/unpacked/alone", 40)
	place("packages/unpacked/linked", 40) // the set has its files
	must(t, os.Rename(filepath.Join(root, "packages/unpacked/linked/index.html"), filepath.Join(root, "packages/unpacked/linked/contents.json")))
	must(t, os.Remove(filepath.Join(root, "packages/deps/set/index.html")))
	must(t, os.Link(filepath.Join(root, "packages/unpacked/linked/contents.json"), filepath.Join(root, "packages/deps/set/index.html")))
	age(filepath.Join(root, "packages/deps/set"), 3)
	age(filepath.Join(root, "packages/unpacked/linked"), 40)
	place("packages/npm", 3)          // of an earlier version
	place("packages/deps/other", 3)   // the same
	place("packages/work/build-1", 0) // somebody works there
	place("packages/work/build-2", 5)
	place("fixtures", 400)
	return root
}

// names are the items of a cache folder, each as stage, and what it is.
func names(root string, items []Item) []string {
	out := []string{}
	for _, it := range items {
		rel, _ := filepath.Rel(root, it.Path)
		if strings.HasPrefix(rel, ResultsDir) {
			rel = it.Stage + " " + now.Sub(it.Used).Truncate(time.Hour).String()
		}
		out = append(out, rel)
	}
	slices.Sort(out)
	return out
}

func left(t testing.TB, root string) []string {
	t.Helper()
	items, err := Inventory(root)
	must(t, err)
	return names(root, items)
}

func TestPrune(t *testing.T) {
	t.Parallel()
	all := left(t, stock(t))
	for _, test := range []struct {
		name     string
		settings PruneSettings
		gone     []string
	}{
		{"only what was left over", PruneSettings{MaxBytes: -1}, []string{"packages/deps/other", "packages/npm", "packages/work/build-2"}},
		{"by age", PruneSettings{OlderThan: 30 * 24 * time.Hour, MaxBytes: -1},
			[]string{"build 1440h0m0s", "capture 960h0m0s", "packages/deps/other", "packages/npm", "packages/sites/orphan", "packages/unpacked/alone", "packages/work/build-2"}},
		{"by size, least recently used first", PruneSettings{MaxBytes: 545_000},
			[]string{"build 1440h0m0s", "packages/deps/other", "packages/npm", "packages/sites/orphan", "packages/work/build-2"}},
		{"a site goes with its builds", PruneSettings{OlderThan: 36 * time.Hour, MaxBytes: -1}, slices.DeleteFunc(slices.Clone(all), func(s string) bool {
			return s == "capture 24h0m0s" || s == "packages/work/build-1" || s == "fixtures"
		})},
		{"all", PruneSettings{All: true, MaxBytes: -1}, slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "packages/work/build-1" || s == "fixtures" })},
	} {
		root := stock(t)
		dry := test.settings
		dry.DryRun = true
		said, err := Prune(root, dry, now)
		must(t, err)
		if diff := cmp.Diff(all, left(t, root)); diff != "" {
			t.Errorf("%s: a dry run removed:\n%s", test.name, diff)
		}
		did, err := Prune(root, test.settings, now)
		must(t, err)
		if diff := cmp.Diff(test.gone, names(root, did.Removed)); diff != "" {
			t.Errorf("%s: removed (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(names(root, said.Removed), names(root, did.Removed)); diff != "" || said.Kept != did.Kept || len(did.Busy) > 0 {
			t.Errorf("%s: a dry run says otherwise:\n%s", test.name, diff)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(test.gone, s) })
		if diff := cmp.Diff(want, left(t, root)); diff != "" {
			t.Errorf("%s: left (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestWhatIsHeldStays(t *testing.T) {
	t.Parallel()
	root := stock(t)
	release, again := Hold(root), Hold(root) // several may
	out, err := Prune(root, PruneSettings{All: true, MaxBytes: -1}, now)
	must(t, err)
	want := []string{"packages/deps/other", "packages/deps/set", "packages/npm", "packages/sites/orphan", "packages/sites/used", "packages/unpacked/alone", "packages/unpacked/linked"}
	if diff := cmp.Diff(want, names(root, out.Busy)); diff != "" {
		t.Errorf("busy (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(append([]string{"fixtures"}, append(want, "packages/work/build-1")...), left(t, root)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	release()
	again()
	if out, err = Prune(root, PruneSettings{All: true, MaxBytes: -1}, now); err != nil || len(out.Busy) > 0 || len(out.Removed) != 7 {
		t.Errorf("once nobody holds it: %d removed, %d busy, %v", len(out.Removed), len(out.Busy), err)
	}
}

func TestUseIsRemembered(t *testing.T) {
	t.Parallel()
	root := stock(t)
	c := Results{Dir: filepath.Join(root, ResultsDir)}
	if _, ok := c.Get(Key{"capture", map[string]any{"site": "old"}}, nil); !ok {
		t.Fatal("not there")
	}
	out, err := Prune(root, PruneSettings{OlderThan: 30 * 24 * time.Hour, MaxBytes: -1}, now)
	if err != nil || slices.Contains(names(root, out.Removed), "capture 960h0m0s") || len(out.Removed) != 6 {
		t.Errorf("removed %v, %v", names(root, out.Removed), err)
	}
}

func TestPruneOfNothing(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "none")
	if out, err := Prune(root, PruneSettings{All: true}, now); err != nil || len(out.Removed) > 0 {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	c := Results{Dir: t.TempDir()}
	capture := func(site, browser string, times ...int) Key {
		return Key{"capture", map[string]any{"site": site, "browser": browser, "settings": map[string]any{"times_ms": times}}}
	}
	build := func(files ...string) Key {
		table := map[string]string{}
		for _, f := range files {
			name, hash, _ := strings.Cut(f, " ")
			table[name] = hash
		}
		return Key{"build", map[string]any{"files": table}}
	}
	for _, k := range []Key{capture("a", "149", 0), capture("a", "149", 0, 1000), capture("b", "150", 0, 1000), build("x 1", "y 1", "z 1")} {
		must(t, c.Put(k, nil, ""))
	}
	later := time.Now().Add(time.Hour)
	for _, test := range []struct {
		name    string
		key     Key
		subject string
		before  time.Time
		found   bool
		want    []Difference
	}{
		{"another browser", capture("a", "150", 0, 1000), "site", later, true, []Difference{{"browser", `"150"`, `"149"`}}},
		{"its own entry is no answer", capture("a", "149", 0), "site", later, true, []Difference{{"settings.times_ms", "[0]", "[0,1000]"}}},
		{"another site", capture("c", "149", 0), "site", later, false, nil},
		{"only what was there before", capture("a", "150", 0, 1000), "site", now, false, nil},
		{"one file differs, one is new", build("x 1", "y 1", "z 2", "w 1"), "files", later, true, []Difference{{"files.w", `"1"`, ""}, {"files.z", `"2"`, `"1"`}}},
		{"another project", build("x 2", "y 2", "z 1"), "files", later, false, nil},
	} {
		got, found, err := c.Nearest(test.key, test.subject, test.before)
		if diff := cmp.Diff(test.want, got.Differences); diff != "" || found != test.found || err != nil {
			t.Errorf("%s: found %v, %v (-want +got):\n%s", test.name, found, err, diff)
		}
	}
}
